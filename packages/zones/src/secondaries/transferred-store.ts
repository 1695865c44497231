import {
  type Database,
  type JournalEntry,
  queryReturning,
  queryRow,
  queryRows,
} from '@zonewright/database';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { toZoneImage } from '../rows/images.js';
import { fromRecordRow, RECORD_COLUMNS, type RecordRow } from '../rows/record-store.js';
import type { RecordContent, ZoneRecord } from '../rows/record.js';
import { statementParts } from '../rows/statements.js';
import type { LockedZone, Zone } from '../rows/zone.js';
import { toJournalEntry } from '../write/commit/journal-store.js';
import { commitZone } from '../write/commit/zone-step.js';

export async function countRecordsOf(trx: Database, zoneId: string): Promise<number> {
  const { count } = await queryReturning<{ count: number }>(
    trx,
    'select count(*) as count from dns.records as r where r.domain_id = ?',
    [zoneId],
  );
  return count;
}

/** Lists rows of a zone by content. */
export async function listRecordsLike(
  trx: Database,
  zoneId: string,
  keys: readonly Pick<RecordContent, 'name' | 'type' | 'digest'>[],
): Promise<ZoneRecord[]> {
  const found: ZoneRecord[] = [];
  const toKey = ({ name, type, digest }: Pick<RecordContent, 'name' | 'type' | 'digest'>) => ({
    name,
    type,
    digest: digest.toString('base64'),
  });
  for (const { json } of statementParts(keys, toKey)) {
    const rows = await queryRows<RecordRow>(
      trx,
      `select ${RECORD_COLUMNS} from jsonb_to_recordset(?::jsonb) as k (name text, type text, digest text)
         join dns.records as r on r.domain_id = ? and r.name = k.name and r.type = k.type
              and r.rdata_digest = decode(k.digest, 'base64')`,
      [json, zoneId],
    );
    found.push(...rows.map(fromRecordRow));
  }
  return found;
}

/** KEY, SIG and NXT, as their numbers are stored. They are allowed beside a CNAME (RFC 2535 s2.3.5). */
const KEY_TYPES = `'TYPE25', 'TYPE24', 'TYPE30'`;

/**
 * Finds a name with contradicting records (RFC 1034 s3.6.2, RFC 4034 s2.5, RFC 6672 s2.4), among some names or all.
 * Undefined if there is none. `isAlias`: the reason is a CNAME, not several DNAME.
 */
export async function findImpossibleName(
  trx: Database,
  zoneId: string,
  names: readonly string[] | undefined,
): Promise<{ readonly name: string; readonly isAlias: boolean } | undefined> {
  return await queryRow(
    trx,
    `select r.name, count(*) filter (where r.type = 'DNAME') < 2 as "isAlias" from dns.records as r
      where r.domain_id = ? ${names === undefined ? '' : 'and r.name = any(?::text[])'}
      group by r.name
     having count(*) filter (where r.type = 'CNAME') > 0
        and count(*) filter (where r.type not in ('RRSIG', 'NSEC', ${KEY_TYPES})) > 1
         or count(*) filter (where r.type = 'DNAME') > 1
      limit 1`,
    names === undefined ? [zoneId] : [zoneId, [...names]],
  );
}

/** Counts the records of this type at the apex. */
export async function countAtApex(
  trx: Database,
  zone: { readonly id: string; readonly name: string },
  type: string,
): Promise<number> {
  const { count } = await queryReturning<{ count: number }>(
    trx,
    'select count(*) as count from dns.records as r where r.domain_id = ? and r.name = ? and r.type = ?',
    [zone.id, zone.name, type],
  );
  return count;
}

/**
 * Commits a changeset that replaces all records of a zone, or the records served at its apex. The changeset has one
 * journal entry: nameservers read the whole zone, and the history cannot restore earlier records.
 *
 * @param gone records that are deleted in the same changeset, each with its own entry
 */
export async function changeReplaced(
  work: UnitOfWork,
  zone: LockedZone,
  replaced: 'records' | 'apex',
  {
    recordCount = zone.recordCount,
    gone = [],
  }: { readonly recordCount?: number; readonly gone?: readonly ZoneRecord[] } = {},
): Promise<Zone> {
  const image = toZoneImage(zone);
  const entries: JournalEntry[] = [
    { action: 'domain-update', before: image, after: { ...image, replaced } },
    ...gone.map((before) => toJournalEntry({ before, after: undefined })),
  ];
  const after = {
    ...zone,
    recordCount: recordCount - gone.length,
    version: zone.version + 1,
    updatedAt: zone.now,
  };
  return await commitZone(work, zone, after, {
    entries,
    touched: () => ({ now: new Map() }),
    rows: { gone, come: [] },
  });
}
