import { forEachInSlices, ServiceError } from '@zonewright/service-kit';
import type { LockedZone } from '../rows/zone.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import type { Breach } from './checks/violation.js';
import { checkAlias } from './checks/alias.js';
import { checkChildZone, possibleChildZones } from './checks/child-zone.js';
import { checkDelegation } from './checks/delegation.js';
import { checkDuplicate } from './checks/duplicate.js';
import { namesOf, toFutureNames } from './checks/future-names.js';
import { checkMailTargets, mailTargetNames } from './checks/mail-target.js';
import type { RecordChange } from './changes/record-change.js';
import { invalidRecord } from '../request/invalid-record.js';
import { leavesMixedTtls } from './checks/mixed-ttls.js';
import { listNeighbours, type Neighbours, type WantedNames } from './read/neighbour-store.js';
import { isServed, type ZoneRecord } from '../rows/record.js';
import { countDisabled, type RecordKey, sumDataOctets } from '../rows/record-store.js';

/** So many ask for names in one statement; a name has up to 127 above it. */
const FEW_CHANGES = 50;

/**
 * What the changes would break, seen from after all of them: rules that look at other records and zones. The zone
 * is locked, so what is found here still holds when the changes are written.
 *
 * @param look sees what is there at the names of the changes, before any rule does
 */
export async function findBreaches(
  work: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
  {
    look,
    neighbours: list = (wanted) => listNeighbours(work.trx, zone, wanted),
  }: {
    readonly look?: ((records: readonly RecordKey[]) => void) | undefined;
    /** Where what stands beside the changes is known already. */
    readonly neighbours?: (wanted: WantedNames) => Neighbours | Promise<Neighbours>;
  } = {},
): Promise<Breach[]> {
  // What is switched off stands beside nothing.
  const written = changes.filter(({ after }) => after !== undefined && isServed(after));
  if (written.length === 0) return [];
  const neighbours = await list({
    recordNames: [...namesOf(written), ...mailTargetNames(work, zone, written)],
    // Of many records the names that could be zones are many more than the zones that there are.
    zoneNames: written.length > FEW_CHANGES ? undefined : possibleChildZones(zone, written),
  });
  look?.(neighbours.records);
  const future = await toFutureNames(changes, neighbours.records);
  work.hints.mixedTtl = leavesMixedTtls(zone, changes, neighbours.records);
  const aliases: Breach[] = [];
  const duplicates: Breach[] = [];
  const inChildren: Breach[] = [];
  const delegations: Breach[] = [];
  await forEachInSlices(written, (change) => {
    aliases.push(...checkAlias(change, future));
    duplicates.push(...checkDuplicate(change, future));
    inChildren.push(...checkChildZone(zone, change, neighbours.zones));
    delegations.push(...checkDelegation(change, future));
  });
  const mail = await checkMailTargets(work, zone, written, future);
  return [...aliases, ...duplicates, ...inChildren, ...delegations, ...mail];
}

/** @throws ServiceError `invalid` or `conflict` for the breaches of a single change. */
export function refuseBreaches(breaches: readonly Breach[]): void {
  const invalid = breaches.filter(({ kind }) => kind === 'invalid');
  if (invalid.length > 0) throw invalidRecord(invalid.map(({ problem }) => problem));
  const [conflict] = breaches;
  if (conflict === undefined) return;
  throw new ServiceError('conflict', conflict.problem.message, {
    details: { subject: 'record', problems: [conflict.problem] },
  });
}

/** @throws ServiceError `over-quota` when the zone would grow beyond its tenant's limit. */
export async function requireRecordQuota(
  work: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
): Promise<void> {
  const growth = growthOf(changes, () => 1);
  const maxRecords = zone.maxRecords ?? work.rules.maxDomainRecords;
  if (growth > 0 && zone.recordCount + growth > maxRecords) {
    throw new ServiceError(
      'over-quota',
      `The domain would have ${zone.recordCount + growth} records; its limit is ${maxRecords}.`,
    );
  }
  await requireDisabledQuota(work, zone, changes, maxRecords);
  await requireDataQuota(work, zone, changes, maxRecords);
}

/**
 * Records that are switched off count as others do. No more than half of what the domain may have can be: so those who make the other
 * half need not count them.
 */
async function requireDisabledQuota(
  { trx }: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
  maxRecords: number,
): Promise<void> {
  const count = (record: ZoneRecord) => (isServed(record) ? 0 : 1);
  const growth = growthOf(changes, () => 1);
  const ownGrowth = growthOf(changes, count);
  const mostDisabled = Math.floor(maxRecords / 2);
  const hasRoom = zone.recordCount + growth - ownGrowth <= maxRecords - mostDisabled;
  if (ownGrowth <= 0 && (growth <= 0 || hasRoom)) return;
  const disabled = (await countDisabled(trx, zone.id)) + ownGrowth;
  if (ownGrowth > 0 && disabled > mostDisabled) {
    throw new ServiceError(
      'over-quota',
      `Of the domain's records ${disabled} would be switched off; no more than ${mostDisabled}, half of its limit, can be.`,
    );
  }
  const all = zone.recordCount + growth - ownGrowth + disabled;
  if (growth <= 0 || all <= maxRecords) return;
  throw new ServiceError(
    'over-quota',
    `The domain would have ${all} records, with those that are switched off; its limit is ${maxRecords}.`,
  );
}

/** What each record may have whatever the others have. */
const USUAL_DATA_OCTETS = 1_024;
/** A character has at most four octets: what is shorter cannot be more than usual, and nothing is counted for it. */
const LONG_DATA_CHARACTERS = USUAL_DATA_OCTETS / 4;

/**
 * Whatever works on a whole zone (imports, exports, restores) takes time and memory by the octets of its data, and one
 * record may have 256 KiB of them.
 */
async function requireDataQuota(
  { trx, rules }: UnitOfWork,
  zone: LockedZone,
  changes: readonly RecordChange[],
  maxRecords: number,
): Promise<void> {
  if (!bringsLongData(changes)) return;
  const growth = growthOf(changes, ({ data }) => Buffer.byteLength(data));
  if (growth <= 0) return;
  const octets = (await sumDataOctets(trx, zone.id)) + growth;
  const maxOctets = rules.maxDomainOctets + maxRecords * USUAL_DATA_OCTETS;
  if (octets <= maxOctets) return;
  throw new ServiceError(
    'over-quota',
    `The data of the domain's records would be ${octets} octets; its limit is ${maxOctets}.`,
  );
}

/** Whether what the records of the zone have together has to be counted. */
export function bringsLongData(changes: readonly RecordChange[]): boolean {
  return changes.some(({ after }) => (after?.data.length ?? 0) > LONG_DATA_CHARACTERS);
}

/** By how much the records that come are more than those that go. */
function growthOf(
  changes: readonly RecordChange[],
  measure: (record: ZoneRecord) => number,
): number {
  const sum = (record: ZoneRecord | undefined) => (record === undefined ? 0 : measure(record));
  return changes.reduce((growth, { before, after }) => growth + sum(after) - sum(before), 0);
}
