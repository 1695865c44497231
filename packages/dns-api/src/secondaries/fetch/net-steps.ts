import { type MessageRecord, nameOfRecord } from '@zonewright/dns-records';
import type { TransferredDifference } from '@zonewright/zones';

/** One difference sequence of an IXFR (RFC 1995 s4): both lists begin with an SOA. */
export interface DifferenceSequence {
  to: number;
  readonly removed: MessageRecord[];
  readonly added: MessageRecord[];
}

/** All steps as one: what is removed and added again has another TTL, or is what it was. */
export function netDifference(steps: readonly DifferenceSequence[]): TransferredDifference {
  const gone = new Map<string, MessageRecord>();
  const come = new Map<string, MessageRecord>();
  for (const { removed, added } of steps) {
    for (const record of removed) {
      const key = keyOf(record);
      if (!come.delete(key) || gone.has(key)) gone.set(key, record);
    }
    for (const record of added) come.set(keyOf(record), record);
  }
  for (const key of come.keys()) gone.delete(key);
  return { removed: [...gone.values()], added: [...come.values()] };
}

function keyOf(record: MessageRecord): string {
  return `${nameOfRecord(record)} ${record.type} ${Buffer.from(record.rdata).toString('latin1')}`;
}
