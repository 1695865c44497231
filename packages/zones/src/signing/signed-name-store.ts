import { type Database, queryRows } from '@zonewright/database';
import {
  type CanonicalKey,
  type ChainName,
  type ChainPlace,
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

interface PlaceRow {
  readonly key: Buffer;
  readonly records: Buffer | null;
  readonly beforeKey: Buffer | null;
  readonly beforeRecords: Buffer | null;
  readonly afterKey: Buffer | null;
}

/**
 * Where names are, or would be, in the chain: each neighbour is one descent of the index. What is kept for the one before is not
 * read where the place before has it, or is it: names are asked for in their order by who asks for many.
 */
export async function listPlaces(
  db: Database,
  zoneId: string,
  keys: readonly CanonicalKey[],
): Promise<ChainPlace[]> {
  const places: ChainPlace[] = [];
  for (const part of partsOf(keys)) {
    const { rows } = await db
      .raw<{ rows: PlaceRow[] }>(
        `select k.key, s.records, b.canonical as "beforeKey", a.canonical as "afterKey",
                case when lag(b.canonical) over (order by k.at) is distinct from b.canonical
                      and lag(k.key) over (order by k.at) is distinct from b.canonical then b.records end as "beforeRecords"
           from unnest(cast(:keys as bytea[])) with ordinality as k (key, at)
           left join dns.signed_names as s on s.domain_id = cast(:zoneId as uuid) and s.canonical = k.key
           left join lateral (select n.canonical, n.records from dns.signed_names as n
                               where n.domain_id = cast(:zoneId as uuid) and n.canonical < k.key
                               order by n.canonical desc limit 1) as b on true
           left join lateral (select n.canonical from dns.signed_names as n
                               where n.domain_id = cast(:zoneId as uuid) and n.canonical > k.key
                               order by n.canonical limit 1) as a on true
          order by k.at`,
        { zoneId, keys: part.map(toOctets) as unknown as string },
      )
      .options({ name: 'list-places-of-signed-names' });
    let last: ChainPlace | undefined;
    for (const row of rows) {
      last = toPlace(row, last);
      places.push(last);
    }
  }
  return places;
}

function toPlace(row: PlaceRow, last: ChainPlace | undefined): ChainPlace {
  return {
    key: toKey(row.key),
    records: row.records === null ? undefined : signedRecordsFromOctets(row.records),
    before: row.beforeKey === null ? undefined : toBefore(toKey(row.beforeKey), row, last),
    after: row.afterKey === null ? undefined : toKey(row.afterKey),
  };
}

function toBefore(
  key: CanonicalKey,
  { beforeRecords }: PlaceRow,
  last: ChainPlace | undefined,
): ChainName {
  if (beforeRecords !== null) return { key, records: signedRecordsFromOctets(beforeRecords) };
  return last?.before?.key === key ? last.before : { key, records: last?.records ?? [] };
}

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

export async function writeSignedNames(
  trx: Database,
  zoneId: string,
  names: readonly SignedName[],
): Promise<number> {
  let octets = 0;
  for (const part of partsOf(names)) {
    const records = part.map((name) => Buffer.from(signedRecordsToOctets(name.records)));
    octets += records.reduce((sum, { length }) => sum + length, 0);
    await trx
      .raw(
        `insert into dns.signed_names as n (domain_id, canonical, records, resign_at)
         select cast(:zoneId as uuid), w.canonical, w.records, w.resign_at
           from unnest(cast(:keys as bytea[]), cast(:records as bytea[]), cast(:resignAt as timestamptz[]))
                as w (canonical, records, resign_at)
             on conflict (domain_id, canonical) do update set records = excluded.records, resign_at = excluded.resign_at`,
        {
          zoneId,
          keys: part.map(({ key }) => toOctets(key)) as unknown as string,
          records: records as unknown as string,
          resignAt: part.map((name) => resignAt(name.records)) as unknown as string,
        },
      )
      .options({ name: 'write-signed-names' });
  }
  return octets;
}

export async function deleteSignedNames(
  trx: Database,
  zoneId: string,
  keys: readonly CanonicalKey[],
): Promise<void> {
  for (const part of partsOf(keys)) {
    await trx.raw(
      'delete from dns.signed_names as n where n.domain_id = ? and n.canonical = any(cast(? as bytea[]))',
      [zoneId, part.map(toOctets) as unknown as string],
    );
  }
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
