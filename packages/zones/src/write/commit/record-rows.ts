import type { RECORD_TABLES } from '../../rows/record-store.js';
import { runParts, statementParts } from '../../rows/statements.js';
import { isServed, type ZoneRecord } from '../../rows/record.js';
import type { Database } from '@zonewright/database';

/** SQL that returns a row for each record of recordParts. */
const rowsOf = (json: string) => `
         from jsonb_to_recordset(cast(${json} as jsonb))
           as i (id uuid, "zoneId" uuid, name text, type text, data text, rdata text, digest text, ttl integer,
                 priority integer, description text, version integer, "createdAt" timestamp, "updatedAt" timestamp, flags jsonb)`;
/** SQL that inserts records given as JSON (recordParts), with their times. */
export const insertRecordsOf = (
  json: string,
  table: (typeof RECORD_TABLES)[number] = 'dns.records',
) => `
       insert into ${table}
              (id, domain_id, name, type, data, rdata, rdata_digest, ttl, priority, description,
               version, created_at, updated_at, flags)
       select i.id, i."zoneId", i.name, i.type, i.data, decode(i.rdata, 'base64'), decode(i.digest, 'base64'), i.ttl,
              i.priority, i.description, i.version, i."createdAt" at time zone 'UTC', i."updatedAt" at time zone 'UTC',
              i.flags${rowsOf(json)}`;
/** Yields the records as JSON, in parts of a size that one statement can insert. */
export function recordParts(records: readonly ZoneRecord[]): Generator<{ readonly json: string }> {
  return statementParts(records, toRow);
}

/** The members are listed, because copies of records take most of the time of a large import. */
function toRow(record: ZoneRecord) {
  return {
    id: record.id,
    zoneId: record.zoneId,
    name: record.name,
    type: record.type,
    data: record.data,
    rdata: record.rdata.toString('base64'),
    digest: record.digest.toString('base64'),
    ttl: record.ttl,
    priority: record.priority,
    description: record.description,
    flags: record.flags,
    version: record.version,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}

/** Rows to delete, and rows to insert. */
export interface RowChanges {
  readonly gone: readonly ZoneRecord[];
  readonly come: readonly ZoneRecord[];
}

/** Inserts records unchanged, with their times. */
export async function insertRecords(trx: Database, records: readonly ZoneRecord[]): Promise<void> {
  await runParts(recordParts(records), async ({ json }) => {
    await trx.raw(insertRecordsOf('?'), [json]).options({ name: 'insert-records' });
  });
}

export function hasFlags(records: readonly ZoneRecord[]): boolean {
  return records.some(({ flags }) => flags !== undefined);
}

/** Deletes and inserts rows of disabled records. */
export async function writeDisabledRecords(
  trx: Database,
  zoneId: string,
  { gone, come }: RowChanges,
): Promise<void> {
  const ids = gone.filter((record) => !isServed(record)).map(({ id }) => id);
  if (ids.length > 0) {
    await trx.raw(
      'delete from dns.disabled_records as r where r.id = any(?::uuid[]) and r.domain_id = ?',
      [ids, zoneId],
    );
  }
  for (const { json } of recordParts(come.filter((record) => !isServed(record)))) {
    await trx.raw(insertRecordsOf('?', 'dns.disabled_records'), [json]);
  }
}

export async function deleteRecords(
  trx: Database,
  zoneId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .raw('delete from dns.records as r where r.id = any(?::uuid[]) and r.domain_id = ?', [
      [...ids],
      zoneId,
    ])
    .options({ name: 'delete-records' });
}

/** Size of a record with its indexes and without its data, in bytes. */
const RECORD_OCTETS = 400;

/** Estimates how many bytes the database writes for the records. */
export function octetsOf(records: readonly ZoneRecord[]): number {
  return records.reduce(
    (sum, { data, rdata }) => sum + RECORD_OCTETS + Buffer.byteLength(data) + rdata.length,
    0,
  );
}
