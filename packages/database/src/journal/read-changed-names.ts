import type { Database } from '../connection/connection.js';
import type { JournalEntry } from './journal-entry.js';

/** Row limit of a small change. Above it, reading the whole zone is faster. */
export const MAX_ROWS = 1_024;

/** Whether a zone's entry `c` leaves alone the TTL, which records inherit, and replaces nothing. */
export const IS_OF_RECORDS = `(c.before -> 'ttl' is not distinct from c.after -> 'ttl' and c.after -> 'replaced' is null)`;

/** Part of a journal entry that shows where records changed. */
export interface JournalRow {
  readonly serialBefore: number | null;
  readonly serialAfter: number;
  readonly action: JournalEntry['action'];
  readonly nameBefore: string | null;
  readonly nameAfter: string | null;
  /** False if the entry changes more than the records that it names. */
  readonly isOfRecords: boolean;
}

/**
 * The names at which a zone's records changed between two of its serials. Undefined if the journal does not lead from one
 * to the other without a gap, or more changed than records (the zone's TTL, which others inherit), or too much. `toSerial`
 * is left out where something else shows that no step is missing (readChangedKeys).
 */
export async function readChangedNames(
  trx: Database,
  domainId: string,
  fromSerial: number,
  toSerial: number | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const { rows } = await trx.raw<{ rows: JournalRow[] }>(
    `select c.serial_before as "serialBefore", c.serial_after as "serialAfter", c.action,
            c.before ->> 'name' as "nameBefore", c.after ->> 'name' as "nameAfter",
            ${IS_OF_RECORDS} as "isOfRecords"
       from dns.zone_changes as c
      where c.domain_id = ?::uuid and c.serial_after > ?
      order by c.serial_after, c.id
      limit ?`,
    [domainId, fromSerial, MAX_ROWS + 1],
  );
  return changedNamesOf(rows, fromSerial, toSerial);
}

/** The same of rows in their order, of which there may be one more than MAX_ROWS. */
export function changedNamesOf(
  rows: readonly JournalRow[],
  fromSerial: number,
  toSerial: number | undefined,
): ReadonlySet<string> | undefined {
  if (rows.length > MAX_ROWS) return undefined;
  if (toSerial !== undefined && !leadsTo(rows, fromSerial, toSerial)) return undefined;
  const names = new Set<string>();
  for (const row of rows) {
    if (!namesOf(row).every((name) => name !== null)) return undefined;
    for (const name of namesOf(row)) if (name !== null) names.add(name);
  }
  return names;
}

/** A change may have several rows, all with its serials; the next one begins where it ended. */
function leadsTo(
  rows: readonly Pick<JournalRow, 'serialBefore' | 'serialAfter'>[],
  fromSerial: number,
  toSerial: number,
): boolean {
  let before = fromSerial;
  let after = fromSerial;
  for (const { serialBefore, serialAfter } of rows) {
    if (serialBefore === before && serialAfter === after) continue;
    if (serialBefore !== after) return false;
    before = serialBefore;
    after = serialAfter;
  }
  return after === toSerial;
}

/** Names whose records a row says to have changed; null: it changed something else. */
function namesOf({ action, nameBefore, nameAfter, isOfRecords }: JournalRow): (string | null)[] {
  switch (action) {
    case 'record-create':
      return [nameAfter];
    case 'record-update':
      return [nameBefore, nameAfter];
    case 'record-delete':
      return [nameBefore];
    case 'domain-update':
      return isOfRecords ? [] : [null];
    case 'domain-create':
    case 'domain-delete':
    case 'domain-undelete':
      return [null];
  }
}

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
