import { type Database, queryReturning, readRows } from '@zonewright/database';
import { statementParts } from '../../rows/statements.js';
import type { RecordContent, ZoneRecord } from '../../rows/record.js';
import { fromRecordRow, RECORD_COLUMNS, type RecordRow } from '../../rows/record-store.js';

/** The temporary table of the records that a primary sent; it is dropped at the end of the transaction. */
const INCOMING = 'incoming_records';

export async function createIncoming(trx: Database): Promise<void> {
  await trx.raw(
    `create temporary table ${INCOMING} (name text collate "C", type text, data text, rdata bytea,
       rdata_digest bytea, ttl integer, priority integer) on commit drop`,
  );
}

export async function insertIncoming(
  trx: Database,
  records: Iterable<RecordContent>,
): Promise<void> {
  for (const { json } of statementParts(records, toRow)) {
    await trx.raw(
      `insert into ${INCOMING} (name, type, data, rdata, rdata_digest, ttl, priority)
       select i.name, i.type, i.data, decode(i.rdata, 'base64'), decode(i.digest, 'base64'), i.ttl, i.priority
         from jsonb_to_recordset(?::jsonb)
           as i (name text, type text, data text, rdata text, digest text, ttl integer, priority integer)`,
      [json],
    );
  }
}

function toRow({ name, type, data, rdata, digest, ttl, priority }: RecordContent) {
  const octets = { rdata: rdata.toString('base64'), digest: digest.toString('base64') };
  return { name, type, data, ttl, priority, ...octets };
}

/** Removes duplicates. @returns the number of records, and the bytes of their data */
export async function finishIncoming(
  trx: Database,
): Promise<{ readonly count: number; readonly dataOctets: number }> {
  await trx.raw(
    `delete from ${INCOMING} as i using (
       select min(o.ctid) as first, o.name, o.type, o.rdata_digest from ${INCOMING} as o
        group by o.name, o.type, o.rdata_digest having count(*) > 1) as o
      where i.name = o.name and i.type = o.type and i.rdata_digest = o.rdata_digest and i.ctid <> o.first`,
  );
  await trx.raw(`analyze ${INCOMING}`);
  const { count, octets } = await queryReturning<{ count: number; octets: string | number }>(
    trx,
    `select count(*) as count, coalesce(sum(octet_length(i.data)), 0) as octets from ${INCOMING} as i`,
  );
  return { count, dataOctets: Number(octets) };
}

const SAME = 'i.name = r.name and i.type = r.type and i.rdata_digest = r.rdata_digest';
const DIFFERS = '(i.ttl is distinct from r.ttl or i.data <> r.data)';
const GONE = `from dns.records as r where r.domain_id = :zoneId
  and not exists (select from ${INCOMING} as i where ${SAME})`;
const COME = `from ${INCOMING} as i where not exists
  (select from dns.records as r where r.domain_id = :zoneId and ${SAME})`;
const CHANGED = `from dns.records as r join ${INCOMING} as i on ${SAME} where r.domain_id = :zoneId and ${DIFFERS}`;

/** The properties of a record that a transfer contains. */
export type IncomingRecord = Pick<
  RecordContent,
  'name' | 'type' | 'data' | 'rdata' | 'digest' | 'ttl' | 'priority'
>;
/** Returns the changes that the transfer would make, at most `limit` of each kind. */
export async function findIncomingChanges(trx: Database, zoneId: string, limit: number) {
  const bindings = { zoneId, limit };
  const select = `i.name, i.type, i.data, i.rdata, i.rdata_digest as digest, i.ttl, i.priority`;
  const gone = await trx.raw<{ rows: RecordRow[] }>(
    `select ${RECORD_COLUMNS} ${GONE} limit :limit`,
    bindings,
  );
  const come = await trx.raw<{ rows: IncomingRecord[] }>(
    `select ${select} ${COME} limit :limit`,
    bindings,
  );
  const changed = await trx.raw<{
    rows: (RecordRow & { new_ttl: number; new_data: string; new_rdata: Buffer })[];
  }>(
    `select ${RECORD_COLUMNS}, i.ttl as new_ttl, i.data as new_data, i.rdata as new_rdata ${CHANGED} limit :limit`,
    bindings,
  );
  return {
    gone: gone.rows.map(fromRecordRow),
    come: come.rows,
    changed: changed.rows.map((row) => ({
      before: fromRecordRow(row),
      ttl: row.new_ttl,
      data: row.new_data,
      rdata: row.new_rdata,
    })),
  };
}

/** The number of table pages that are read at once; they contain about ten thousand rows. */
const PAGES_AT_ONCE = 256;
interface ChangedRow {
  readonly id: string;
  readonly ttl: number | null;
  readonly data: string;
  readonly rdata: Buffer;
}

async function countPagesOfIncoming(trx: Database): Promise<number> {
  const { pages } = await queryReturning<{ pages: number }>(
    trx,
    `select cast(pg_relation_size('${INCOMING}') / cast(current_setting('block_size') as integer) as integer) as pages`,
  );
  return pages;
}

/**
 * Makes the zone's records equal to the incoming ones. It reads the existing records once, not in parts, because
 * PostgreSQL's statistics may describe an earlier state of the zone.
 */
export async function applyIncoming(trx: Database, zoneId: string): Promise<void> {
  for await (const rows of readRows<{ id: string }>(trx, `select r.id ${GONE}`, { zoneId })) {
    const ids = rows.map(({ id }) => id);
    await trx.raw('delete from dns.records as r where r.id = any(?::uuid[])', [ids]);
  }
  const changed = `select r.id, i.ttl, i.data, i.rdata ${CHANGED}`;
  for await (const rows of readRows<ChangedRow>(trx, changed, { zoneId })) {
    await trx.raw(
      `update dns.records as r set ttl = i.ttl, data = i.data, rdata = i.rdata, version = r.version + 1,
              updated_at = clock_timestamp()
         from unnest(?::uuid[], ?::integer[], ?::text[], ?::bytea[]) as i (id, ttl, data, rdata) where r.id = i.id`,
      [
        rows.map(({ id }) => id),
        rows.map(({ ttl }) => ttl),
        rows.map(({ data }) => data),
        rows.map(({ rdata }) => rdata),
      ] as unknown as string[],
    );
  }
  const pages = await countPagesOfIncoming(trx);
  for (let at = 0; at < pages; at += PAGES_AT_ONCE) {
    await trx.raw(
      `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest, ttl, priority, created_at)
       select :zoneId, i.name, i.type, i.data, i.rdata, i.rdata_digest, i.ttl, i.priority, clock_timestamp()
         from ${INCOMING} as i where i.ctid >= cast(:first as tid) and i.ctid < cast(:end as tid)
           on conflict (domain_id, name, type, rdata_digest) do nothing`,
      { zoneId, first: `(${at},0)`, end: `(${at + PAGES_AT_ONCE},0)` },
    );
  }
}

/**
 * Types that only a primary writes; in a primary zone the service or the signer provides their records. A ZONEMD record
 * (63) is a digest of the zone before the change.
 */
export const TYPES_OF_PRIMARY: readonly string[] = [
  'SOA',
  'RRSIG',
  'NSEC',
  'NSEC3',
  'NSEC3PARAM',
  'DNSKEY',
  'CDS',
  'CDNSKEY',
  'TYPE63',
];
const OF_PRIMARY = `from dns.records as r
  where r.domain_id = :id and (r.type in (${TYPES_OF_PRIMARY.map((type) => `'${type}'`).join(', ')}) or (r.name = :name and r.type = 'NS'))`;
interface NamedZone {
  readonly id: string;
  readonly name: string;
}

/** Lists the records that are removed when a zone no longer has primaries, at most `limit`. */
export async function listRecordsOfPrimary(
  trx: Database,
  { id, name }: NamedZone,
  limit: number,
): Promise<ZoneRecord[]> {
  const { rows } = await trx.raw<{ rows: RecordRow[] }>(
    `select ${RECORD_COLUMNS} ${OF_PRIMARY} limit :limit`,
    { id, name, limit },
  );
  return rows.map(fromRecordRow);
}

export async function deleteRecordsOfPrimary(
  trx: Database,
  { id, name }: NamedZone,
): Promise<void> {
  await trx.raw(`delete ${OF_PRIMARY}`, { id, name });
}
