import { describe, expect, it } from '@jest/globals';

import { decodeMessage, type Message } from '../conformance/support/message.js';
import { buildQuery, type EdnsSpec } from '../conformance/support/query.js';
import { readConformanceZones } from '../conformance/support/zones.js';
import { writeSlip } from '../src/udp/udp-answer.js';
import { InProcessServer } from './support/in-process-server.js';

const COOKIE = { code: 10, data: Buffer.alloc(8, 1) };
const EDNS_CHOICES: readonly [string, EdnsSpec | undefined][] = [
  ['without EDNS', undefined],
  ['with a cookie', { options: [COOKIE] }],
];
const CASES: readonly [string, string, string, string][] = [
  ['an answer', 'multi.corp.test. A', 'NOERROR', 'aa tc'],
  ['an answer with additional data', 'corp.test. MX', 'NOERROR', 'aa tc'],
  ['a referral', 'www.delegated.corp.test. A', 'NOERROR', 'tc'],
  ['NODATA', 'www.corp.test. MX', 'NOERROR', 'aa tc'],
  ['NXDOMAIN', 'missing.corp.test. A', 'NXDOMAIN', 'aa tc'],
  ['REFUSED', 'www.elsewhere.invalid. A', 'REFUSED', 'tc'],
];

const server = new InProcessServer(readConformanceZones());

/** Returns the full answer, and the slipped one that would replace it. */
function slip(question: string, edns: EdnsSpec | undefined): { full: Message; slipped: Message } {
  const full = server.answer('UDP', buildQuery({ question, edns })) ?? Buffer.alloc(0);
  const length = writeSlip(server.context, full.length);
  const slipped = Buffer.from(server.context.output.subarray(0, length));
  return { full: decodeMessage(full), slipped: decodeMessage(slipped) };
}

describe.each(EDNS_CHOICES)('an answer over the rate limit, %s', (_, edns) => {
  it.each(CASES)(
    'our choice, as in BIND, NSD and Knot: %s keeps question, rcode and AA, without data',
    (_title, question, rcode, flags) => {
      const { full, slipped } = slip(question, edns);
      expect(slipped).toMatchObject({
        id: full.id,
        rcode,
        flags,
        questions: [question],
        answers: [],
        authorities: [],
        additionals: [],
      });
    },
  );

  it('RFC 6891 s7, RFC 7873 s5.2.3: OPT is unchanged, with the cookie that exempts from the limit', () => {
    const { full, slipped } = slip('corp.test. MX', edns);
    expect(slipped.opt).toEqual(full.opt);
    expect(slipped.opt?.options.length).toBe(edns?.options?.length);
  });
});
