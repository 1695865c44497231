import type { Database } from '../connection/connection.js';
import type { JournalEntry } from './journal-entry.js';

/** The maximum number of rows of a small change. Above it, reading the whole zone is faster. */
export const MAX_ROWS = 1_024;

/** SQL condition for a zone's entry `c`: it changes neither the TTL, which records inherit, nor all records at once. */
export const IS_OF_RECORDS = `(c.before -> 'ttl' is not distinct from c.after -> 'ttl' and c.after -> 'replaced' is null)`;

/** The part of a journal entry that shows where records changed. */
export interface JournalRow {
  readonly serialBefore: number | null;
  readonly serialAfter: number;
  readonly action: JournalEntry['action'];
  readonly nameBefore: string | null;
  readonly nameAfter: string | null;
  /** False if the entry changes more than the records it names. */
  readonly isOfRecords: boolean;
}

/**
 * Returns the names whose records changed between two serials of a zone. Undefined if the journal has a gap between
 * them, there are too many changes, or more than records changed (the zone's TTL, which records inherit). `toSerial`
 * is omitted if something else shows that no changeset is missing (readChangedKeys).
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

/** Returns the changed names from rows in order, which may contain one row more than MAX_ROWS. */
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

/**
 * Returns whether the rows lead from one serial to the other. All rows of a change have its serials, and the next
 * change begins where it ended.
 */
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

/** Returns the names whose records a row changed; a null stands for any other change. */
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

/** Above these limits, reading the whole zone is faster. */
const MAX_STEPS = 1_024;
const MAX_KEYS = 10_000;

interface StepRow {
  readonly serialBefore: number;
  readonly serialAfter: number;
  /** Null if there are too many. */
  readonly names: readonly Buffer[] | null;
}

/**
 * Returns the names, in canonical form, whose stored signing data changed between two serials of a zone. Undefined if
 * the changesets have a gap between them, or there are too many changes.
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
