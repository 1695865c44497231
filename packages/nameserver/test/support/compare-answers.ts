import { typeMnemonic } from '@zonewright/dns-records';
import { exchangeAllTcp, type NameserverAddress } from '@zonewright/testkit';
import { decodeMessage, type Message } from '../../conformance/support/message.js';
import { buildQuery, type QuerySpec } from '../../conformance/support/query.js';
import type { InProcessServer } from './in-process-server.js';

/** Of RRSIG what it covers, and how it ends. */
function shorten(line: string): string {
  const [, head = '', hex = ''] = /^(.* IN RRSIG) .* ([0-9a-f]+)$/.exec(line) ?? [];
  if (head === '') return line;
  return `${head} ${typeMnemonic(parseInt(hex.slice(0, 4), 16))} ...${hex.slice(-16)}`;
}

/** Each once: some repeat the CNAME of a wildcard that leads to itself (RFC 2181 s5: servers should suppress duplicates). */
const inOrder = (lines: readonly string[]) => [...new Set(lines.map(shorten))].toSorted();

/** Others add the NS of the zone to what they find, as RFC 1034 s4.3.2 lets them. */
function withoutZoneNs({ answers, authorities }: Message): string[] {
  const isOptional = (line: string) => answers.length > 0 && / IN (RRSIG )?NS /.test(line);
  return inOrder(authorities).filter((line) => !isOptional(line));
}

/** Flags, answer and authority, in an order of their own. */
export function show(message: Message) {
  const { rcode, flags, answers } = message;
  return { rcode, flags, answer: inOrder(answers), authority: withoutZoneNs(message) };
}

/** Flags, answer and authority that differ, and glue that is not in ours. Undefined if there is no difference. */
export function differenceOf(own: Message, theirs: Message): unknown {
  const additional = inOrder(own.additionals);
  const isReferral = theirs.answers.length === 0;
  const missing = isReferral
    ? inOrder(theirs.additionals).filter((line) => !additional.includes(line))
    : [];
  const [ours, others] = [show(own), show(theirs)];
  if (missing.length === 0 && JSON.stringify(ours) === JSON.stringify(others)) return undefined;
  return { ours, others, missing };
}

const PATIENCE_MS = 20_000;

/** What other servers answer to many questions. */
export async function askServer(
  server: NameserverAddress,
  questions: readonly string[],
  { edns, flags = 0 }: Pick<QuerySpec, 'edns' | 'flags'> = {},
): Promise<Message[]> {
  const queries = questions.map((question) => buildQuery({ question, edns, flags }));
  return (await exchangeAllTcp(server, queries, PATIENCE_MS)).map((each) => decodeMessage(each));
}

/** Questions to which two of the others agree on another answer than ours. */
export async function listDisagreements(
  ours: InProcessServer,
  others: readonly NameserverAddress[],
  questions: readonly string[],
  edns?: QuerySpec['edns'],
): Promise<unknown[]> {
  const answers = await Promise.all(others.map((each) => askServer(each, questions, { edns })));
  return questions.flatMap((question, at) => {
    const own = JSON.stringify(show(ours.ask('TCP', { question, edns })));
    const theirs = answers.map((each) => JSON.stringify(show(each[at]!)));
    const agreed = theirs.find((each, index) => theirs.indexOf(each) !== index);
    return agreed === undefined || agreed === own ? [] : [[question, own, agreed]];
  });
}
