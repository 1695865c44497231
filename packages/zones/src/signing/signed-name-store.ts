import { type Database, queryRows, readRows } from '@zonewright/database';
import {
  type CanonicalKey,
  endOfSubtree,
  rrsigFromWire,
  type SignedRecord,
  signedRecordsToOctets,
} from '@zonewright/dns-records/dnssec';
import { RR_TYPE } from '@zonewright/dns-records';
import { NamedStatement } from '../rows/statements.js';

/** Signed data stored for a name of a signed zone. */
export interface SignedName {
  readonly key: CanonicalKey;
  readonly records: readonly SignedRecord[];
}

const ROWS_AT_ONCE = 1_000;
/**
 * Remaining validity at which signatures are renewed, in seconds. Nameservers can answer that long without the
 * database.
 */
export const RENEWED_BEFORE_END_SECONDS = 14 * 86_400;

/** Lists the names in the chain below a name, without that name. */
export async function listKeysBelow(
  db: Database,
  zoneId: string,
  key: CanonicalKey,
  limit: number,
): Promise<CanonicalKey[]> {
  const rows = await queryRows<{ key: Buffer }>(
    db,
    `select n.canonical as key from dns.signed_names as n
      where n.domain_id = ? and n.canonical > ? and n.canonical < ? order by n.canonical limit ?`,
    [zoneId, toOctets(key), toOctets(endOfSubtree(key)), limit],
  );
  return rows.map((row) => toKey(row.key));
}

/** Lists all keys in the chain, or those after a given one. */
export async function listKeysAfter(
  db: Database,
  zoneId: string,
  after: CanonicalKey | undefined,
  limit: number,
): Promise<CanonicalKey[]> {
  const rows = await queryRows<{ key: Buffer }>(
    db,
    `select n.canonical as key from dns.signed_names as n
      where n.domain_id = ? ${after === undefined ? '' : 'and n.canonical > ?'} order by n.canonical limit ?`,
    after === undefined ? [zoneId, limit] : [zoneId, toOctets(after), limit],
  );
  return rows.map((row) => toKey(row.key));
}

/** Whether a signed zone has more names than the given number. */
export async function hasMoreNames(db: Database, zoneId: string, names: number): Promise<boolean> {
  const rows = await queryRows(
    db,
    'select 1 as more from dns.signed_names as n where n.domain_id = ? offset ? limit 1',
    [zoneId, names],
  );
  return rows.length > 0;
}

/** Lists the names whose signatures must be renewed by a time. */
export async function listKeysDue(
  db: Database,
  zoneId: string,
  by: Date,
  limit: number,
): Promise<CanonicalKey[]> {
  const rows = await queryRows<{ key: Buffer }>(
    db,
    `select n.canonical as key from dns.signed_names as n
      where n.domain_id = ? and n.resign_at <= ? order by n.resign_at limit ?`,
    [zoneId, by, limit],
  );
  return rows.map((row) => toKey(row.key));
}

/** Returns the time of the next renewal of a zone's signatures. */
export async function findNextRenewal(db: Database, zoneId: string): Promise<Date | undefined> {
  const [row] = await queryRows<{ at: Date | null }>(
    db,
    'select min(n.resign_at) as at from dns.signed_names as n where n.domain_id = ?',
    [zoneId],
  );
  return row?.at ?? undefined;
}

/** Changes of the rows of a signed zone. */
interface SignedRows {
  readonly zoneId: string;
  readonly rows: readonly SignedName[];
  readonly removals: readonly CanonicalKey[];
}

/** Change of a zone's serial. */
interface SerialStep {
  readonly serialBefore: number;
  readonly serialAfter: number;
}

/** Returns SQL that writes rows and replaces rows with the same names. */
const writeSql = (zone: string, from: string) => `
  insert into dns.signed_names as n (domain_id, canonical, records, resign_at)
  select ${zone}, w.canonical, w.records, w.resign_at ${from}
      on conflict (domain_id, canonical) do update set records = excluded.records, resign_at = excluded.resign_at`;
const STEP_COLUMNS = 'domain_id, serial_before, serial_after, names';
const REMOVE = `
  delete from dns.signed_names as n
   where n.domain_id = :zoneId and n.canonical = any(cast(:removals as bytea[]))`;
const VALUES =
  'cast(:signedKeys as bytea[]), cast(:signedRecords as bytea[]), cast(:resignAt as timestamptz[])';
const WRITE = writeSql(
  'cast(:zoneId as uuid)',
  `from unnest(${VALUES}) as w (canonical, records, resign_at)`,
);
const WRITE_ROWS = new NamedStatement('write-signed-names', `with removed as (${REMOVE}) ${WRITE}`);
const WRITE_STEP = new NamedStatement(
  'write-signed-step',
  `with removed as (${REMOVE}), written as (${WRITE}),
        step as (insert into dns.signing_steps (${STEP_COLUMNS})
                 values (cast(:zoneId as uuid), cast(:serialBefore as bigint), cast(:serialAfter as bigint), cast(:stepNames as bytea[])))
   update dns.zone_dnssec as z set signed_serial = :serialAfter where z.domain_id = cast(:zoneId as uuid)`,
);

/**
 * Parts of a statement that write changes of some zones. `asked` has their rows, and `zone` the ids of those that may be
 * written. The rows to remove are found through the index, even if PostgreSQL considers the table small.
 */
export const SIGNED_CHANGES = `
       removed as (
         delete from dns.signed_names as n
          where n.ctid = any(array(
            select s.ctid from unnest(cast(:removedFrom as uuid[]), cast(:removals as bytea[])) as w (zone_id, canonical)
             cross join lateral (select s.ctid from dns.signed_names as s
                                  where s.domain_id = w.zone_id and s.canonical = w.canonical offset 0) as s
             where w.zone_id in (select zone.id from zone)))),
       written as (${writeSql(
         'w.zone_id',
         `from unnest(cast(:writtenTo as uuid[]), ${VALUES}) as w (zone_id, canonical, records, resign_at)
         where w.zone_id in (select zone.id from zone)`,
       )}),
       signing as (
         insert into dns.signing_steps (${STEP_COLUMNS})
         select a.id, a."serialBefore", a.serial, cast(a."stepNames" as bytea[])
           from asked as a where a.id in (select zone.id from zone)),
       signed as (
         update dns.zone_dnssec as z set signed_serial = a.serial from asked as a
          where z.domain_id = any(cast(:ids as uuid[])) and a.id = z.domain_id
            and coalesce(z.xmin = cast(a."signingVersion" as xid), true) and a.id in (select zone.id from zone)
         returning z.domain_id)`;

/** The signed part of a zone's change. */
export interface SignedValues extends ReturnType<typeof rowValues> {
  /** Names of the step, as text of a `bytea[]`. */
  readonly stepNames: string;
  /** Approximate number of bytes that the database writes. */
  readonly octets: number;
}

/** Returns undefined if the change is too large for one statement. */
export function signedValues({
  rows,
  removals,
}: Omit<SignedRows, 'zoneId'>): SignedValues | undefined {
  if (rows.length + removals.length > ROWS_AT_ONCE) return undefined;
  const values = rowValues(rows, removals);
  const names = [...values.signedKeys, ...values.removals];
  const stepNames = `{${names.map((name) => `"\\\\x${name.toString('hex')}"`).join()}}`;
  return { ...values, stepNames, octets: octetsOf(values) };
}

/** Returns the values of SIGNED_CHANGES, except those in `asked`. */
export function signedChangeValues(
  all: readonly { readonly zoneId: string; readonly signed: SignedValues }[],
) {
  const zonesOf = (count: (signed: SignedValues) => number) =>
    all.flatMap(({ zoneId, signed }) => Array.from({ length: count(signed) }, () => zoneId));
  return {
    removedFrom: zonesOf(({ removals }) => removals.length),
    removals: all.flatMap(({ signed }) => signed.removals),
    writtenTo: zonesOf(({ signedKeys }) => signedKeys.length),
    signedKeys: all.flatMap(({ signed }) => signed.signedKeys),
    signedRecords: all.flatMap(({ signed }) => signed.signedRecords),
    resignAt: all.flatMap(({ signed }) => signed.resignAt),
  };
}

function rowValues(rows: readonly SignedName[], removals: readonly CanonicalKey[]) {
  return {
    removals: removals.map(toOctets),
    signedKeys: rows.map(({ key }) => toOctets(key)),
    signedRecords: rows.map(({ records }) => Buffer.from(signedRecordsToOctets(records))),
    resignAt: rows.map(({ records }) => resignAt(records)),
  };
}

/** Maximum number of rows in a small change. For larger ones, nameservers read the whole zone. */
const MAX_NAMES_OF_STEP = 1_024;

function stepNames(rows: readonly SignedName[], removals: readonly CanonicalKey[]) {
  const keys = [...rows.map(({ key }) => key), ...removals];
  return keys.length > MAX_NAMES_OF_STEP ? null : keys.map(toOctets);
}

/**
 * Writes rows of a signed zone. With `step`, the content of its serial is signed from now on.
 *
 * @returns the approximate number of bytes that the database writes
 */
export async function writeSignedNames(
  trx: Database,
  { zoneId, rows, removals }: SignedRows,
  step?: SerialStep,
): Promise<number> {
  let octets = 0;
  const parts = [...partsOf(rows)];
  if (parts.length === 0) parts.push([]);
  for (const [at, part] of parts.entries()) {
    const values = { zoneId, ...rowValues(part, at === 0 ? removals : []) };
    octets += octetsOf(values);
    if (step === undefined || at < parts.length - 1) await WRITE_ROWS.run(trx, values);
    else {
      await WRITE_STEP.run(trx, { ...values, ...step, stepNames: stepNames(rows, removals) });
    }
  }
  return octets;
}

/** Returns the number of bytes that the database writes for rows. */
function octetsOf({ signedRecords }: ReturnType<typeof rowValues>): number {
  return signedRecords.reduce((sum, { length }) => sum + length, 0);
}

/**
 * Yields the keys of a zone, some at a time, in a transaction. It uses a cursor, because a statement may take only
 * some seconds and a zone may have a million keys, and each further statement would pass the deleted ones again.
 */
async function* readAllKeys(trx: Database, zoneId: string): AsyncGenerator<Buffer[], void> {
  const sql = 'select n.canonical as key from dns.signed_names as n where n.domain_id = ?';
  for await (const rows of readRows<{ key: Buffer }>(trx, sql, [zoneId])) {
    yield rows.map(({ key }) => key);
  }
}

export async function clearSignedNames(trx: Database, zoneId: string): Promise<void> {
  for await (const keys of readAllKeys(trx, zoneId)) {
    await trx.raw(
      'delete from dns.signed_names as n where n.domain_id = ? and n.canonical = any(?::bytea[])',
      [zoneId, keys],
    );
  }
}

function resignAt(records: readonly SignedRecord[]): Date {
  const ends = records
    .filter(({ type }) => type === RR_TYPE.RRSIG)
    .map(({ rdata }) => rrsigFromWire(rdata).expiration);
  const end = ends.reduce((least, each) => Math.min(least, each));
  return new Date((end - RENEWED_BEFORE_END_SECONDS) * 1_000);
}

function toOctets(key: CanonicalKey): Buffer {
  return Buffer.from(key, 'latin1');
}

function toKey(octets: Buffer): CanonicalKey {
  return octets.toString('latin1');
}

function* partsOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += ROWS_AT_ONCE) yield items.slice(at, at + ROWS_AT_ONCE);
}
