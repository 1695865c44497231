import { describe, expect, it } from '@jest/globals';

import { UDP_TRANSPORTS, useServer } from '../support/cases.js';

describe.each(UDP_TRANSPORTS)('RFC 6891 s6.2.3, RFC 9715 s3: sizes over UDP, %s', (udp) => {
  const { ask } = useServer();

  it.each([
    ['RFC 6891 s6.2.3: as much as the client takes', 'medium.big.test. TXT', 1232, 'aa'],
    ['RFC 6891 s6.2.3: not more', 'medium.big.test. TXT', 600, 'aa tc'],
    ['RFC 6891 s6.2.3: less than 512 means 512', 'www.corp.test. A', 0, 'aa'],
    ['RFC 9715 s3.1: never above 1232 by default', 'large.big.test. TXT', 4096, 'aa tc'],
  ])('%s', async (_, question, payloadOctets, flags) => {
    const response = await ask(udp, { question, edns: { payloadOctets } });
    expect(response.flags).toBe(flags);
    expect(response.octets.length).toBeLessThanOrEqual(
      Math.max(512, Math.min(1232, payloadOctets)),
    );
  });

  it('RFC 6891 s7: a truncated answer keeps its OPT', async () => {
    const response = await ask(udp, { question: 'large.big.test. TXT', edns: {} });
    expect(response.flags).toBe('aa tc');
    expect(response.opt).toMatchObject({ version: 0, payloadOctets: 1232 });
  });

  it('RFC 1035 s4.2.2: the size in EDNS does not limit TCP', async () => {
    const edns = { payloadOctets: 512 };
    const response = await ask('TCP', { question: 'large.big.test. TXT', edns });
    expect(response.answers).toHaveLength(8);
  });
});
