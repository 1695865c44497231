import type { Database } from '@zonewright/database';
import type { RecordTypeName } from '@zonewright/dns-records';
import { asTimestamp, CHUNK_OCTETS, type Timestamp } from './statements.js';
import type { ZoneRecord } from './record.js';
import type { RecordFlags } from './record-flags.js';

export interface RecordRow {
  id: string;
  domain_id: string;
  name: string;
  type: RecordTypeName;
  data: string;
  rdata: Buffer;
  rdata_digest: Buffer;
  ttl: number | null;
  priority: number | null;
  description: string | null;
  flags: RecordFlags | null;
  version: number;
  created_at: Timestamp;
  updated_at: Timestamp | null;
}

export const RECORD_COLUMNS = `r.id, r.domain_id, r.name, r.type, r.data, r.rdata, r.rdata_digest, r.ttl, r.priority, r.description,
  r.flags, r.version, ${asTimestamp('r.created_at')} as created_at, ${asTimestamp('r.updated_at')} as updated_at`;

const STORED_COLUMNS =
  'domain_id, id, name, type, data, rdata, rdata_digest, ttl, priority, description, version, created_at, updated_at, flags';
/** Tables of served records and of disabled records. */
export const RECORD_TABLES = ['dns.records', 'dns.disabled_records'] as const;
/** SQL for both tables, to be used instead of dns.records. */
export const ALL_RECORDS = `(${RECORD_TABLES.map((table) => `select ${STORED_COLUMNS} from ${table}`).join(' union all ')})`;

export function fromRecordRow(row: RecordRow): ZoneRecord {
  return {
    id: row.id,
    zoneId: row.domain_id,
    name: row.name,
    type: row.type,
    data: row.data,
    rdata: row.rdata,
    digest: row.rdata_digest,
    ttl: row.ttl,
    priority: row.priority,
    description: row.description,
    flags: row.flags ?? undefined,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Finds a record, including disabled ones. */
export async function findRecord(
  db: Database,
  zoneId: string,
  id: string,
): Promise<ZoneRecord | undefined> {
  const { rows } = await db
    .raw<{ rows: RecordRow[] }>(
      `select ${RECORD_COLUMNS} from ${ALL_RECORDS} as r
        where r.id = ? and r.domain_id = ?`,
      [id, zoneId],
    )
    .options({ name: 'find-record' });
  return rows[0] && fromRecordRow(rows[0]);
}

/** Lists the records with these ids in no particular order, including disabled ones. */
export async function listRecordsById(
  db: Database,
  zoneId: string,
  ids: readonly string[],
): Promise<ZoneRecord[]> {
  const { rows } = await db.raw<{ rows: RecordRow[] }>(
    `select ${RECORD_COLUMNS} from ${ALL_RECORDS} as r
      where r.id = any(?::uuid[]) and r.domain_id = ?`,
    [[...ids], zoneId],
  );
  return rows.map(fromRecordRow);
}

/** Lists the records at these names with everything that changes need, oldest first. */
export async function listRecordsNamed(
  db: Database,
  zoneId: string,
  names: readonly string[],
): Promise<ZoneRecord[]> {
  const { rows } = await db
    .raw<{ rows: RecordRow[] }>(
      `select ${RECORD_COLUMNS} from dns.records as r
        where r.domain_id = ? and r.name = any(?::text[])
        order by r.created_at, r.id`,
      [zoneId, [...names]],
    )
    .options({ name: 'list-records-named' });
  return rows.map(fromRecordRow);
}

/** Lists all records of a zone by name, type and rdata. */
export async function listAllRecords(db: Database, zoneId: string): Promise<ZoneRecord[]> {
  const { rows } = await db.raw<{ rows: RecordRow[] }>(
    `select ${RECORD_COLUMNS} from dns.records as r where r.domain_id = ? order by r.name, r.type, r.rdata_digest`,
    [zoneId],
  );
  return rows.map(fromRecordRow);
}

/** Counts the recordsets of a zone before and after changes of served records. */
export async function countRecordsets(
  trx: Database,
  zoneId: string,
  changes: readonly {
    readonly before: Pick<ZoneRecord, 'id'> | undefined;
    readonly after: Pick<ZoneRecord, 'name' | 'type'> | undefined;
  }[],
): Promise<{ readonly before: number; readonly after: number }> {
  const come = changes.flatMap(({ after }) => after ?? []);
  const { rows } = await trx.raw<{ rows: { before: number; after: number }[] }>(
    `select (select count(*) from (select distinct r.name, r.type from dns.records as r
              where r.domain_id = :zoneId) as s)::integer as before,
            (select count(*) from (
               select r.name, r.type from dns.records as r
                where r.domain_id = :zoneId and not r.id = any(cast(:gone as uuid[]))
                union
               select c.name, c.type from unnest(cast(:names as text[]), cast(:types as text[])) as c (name, type)) as s
            )::integer as after`,
    {
      zoneId,
      gone: changes.flatMap(({ before }) => before?.id ?? []) as unknown as string,
      names: come.map(({ name }) => name) as unknown as string,
      types: come.map(({ type }) => type) as unknown as string,
    },
  );
  return rows[0] ?? { before: 0, after: 0 };
}

/**
 * Returns the data size of all records of a zone, including disabled ones. PostgreSQL knows it without reading the
 * data.
 */
export async function sumDataOctets(db: Database, zoneId: string): Promise<number> {
  const sums = RECORD_TABLES.map(
    (table) =>
      `(select coalesce(sum(octet_length(r.data)), 0) from ${table} as r where r.domain_id = :zoneId)`,
  );
  const { rows } = await db.raw<{ rows: { octets: string | number }[] }>(
    `select ${sums.join(' + ')} as octets`,
    { zoneId },
  );
  return Number(rows[0]?.octets ?? 0);
}

/** Properties of a record in a zone file. */
export type FileSource = Pick<ZoneRecord, 'name' | 'type' | 'data' | 'ttl' | 'priority' | 'digest'>;

/** Lists records of a zone by name, type and rdata, after `after`. The result has about CHUNK_OCTETS. */
export async function listForFile(
  db: Database,
  zoneId: string,
  after: FileSource | undefined,
): Promise<FileSource[]> {
  const { rows } = await db.raw<{ rows: FileSource[] }>(
    `select r.name, r.type, r.data, r.ttl, r.priority, r.rdata_digest as digest
       from (select l.*,
                    sum(octet_length(l.data)) over (order by l.name, l.type, l.rdata_digest rows unbounded preceding)
                      - octet_length(l.data) as preceding
               from (select r.* from dns.records as r
                      where r.domain_id = :zoneId
                        ${after === undefined ? '' : 'and (r.name, r.type, r.rdata_digest) > (:name, :type, :digest)'}
                      order by r.name, r.type, r.rdata_digest limit 1000) as l) as r
      where r.preceding < :octets
      order by r.name, r.type, r.rdata_digest`,
    { zoneId, ...after, octets: CHUNK_OCTETS } as Record<string, string | number | Buffer>,
  );
  return rows;
}

/** Members of a record that are needed by rules about several records. */
export type RecordKey = Pick<ZoneRecord, 'id' | 'name' | 'type' | 'digest' | 'ttl'> & {
  readonly rdata: { readonly length: number };
};

/** RecordKey in the form of a row. */
export type RecordKeyRow = Omit<RecordKey, 'rdata'> & { readonly octets: number };

export const RECORD_KEY_COLUMNS =
  'r.id, r.name, r.type, r.rdata_digest as digest, r.ttl, octet_length(r.rdata) as octets';

export function fromKeyRow<Row extends RecordKeyRow>({ octets, ...key }: Row) {
  return { ...key, rdata: { length: octets } };
}

/** Lists the records at these names. */
export async function listRecordKeys(
  db: Database,
  zoneId: string,
  names: readonly string[],
): Promise<RecordKey[]> {
  const { rows } = await db.raw<{ rows: RecordKeyRow[] }>(
    `select ${RECORD_KEY_COLUMNS} from dns.records as r
      where r.domain_id = ? and r.name = any(?::text[])`,
    [zoneId, [...names]],
  );
  return rows.map(fromKeyRow);
}

/** A name in a zone. */
export interface RecordOwner {
  readonly zoneId: string;
  readonly name: string;
}

/** Lists the records at these names of these zones, of all types or of one. */
export async function listRecordKeysAt(
  db: Database,
  places: readonly RecordOwner[],
  type?: string,
): Promise<(RecordKey & RecordOwner)[]> {
  const { rows } = await db.raw<{ rows: (RecordKeyRow & RecordOwner)[] }>(
    `select ${RECORD_KEY_COLUMNS}, r.domain_id as "zoneId"
       from (select distinct * from unnest(?::uuid[], ?::text[]) as p (domain_id, name)) as p
       join dns.records as r on r.domain_id = p.domain_id and r.name = p.name ${type === undefined ? '' : 'and r.type = ?'}`,
    [
      places.map(({ zoneId }) => zoneId),
      places.map(({ name }) => name),
      ...(type === undefined ? [] : [type]),
    ],
  );
  return rows.map(fromKeyRow);
}

/** Lists all disabled records of a zone by name, type and rdata. */
export async function listDisabled(db: Database, zoneId: string): Promise<ZoneRecord[]> {
  const { rows } = await db.raw<{ rows: RecordRow[] }>(
    `select ${RECORD_COLUMNS} from dns.disabled_records as r where r.domain_id = ? order by r.name, r.type, r.rdata_digest`,
    [zoneId],
  );
  return rows.map(fromRecordRow);
}
