import { describe, expect, it } from '@jest/globals';

import { TRANSPORTS, useServer } from '../support/cases.js';
import { buildQuestion } from '../support/query.js';

const HEADER_OCTETS = 12;
/** The length of a record: a pointer, the fixed part, and the address. */
const A_RECORD_OCTETS = 2 + 10 + 4;
const POINTER_TO_QUESTION = 0xc000 | HEADER_OCTETS;

describe.each(TRANSPORTS)('RFC 1035 s4.1.4: compression over %s', (transport) => {
  const { ask } = useServer();

  async function bodyOf(question: string): Promise<string> {
    const { octets } = await ask(transport, { question });
    return octets.toString('latin1');
  }

  it('the owner of each record in an answer is a pointer to the question', async () => {
    const question = 'multi.corp.test. A';
    const { octets } = await ask(transport, { question });
    const start = HEADER_OCTETS + buildQuestion(question).length;
    const owners = [0, 1, 2].map((i) => octets.readUInt16BE(start + i * A_RECORD_OCTETS));
    expect(owners).toEqual([POINTER_TO_QUESTION, POINTER_TO_QUESTION, POINTER_TO_QUESTION]);
  });

  it.each([
    ['NS', 'corp.test. NS', 'servers', 1],
    ['CNAME', 'alias.corp.test. A', 'corp', 1],
    ['MX', 'corp.test. MX', 'corp', 1],
    ['SOA', 'corp.test. SOA', 'corp', 1],
  ])('names in the rdata of %s are compressed', async (_, question, label, times) => {
    expect((await bodyOf(question)).split(label)).toHaveLength(times + 1);
  });

  it('RFC 3597 s4, RFC 2782: the target of SRV is not compressed, but owners may point to it', async () => {
    const body = await bodyOf('_sip._tcp.corp.test. SRV');
    // The label occurs in the question and in the only target that is in this zone.
    expect(body.split('\x04corp')).toHaveLength(3);
    expect(body.split('\x03sip\x04corp')).toHaveLength(2);
  });
});
