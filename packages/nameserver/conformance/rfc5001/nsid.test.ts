import { describe, expect, it } from '@jest/globals';

import { TRANSPORTS, useServer } from '../support/cases.js';
import { isOtherServer } from '../support/server.js';

const NSID = 3;
const describeOurs = isOtherServer ? describe.skip : describe;

describeOurs.each(TRANSPORTS)('RFC 5001 s2: NSID over %s', (transport) => {
  const { ask } = useServer();

  it('is sent to clients that request it', async () => {
    const edns = { options: [{ code: NSID, data: Buffer.alloc(0) }] };
    const response = await ask(transport, { question: 'www.corp.test. A', edns });
    expect(response.opt?.options).toEqual([{ code: NSID, data: Buffer.from('ns1-1') }]);
  });

  it('is sent whatever the option of the client contains', async () => {
    const edns = { options: [{ code: NSID, data: Buffer.from('junk') }] };
    const response = await ask(transport, { question: 'www.corp.test. A', edns });
    expect(response.opt?.options).toEqual([{ code: NSID, data: Buffer.from('ns1-1') }]);
  });

  it('is sent with errors, too', async () => {
    const edns = { options: [{ code: NSID, data: Buffer.alloc(0) }] };
    const response = await ask(transport, { question: 'corp.test. AXFR', edns });
    expect(response.rcode).toBe('REFUSED');
    expect(response.opt?.options).toEqual([{ code: NSID, data: Buffer.from('ns1-1') }]);
  });

  it('is not sent to others', async () => {
    const response = await ask(transport, { question: 'www.corp.test. A', edns: {} });
    expect(response.opt?.options).toEqual([]);
  });
});
