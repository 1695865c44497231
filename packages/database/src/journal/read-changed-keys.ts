import type { Database } from '../connection/connection.js';
import { leadsTo } from './read-changed-names.js';

/** More than this is better read as a whole. */
const MAX_STEPS = 1_024;
const MAX_KEYS = 10_000;

interface StepRow {
  readonly serialBefore: number;
  readonly serialAfter: number;
  /** null: too many. */
  readonly names: readonly Buffer[] | null;
}

/**
 * The names, in canonical form, at which what is kept of a signed zone changed between two of its serials. Undefined if the
 * steps do not lead from one to the other without a gap, or too much changed.
 */
export async function readChangedKeys(
  trx: Database,
  domainId: string,
  fromSerial: number,
  toSerial: number,
): Promise<readonly Buffer[] | undefined> {
  const { rows } = await trx.raw<{ rows: StepRow[] }>(
    `select s.serial_before as "serialBefore", s.serial_after as "serialAfter", s.names
       from dns.signing_steps as s
      where s.domain_id = ?::uuid and s.serial_after > ?
      order by s.serial_after
      limit ?`,
    [domainId, fromSerial, MAX_STEPS + 1],
  );
  if (rows.length > MAX_STEPS || !leadsTo(rows, fromSerial, toSerial)) return undefined;
  const keys: Buffer[] = [];
  for (const { names } of rows) {
    if (names === null || keys.length + names.length > MAX_KEYS) return undefined;
    keys.push(...names);
  }
  return keys;
}
