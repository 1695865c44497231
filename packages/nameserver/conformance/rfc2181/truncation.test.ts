import { describe, expect, it } from '@jest/globals';

import { useServer } from '../support/cases.js';

describe('RFC 2181 s9: TC when required data is missing, and only then', () => {
  const { ask } = useServer();

  it('an RRset that does not fit is left out as a whole', async () => {
    const response = await ask('UDP', { question: 'medium.big.test. TXT' });
    expect(response.flags).toBe('aa tc');
    expect(response.answers).toEqual([]);
    expect(response.octets.length).toBeLessThanOrEqual(512);
  });

  it('what stands before it stays: the CNAME that led to it', async () => {
    const response = await ask('UDP', { question: 'medium-alias.big.test. TXT' });
    expect(response.flags).toBe('aa tc');
    expect(response.answers).toEqual(['medium-alias.big.test. 300 IN CNAME medium.big.test.']);
  });

  it('additional data that does not fit is dropped without TC', async () => {
    const response = await ask('UDP', { question: 'mx.big.test. MX' });
    expect(response.flags).toBe('aa');
    expect(response.answers).toHaveLength(10);
    expect(response.additionals.length).toBeGreaterThan(0);
    expect(response.additionals.length).toBeLessThan(20);
    expect(response.octets.length).toBeLessThanOrEqual(512);
  });

  it('all of it goes over TCP', async () => {
    const response = await ask('TCP', { question: 'mx.big.test. MX' });
    expect(response.additionals).toHaveLength(20);
  });

  it('the whole answer goes over TCP, without TC', async () => {
    const response = await ask('TCP', { question: 'large.big.test. TXT' });
    expect(response.flags).toBe('aa');
    expect(response.answers).toHaveLength(8);
  });
});
