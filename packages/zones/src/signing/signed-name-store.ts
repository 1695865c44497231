import { type Database, queryRows, runPrepared } from '@zonewright/database';
import {
  type CanonicalKey,
  endOfSubtree,
  rrsigFromWire,
  type SignedRecord,
  signedRecordsFromOctets,
  signedRecordsToOctets,
} from '@zonewright/dns-records/dnssec';
import { RR_TYPE } from '@zonewright/dns-records';

/** What is kept for a name of a signed zone. */
export interface SignedName {
  readonly key: CanonicalKey;
  readonly records: readonly SignedRecord[];
}

const ROWS_AT_ONCE = 1_000;
/** Signatures are renewed when they have so long left: nameservers go on for that long without the database. */
export const RENEWED_BEFORE_END_SECONDS = 14 * 86_400;

/** The names of the chain below one, itself not among them. */
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

/** Names of the chain behind one, with what is kept for them. */
export async function listNamesAfter(
  db: Database,
  zoneId: string,
  after: CanonicalKey | undefined,
  limit: number,
): Promise<SignedName[]> {
  const rows = await queryRows<{ key: Buffer; records: Buffer }>(
    db,
    `select n.canonical as key, n.records from dns.signed_names as n
      where n.domain_id = ? ${after === undefined ? '' : 'and n.canonical > ?'} order by n.canonical limit ?`,
    after === undefined ? [zoneId, limit] : [zoneId, toOctets(after), limit],
  );
  return rows.map(({ key, records }) => ({
    key: toKey(key),
    records: signedRecordsFromOctets(records),
  }));
}

/** All keys of the chain, or those behind one. */
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

/** Those whose signatures are to be renewed by then. */
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

/** When signatures of a zone are to be renewed next. */
export async function findNextRenewal(db: Database, zoneId: string): Promise<Date | undefined> {
  const [row] = await queryRows<{ at: Date | null }>(
    db,
    'select min(n.resign_at) as at from dns.signed_names as n where n.domain_id = ?',
    [zoneId],
  );
  return row?.at ?? undefined;
}

/** What changes of the rows of a signed zone. */
interface SignedRows {
  readonly zoneId: string;
  readonly rows: readonly SignedName[];
  readonly removals: readonly CanonicalKey[];
}

/** A step of the serial of a zone. */
interface SerialStep {
  readonly serialBefore: number;
  readonly serialAfter: number;
}

const REMOVE = `
  delete from dns.signed_names as n where n.domain_id = $1 and n.canonical = any(cast($2 as bytea[]))`;
const WRITE = `
  insert into dns.signed_names as n (domain_id, canonical, records, resign_at)
  select cast($1 as uuid), w.canonical, w.records, w.resign_at
    from unnest(cast($3 as bytea[]), cast($4 as bytea[]), cast($5 as timestamptz[])) as w (canonical, records, resign_at)
      on conflict (domain_id, canonical) do update set records = excluded.records, resign_at = excluded.resign_at`;
const STEP = `
  insert into dns.signing_steps (domain_id, serial_before, serial_after, names) values ($1, $6, $7, cast($8 as bytea[]))`;
const WRITE_ROWS = { name: 'write-signed-names', text: `with removed as (${REMOVE}) ${WRITE}` };
const WRITE_STEP = {
  name: 'write-signed-step',
  text: `with removed as (${REMOVE}), written as (${WRITE}), step as (${STEP})
    update dns.zone_dnssec as z set signed_serial = $7 where z.domain_id = $1`,
};

/** More rows than this are no small change: whoever follows reads the zone as a whole. */
const MAX_NAMES_OF_STEP = 1_024;

/**
 * Writes rows of a signed zone. With `step`, the content of its serial is signed from now on.
 *
 * @returns about how many octets that makes the database write
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
    const records = part.map((name) => Buffer.from(signedRecordsToOctets(name.records)));
    octets += records.reduce((sum, { length }) => sum + length, 0);
    const values = [
      zoneId,
      at === 0 ? removals.map(toOctets) : [],
      part.map(({ key }) => toOctets(key)),
      records,
      part.map((name) => resignAt(name.records)),
    ];
    if (step === undefined || at < parts.length - 1) {
      await runPrepared(trx, WRITE_ROWS, values);
      continue;
    }
    const keys = [...rows.map(({ key }) => key), ...removals];
    const names = keys.length > MAX_NAMES_OF_STEP ? null : keys.map(toOctets);
    await runPrepared(trx, WRITE_STEP, [...values, step.serialBefore, step.serialAfter, names]);
  }
  return octets;
}

/** Of a zone, all. */
export async function clearSignedNames(trx: Database, zoneId: string): Promise<void> {
  await trx.raw('delete from dns.signed_names as n where n.domain_id = ?', [zoneId]);
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
