import { describe, expect, it } from '@jest/globals';

import { UDP_TRANSPORTS, useServer } from '../support/cases.js';

describe.each(UDP_TRANSPORTS)(
  'RFC 2181 s9: TC if required data is missing, and only then, %s',
  (udp) => {
    const { ask } = useServer();

    it('an RRset that does not fit is omitted as a whole', async () => {
      const response = await ask(udp, { question: 'medium.big.test. TXT' });
      expect(response.flags).toBe('aa tc');
      expect(response.answers).toEqual([]);
      expect(response.octets.length).toBeLessThanOrEqual(512);
    });

    it('the records before it remain: the CNAME that led to it', async () => {
      const response = await ask(udp, { question: 'medium-alias.big.test. TXT' });
      expect(response.flags).toBe('aa tc');
      expect(response.answers).toEqual(['medium-alias.big.test. 300 IN CNAME medium.big.test.']);
    });

    it('RFC 6604 s3: the rcode is that of the end of the chain, even if some of its links do not fit', async () => {
      const response = await ask(udp, { question: 'long-chain.big.test. A' });
      expect(response).toMatchObject({ rcode: 'NXDOMAIN', flags: 'aa tc', authorities: [] });
      expect(response.answers.length).toBeGreaterThan(0);
      expect(response.answers.length).toBeLessThan(4);
      const whole = await ask('TCP', { question: 'long-chain.big.test. A' });
      expect(whole).toMatchObject({ rcode: 'NXDOMAIN', flags: 'aa' });
      expect(whole.answers).toHaveLength(4);
    });

    it('additional data that does not fit is omitted without TC', async () => {
      const response = await ask(udp, { question: 'mx.big.test. MX' });
      expect(response.flags).toBe('aa');
      expect(response.answers).toHaveLength(10);
      expect(response.additionals.length).toBeGreaterThan(0);
      expect(response.additionals.length).toBeLessThan(20);
      expect(response.octets.length).toBeLessThanOrEqual(512);
    });

    it('all of it is sent over TCP', async () => {
      const response = await ask('TCP', { question: 'mx.big.test. MX' });
      expect(response.additionals).toHaveLength(20);
    });

    it('the whole answer is sent over TCP, without TC', async () => {
      const response = await ask('TCP', { question: 'large.big.test. TXT' });
      expect(response.flags).toBe('aa');
      expect(response.answers).toHaveLength(8);
    });
  },
);
