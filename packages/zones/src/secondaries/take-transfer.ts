import { type MessageRecord, wireToName } from '@zonewright/dns-records';
import { creation, modification, type RecordChange } from '../checks/record-change.js';
import { checkChanges } from '../write/check-changes.js';
import { writeChanges } from '../write/commit/write-changes.js';
import { getZoneForChange } from '../rows/get-zone.js';
import type { RecordContent } from '../rows/record.js';
import { sumDataOctets } from '../rows/record-store.js';
import { limitsOf } from '../checks/quota.js';
import type { LockedZone } from '../rows/zone.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import type { SoaNumbers } from './secondary.js';
import { requireServed } from './served-content.js';
import { type DueSecondary, isHeld, noteRefreshed } from './secondary-store.js';
import { setApexOf } from '../write/commit/zone-rows.js';
import { changeReplaced } from './transferred-store.js';
import { TransferFault } from './transfer-fault.js';
import { toRecordContent } from './transferred-record.js';
import {
  countAtApex,
  countRecordsOf,
  findImpossibleName,
  listRecordsLike,
} from './transferred-store.js';
import {
  createIncoming,
  findIncomingChanges,
  finishIncoming,
  insertIncoming,
  applyIncoming,
} from '../write/commit/incoming-store.js';

/** Changes between two versions of the primary's zone; each record occurs once. */
export interface TransferredDifference {
  readonly removed: readonly MessageRecord[];
  readonly added: readonly MessageRecord[];
}

/** Version of a zone from its primary. */
export interface Transfer {
  readonly soa: SoaNumbers;
  /**
   * All records with the SOA once, or the changes since the local version. Neither is set if that version is current.
   */
  readonly records?: () => Iterable<MessageRecord>;
  readonly steps?: TransferredDifference;
}

/** Maximum number of changes that each get an entry in the journal. */
const MAX_JOURNALED = 10_000;

/**
 * Applies a version of the primary to a zone, with one serial. @returns false if another process has claimed the zone
 * @throws TransferFault for a zone that is not possible here, ServiceError `not-found`
 */
export async function applyTransfer(
  work: UnitOfWork,
  due: DueSecondary,
  transfer: Transfer,
  nextSeconds: number,
): Promise<boolean> {
  const { trx, caller } = work;
  const zone = await getZoneForChange(trx, caller, due.zoneId);
  if (!(await isHeld(trx, due))) return false;
  const isNew = await takeRecords(work, zone, transfer);
  if (zone.secondary === 'withheld') {
    await setApexOf(trx, zone.id, 'answered');
    if (!isNew) await changeReplaced(work, zone, 'apex');
  }
  // This call comes last: it locks the state of the primaries until the transaction ends.
  if (!(await noteRefreshed(trx, due, { soa: transfer.soa, isNew, nextSeconds }))) {
    throw new TransferFault('internal', 'another process has claimed the zone');
  }
  return true;
}

/** Stops serving a zone whose primaries have been unavailable for too long (EXPIRE, RFC 1035 s3.3.13). */
export async function withholdZone(work: UnitOfWork, zoneId: string): Promise<void> {
  const zone = await getZoneForChange(work.trx, work.caller, zoneId);
  if (zone.secondary !== 'answered') return;
  await setApexOf(work.trx, zone.id, 'withheld');
  await changeReplaced(work, zone, 'apex');
}

async function takeRecords(
  work: UnitOfWork,
  zone: LockedZone,
  { records, steps }: Transfer,
): Promise<boolean> {
  if (records !== undefined) return await takeWhole(work, zone, records());
  if (steps !== undefined) return await takeSteps(work, zone, steps);
  return false;
}

async function takeWhole(
  work: UnitOfWork,
  zone: LockedZone,
  records: Iterable<MessageRecord>,
): Promise<boolean> {
  const { trx } = work;
  await createIncoming(trx);
  await insertIncoming(trx, toContents(records, zone.name));
  requireQuota(work, zone, await finishIncoming(trx));
  const { gone, come, changed } = await findIncomingChanges(trx, zone.id, MAX_JOURNALED + 1);
  if (gone.length + come.length + changed.length > MAX_JOURNALED) {
    await applyIncoming(trx, zone.id);
    const recordCount = await countRecordsOf(trx, zone.id);
    await changeReplaced(work, zone, 'records', { recordCount });
  } else {
    const changes: RecordChange[] = [
      ...gone.map((before) => ({ before, after: undefined })),
      ...changed.map(({ before, ttl, data, rdata }) =>
        modification(zone, before, { ...before, ttl, data, rdata }),
      ),
      ...come.map((content) => creation(zone, { ...content, description: null })),
    ];
    await writeChanges(work, zone, await checkChanges(work, zone, changes));
    if (changes.length === 0) return false;
  }
  await requirePossible(work, zone, undefined);
  return true;
}

/**
 * @throws TransferFault if the changes do not fit the local version, or are too many; the whole zone must be
 * transferred then
 */
async function takeSteps(
  work: UnitOfWork,
  zone: LockedZone,
  { removed, added }: TransferredDifference,
): Promise<boolean> {
  // Names that differ only in letter case are equal.
  const come = byKey(toContents(added, zone.name));
  const gone = byKey(toContents(removed, zone.name));
  for (const key of come.keys()) gone.delete(key);
  if (come.size + gone.size > MAX_JOURNALED)
    throw new TransferFault('malformed', 'its incremental transfer has too many changes');
  const stored = byKey(
    await listRecordsLike(work.trx, zone.id, [...gone.values(), ...come.values()]),
  );
  const changes: RecordChange[] = [];
  for (const [key, { name }] of gone) {
    const before = stored.get(key);
    if (before === undefined)
      throw new TransferFault(
        'malformed',
        `its incremental transfer deletes a record that does not exist: ${name}`,
      );
    changes.push({ before, after: undefined });
  }
  for (const [key, content] of come) {
    const before = stored.get(key);
    const { ttl, data, rdata } = content;
    changes.push(
      before === undefined
        ? creation(zone, content)
        : modification(zone, before, { ...before, ttl, data, rdata }),
    );
  }
  requireQuota(work, zone, {
    count: zone.recordCount + come.size - gone.size,
    dataOctets: (await sumDataOctets(work.trx, zone.id)) + growthOf(changes),
  });
  await writeChanges(work, zone, await checkChanges(work, zone, changes));
  await requirePossible(work, zone, [...new Set([...come.values()].map(({ name }) => name))]);
  return true;
}

function byKey<T extends Pick<RecordContent, 'name' | 'type' | 'digest'>>(
  records: Iterable<T>,
): Map<string, T> {
  return new Map(Array.from(records, (record) => [keyOf(record), record]));
}

function* toContents(
  records: Iterable<MessageRecord>,
  zoneName: string,
): Generator<RecordContent, void> {
  for (const record of records) {
    try {
      yield toRecordContent(record, zoneName);
    } catch (error) {
      if (error instanceof TransferFault) throw error;
      const name = wireToName(record.name);
      throw new TransferFault('rdata', `${name} has rdata that its type does not allow`, {
        cause: error,
      });
    }
  }
}

function keyOf({ name, type, digest }: Pick<RecordContent, 'name' | 'type' | 'digest'>): string {
  return `${name} ${type} ${digest.toString('base64')}`;
}

/** Records and data that a zone has after a transfer. */
interface IncomingSize {
  readonly count: number;
  readonly dataOctets: number;
}

function requireQuota(
  { rules }: UnitOfWork,
  zone: LockedZone,
  { count, dataOctets }: IncomingSize,
): void {
  const most = limitsOf(zone, rules);
  if (count > most.records) {
    throw new TransferFault(
      'too-large',
      `the zone has ${count} records; its limit is ${most.records}`,
    );
  }
  if (dataOctets > most.dataOctets) {
    throw new TransferFault(
      'too-large',
      `the data of the zone has ${dataOctets} bytes; its limit is ${most.dataOctets}`,
    );
  }
}

function growthOf(changes: readonly RecordChange[]): number {
  const sizeOf = (record: RecordContent | undefined) => Buffer.byteLength(record?.data ?? '');
  return changes.reduce((sum, { before, after }) => sum + sizeOf(after) - sizeOf(before), 0);
}

/** Requires one SOA, NS, and no alias beside other records (RFC 1034 s3.6.2), because servers rely on these rules. */
async function requirePossible(
  { trx }: UnitOfWork,
  zone: LockedZone,
  names: readonly string[] | undefined,
): Promise<void> {
  if ((await countAtApex(trx, zone, 'SOA')) !== 1)
    throw new TransferFault('soa', 'the zone has no SOA record');
  if ((await countAtApex(trx, zone, 'NS')) === 0) {
    throw new TransferFault('ns', 'the zone has no NS records');
  }
  const impossible = await findImpossibleName(trx, zone.id, names);
  if (impossible !== undefined) {
    const { name, isAlias } = impossible;
    throw isAlias
      ? new TransferFault('cname', `${name} has a CNAME record and other records`)
      : new TransferFault('dname', `${name} has several DNAME records`);
  }
  await requireServed(trx, zone, names);
}
