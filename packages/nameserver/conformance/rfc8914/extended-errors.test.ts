import { describe, expect, it } from '@jest/globals';

import { TRANSPORTS, useServer } from '../support/cases.js';
import { isOtherServer } from '../support/server.js';

const EXTENDED_ERROR = 15;
const NOT_AUTHORITATIVE = 20;
const describeOurs = isOtherServer ? describe.skip : describe;

describeOurs.each(TRANSPORTS)('RFC 8914 over %s', (transport) => {
  const { ask } = useServer();

  it('s4.21: REFUSED for a name outside of our zones contains Not Authoritative', async () => {
    const response = await ask(transport, { question: 'www.elsewhere.invalid. A', edns: {} });
    expect(response.opt?.options).toEqual([
      { code: EXTENDED_ERROR, data: Buffer.from([0, NOT_AUTHORITATIVE]) },
    ]);
  });

  it('s2: an answer without an error contains none', async () => {
    const response = await ask(transport, { question: 'www.corp.test. A', edns: {} });
    expect(response.opt?.options).toEqual([]);
  });
});
