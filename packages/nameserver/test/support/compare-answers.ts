import { typeMnemonic } from '@zonewright/dns-records';
import type { Message } from '../../conformance/support/message.js';

/** Of RRSIG what it covers, and how it ends. */
function shorten(line: string): string {
  const [, head = '', hex = ''] = /^(.* IN RRSIG) .* ([0-9a-f]+)$/.exec(line) ?? [];
  if (head === '') return line;
  return `${head} ${typeMnemonic(parseInt(hex.slice(0, 4), 16))} ...${hex.slice(-16)}`;
}

const inOrder = (lines: readonly string[]) => lines.map(shorten).toSorted();

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
