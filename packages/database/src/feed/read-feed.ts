import type { Database } from '../connection/connection.js';
import {
  FEED_START,
  type FeedDatabase,
  type FeedHorizon,
  type FeedLineage,
  type FeedPosition,
  type SecondaryState,
  secondaryState,
} from './position.js';
import { type FeedHead, type FeedLog, type FeedServers, readHead } from './read-head.js';
import { readChangedKeys, readChangedNames } from '../journal/read-changed-names.js';
import { type FeedRecord, readRecords, readRecordsAt } from './read-records.js';
import { readRows } from './read-rows.js';
import {
  type FeedSignedName,
  isServedSigned,
  readSignedNames,
  readSignedNamesAt,
  type SignedNameBatches,
} from './read-signed-names.js';
import { SOA_TIMES, type SoaTimes } from '../service-settings/service-settings.js';

/** A zone as the database stores it, without its records. */
export interface FeedZone {
  readonly domainId: string;
  /** The name as canonical text: in lower case, with a trailing dot. */
  readonly name: string;
  readonly email: string;
  readonly ttl: number;
  readonly serial: number;
  readonly recordCount: number;
  /** The apex data of this serial; absent for a secondary zone. */
  readonly apex?: FeedApex | undefined;
  /** Whether the zone has signed names. SOA and NS are among them. */
  readonly isSigned?: boolean | undefined;
  /**
   * The state of a secondary zone: its records include SOA and NS, or nameservers cannot answer for it (ADR 0040).
   * Undefined for other zones.
   */
  readonly secondary?: SecondaryState | undefined;
}

/** Data that the service provides at the apex of a zone (ADR 0025). */
export interface FeedApex {
  /** The servers in order; the first is MNAME. */
  readonly servers: readonly string[];
  readonly soa: SoaTimes;
}

/** A name whose zone has changed since the start position. */
export interface FeedChange {
  readonly name: string;
  /** The existing zone with this name; undefined if it no longer exists. */
  readonly zone: FeedZone | undefined;
}

/** The result of one reading of the database. All of it belongs to one snapshot. */
export interface FeedReading {
  /**
   * The start position of the next reading. If it lies before `since`, another server answers than before (a standby
   * further behind, or a restored backup) and has other changes. Only reading from FEED_START then shows all of them.
   */
  readonly position: FeedPosition;
  /**
   * The lineage of the server that answered. If it differs from the previous one, positions cannot be compared: read
   * from FEED_START. Undefined if the server does not report it.
   */
  readonly lineage: FeedLineage | undefined;
  /** Undefined if the database has no identity. */
  readonly database: FeedDatabase | undefined;
  /**
   * The exact horizon of the snapshot; `position` lies before the slowest of the transactions that were in progress.
   */
  readonly horizon: FeedHorizon;
  readonly log: FeedLog;
  /**
   * Tombstones up to this position may have been removed, so a reader that has not passed it may have missed some. Only
   * reading from FEED_START then shows which zones are gone.
   */
  readonly floor: FeedPosition | undefined;
  readonly servers: FeedServers;
  readonly changes: readonly FeedChange[];
  /**
   * Reads the records of the given zones, zone by zone, in batches of at most ROWS_AT_ONCE. A zone may continue in the
   * next batch, and a zone without records does not occur. Use it while `apply` runs, and read it to its end before
   * anything else.
   */
  readonly records: (domainIds: readonly string[]) => RecordBatches;
  /** Reads the names of signed zones in the same way: zones in the order of their ids, names in canonical order. */
  readonly signedNames: (domainIds: readonly string[]) => SignedNameBatches;
  /**
   * Reads the changes of a zone since this serial. Returns undefined if the journal cannot give them briefly, and the
   * whole zone must be read. Use it while `apply` runs.
   */
  readonly recordChanges: (
    zone: FeedZone,
    sinceSerial: number,
    forms: NameForms,
  ) => Promise<FeedRecordChanges | undefined>;
}

/** Converts a signed zone's names between the forms of its two tables. */
export interface NameForms {
  readonly toKey: (name: string) => Buffer;
  readonly toName: (key: Buffer) => string;
}

export type RecordBatches = AsyncIterable<readonly FeedRecord[]> | Iterable<readonly FeedRecord[]>;

/** The names of a zone whose records changed, and all records that these names have now, grouped by name. */
export interface FeedRecordChanges {
  readonly names: ReadonlySet<string>;
  readonly records: readonly FeedRecord[];
  /** The signed names of the zone among `names`, if it is signed. */
  readonly signedNames?: readonly FeedSignedName[] | undefined;
}

/** Callbacks of a reading. If one of them throws, the reading ends. */
interface ReadingWatch {
  /** Called with the head of the reading before anything else. */
  readonly examine?: (head: FeedHead) => void;
  /** Called while the list of zones is read, which takes a long time if there are many. */
  readonly onProgress?: () => void;
}

/**
 * Reads the changes after `since` in one read-only snapshot, on a primary or a standby. The same change may be read
 * twice, so `apply` must allow for that.
 */
export async function readFeed<T>(
  db: Database,
  since: FeedPosition,
  apply: (reading: FeedReading) => Promise<T>,
  { examine, onProgress }: ReadingWatch = {},
): Promise<T> {
  return await db.transaction(
    async (trx) => {
      const head = await readHead(trx);
      examine?.(head);
      const changes = await listChanges(trx, since, onProgress);
      const sizes = new Map(
        changes.flatMap(({ zone }) =>
          zone === undefined ? [] : [[zone.domainId, zone.recordCount]],
        ),
      );
      return await apply({
        ...head,
        changes,
        records: (domainIds) => readRecords(trx, domainIds, sizes),
        signedNames: (domainIds) => readSignedNames(trx, domainIds),
        recordChanges: (zone, sinceSerial, forms) =>
          zone.isSigned === true
            ? readSignedChanges(trx, zone, sinceSerial, forms)
            : readRecordChanges(trx, zone, sinceSerial),
      });
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

interface ChangeRow {
  changed_name: string;
  id: string | null;
  email: string;
  ttl: number;
  serial: number;
  record_count: number;
  apex_version: number | null;
  is_signed: boolean;
}

/**
 * Selects by name, not by row: a name that was deleted and created again has a tombstone and a row that is not
 * deleted.
 */
const CHANGED_ZONES = `
  select changed.name as changed_name, living.id, living.email, living.ttl, living.serial, living.record_count,
         living.apex_version, z.domain_id is not null as is_signed
    from (select distinct d.name from dns.domains as d where d.changed_in >= ?::xid8) as changed
    left join dns.domains as living on living.name = changed.name and living.deleted_at is null
    left join dns.zone_dnssec as z on z.domain_id = living.id and ${isServedSigned('z')}
   order by changed.name`;

async function listChanges(
  trx: Database,
  since: FeedPosition,
  onProgress: (() => void) | undefined,
): Promise<FeedChange[]> {
  if (since !== FEED_START) {
    // The statement has no name, so that it is planned for this position: the best plan depends on the number of
    // changes.
    const { rows } = await trx.raw<{ rows: ChangeRow[] }>(CHANGED_ZONES, [since]);
    const versions = [...new Set(rows.flatMap(({ apex_version: version }) => version ?? []))];
    const apexes = await listApexes(trx, versions);
    return rows.map((row) => toChange(row, apexes));
  }
  const apexes = await listApexes(trx);
  // Reading all zones is faster without the index, which a connection that plans once would use.
  await trx.raw('set local enable_seqscan to default; set local enable_bitmapscan to default');
  const changes: FeedChange[] = [];
  for await (const rows of readRows<ChangeRow>(trx, CHANGED_ZONES, [since])) {
    onProgress?.();
    for (const row of rows) changes.push(toChange(row, apexes));
  }
  return changes;
}

/** SQL for the FeedApex of a row of dns.apex_versions called `t`. */
export const APEX = `json_build_object('servers', t.servers, 'soa', ${SOA_TIMES})`;

/**
 * Lists the given apex versions, or all if `versions` is undefined. There are only a few, even with many zones.
 */
async function listApexes(
  trx: Database,
  versions?: readonly number[],
): Promise<ReadonlyMap<number, FeedApex>> {
  if (versions?.length === 0) return new Map();
  const { rows } = await trx.raw<{ rows: { version: number; apex: FeedApex }[] }>(
    `select t.version, ${APEX} as apex from dns.apex_versions as t
      ${versions === undefined ? '' : 'where t.version = any(?::integer[])'}`,
    versions === undefined ? [] : [[...versions]],
  );
  return new Map(rows.map(({ version, apex }) => [version, apex]));
}

function toChange(row: ChangeRow, apexes: ReadonlyMap<number, FeedApex>): FeedChange {
  const { changed_name: name, id, email, ttl, serial } = row;
  if (id === null) return { name, zone: undefined };
  const { record_count: recordCount, is_signed: isSigned } = row;
  const apex = apexes.get(row.apex_version ?? 0);
  const secondary = secondaryState(row.apex_version);
  return {
    name,
    zone: { domainId: id, name, email, ttl, serial, recordCount, apex, isSigned, secondary },
  };
}

async function readRecordChanges(
  trx: Database,
  { domainId, name, serial }: FeedZone,
  sinceSerial: number,
): Promise<FeedRecordChanges | undefined> {
  const names = await readChangedNames(trx, domainId, sinceSerial, serial);
  if (names === undefined) return undefined;
  // The apex is always read, because its SOA contains the serial.
  const changed = new Set([name, ...names]);
  const records = await readRecordsAt(trx, domainId, [...changed]);
  return { names: changed, records };
}

async function readSignedChanges(
  trx: Database,
  { domainId, name, serial }: FeedZone,
  sinceSerial: number,
  { toKey, toName }: NameForms,
): Promise<FeedRecordChanges | undefined> {
  const keys = await readChangedKeys(trx, domainId, sinceSerial, serial);
  if (keys === undefined) return undefined;
  const names = await readChangedNames(trx, domainId, sinceSerial, undefined);
  if (names === undefined) return undefined;
  const changed = new Set([name, ...names, ...keys.map(toName)]);
  return {
    names: changed,
    records: await readRecordsAt(trx, domainId, [...changed]),
    signedNames: await readSignedNamesAt(trx, domainId, Array.from(changed, toKey)),
  };
}
