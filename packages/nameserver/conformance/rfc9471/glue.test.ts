import { describe, expect, it } from '@jest/globals';

import { UDP_TRANSPORTS, useServer } from '../support/cases.js';

describe.each(UDP_TRANSPORTS)('RFC 9471 s3: glue, %s', (udp) => {
  const { ask } = useServer();

  it('s3.1: TC if not all addresses of nameservers below the cut fit', async () => {
    const response = await ask(udp, { question: 'www.cut.big.test. A' });
    expect(response.flags).toBe('tc');
    expect(response.authorities).toHaveLength(8);
  });

  it('s3.1: all of them are sent over UDP if they fit', async () => {
    const response = await ask(udp, { question: 'www.cut.big.test. A', edns: {} });
    expect(response.flags).toBe('');
    expect(response.additionals).toHaveLength(16);
  });

  it('s3.1: and over TCP', async () => {
    const response = await ask('TCP', { question: 'www.cut.big.test. A' });
    expect(response.flags).toBe('');
    expect(response.additionals).toHaveLength(16);
  });

  it('s3.2: no TC for addresses of nameservers outside of the cut', async () => {
    const response = await ask(udp, { question: 'www.sibling-cut.big.test. A' });
    expect(response.flags).toBe('');
    expect(response.authorities).toHaveLength(8);
    expect(response.additionals.length).toBeLessThan(16);
  });
});
