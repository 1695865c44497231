import { describe, expect, it } from '@jest/globals';

import { UDP_TRANSPORTS, useServer } from '../support/cases.js';
import { isOtherServer } from '../support/server.js';

const KEEPALIVE = 11;
const QUESTION = 'www.corp.test. A';
const describeOurs = isOtherServer ? describe.skip : describe;

describeOurs('RFC 7828: edns-tcp-keepalive', () => {
  const { ask } = useServer();
  const empty = { options: [{ code: KEEPALIVE, data: Buffer.alloc(0) }] };
  const withTimeout = { options: [{ code: KEEPALIVE, data: Buffer.from([0, 100]) }] };

  it('s3.3.2: over TCP the server states how long it keeps an idle connection, in units of 100 ms', async () => {
    const response = await ask('TCP', { question: QUESTION, edns: empty });
    expect(response.opt?.options).toEqual([{ code: KEEPALIVE, data: Buffer.from([0, 100]) }]);
  });

  it('s3.3.2: it does not state this to clients that did not ask', async () => {
    const response = await ask('TCP', { question: QUESTION, edns: {} });
    expect(response.opt?.options).toEqual([]);
  });

  it('s3.2.1: a client that sends a timeout gets FORMERR', async () => {
    const response = await ask('TCP', { question: QUESTION, edns: withTimeout });
    expect(response.rcode).toBe('FORMERR');
  });

  describe.each(UDP_TRANSPORTS)('over %s', (udp) => {
    it.each([empty, withTimeout])('s3.2.1: the option is ignored', async (edns) => {
      const response = await ask(udp, { question: QUESTION, edns });
      expect(response).toMatchObject({ rcode: 'NOERROR', opt: { options: [] } });
    });
  });
});
