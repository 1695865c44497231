import { typeMnemonic } from '@zonewright/dns-records';
import { exchangeAllTcp, type NameserverAddress } from '@zonewright/testkit';
import { decodeMessage, type Message } from '../../conformance/support/message.js';
import { buildQuery, type QuerySpec } from '../../conformance/support/query.js';
import type { InProcessServer } from './in-process-server.js';

/** Reduces an RRSIG to the covered type and the end of the line. */
function shorten(line: string): string {
  const [, head = '', hex = ''] = /^(.* IN RRSIG) .* ([0-9a-f]+)$/.exec(line) ?? [];
  if (head === '') return line;
  return `${head} ${typeMnemonic(parseInt(hex.slice(0, 4), 16))} ...${hex.slice(-16)}`;
}

/**
 * Returns each line once: some servers repeat the CNAME of a wildcard that leads to itself (RFC 2181, section 5, says
 * that servers should suppress duplicates).
 */
const inOrder = (lines: readonly string[]) => [...new Set(lines.map(shorten))].toSorted();

/** Removes the zone's NS records, which other servers may add (RFC 1034, section 4.3.2). */
function withoutZoneNs({ answers, authorities }: Message): string[] {
  const isOptional = (line: string) => answers.length > 0 && / IN (RRSIG )?NS /.test(line);
  return inOrder(authorities).filter((line) => !isOptional(line));
}

/** Returns the flags, the answer and the authority section in a fixed order. */
export function show(message: Message) {
  const { rcode, flags, answers } = message;
  return { rcode, flags, answer: inOrder(answers), authority: withoutZoneNs(message) };
}

/**
 * Returns the differences in flags, answer and authority, and glue that our answer lacks. Undefined if there is no
 * difference.
 */
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

/** Sends many questions to another server and returns its answers. */
export async function askServer(
  server: NameserverAddress,
  questions: readonly string[],
  { edns, flags = 0 }: Pick<QuerySpec, 'edns' | 'flags'> = {},
): Promise<Message[]> {
  const queries = questions.map((question) => buildQuery({ question, edns, flags }));
  return (await exchangeAllTcp(server, queries, PATIENCE_MS)).map((each) => decodeMessage(each));
}

/** Lists questions for which two of the other servers agree on an answer that differs from ours. */
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
