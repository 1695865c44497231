import type { ZoneRules } from '../request/rules.js';
import { isServed, type ZoneRecord } from '../rows/record.js';
import type { LockedZone } from '../rows/zone.js';
import type { RecordChange } from './record-change.js';
import type { FutureNames } from './future-names.js';
import { findCrowdedRrset } from './rrset.js';

/** Data bytes that each record may have, whatever the others have. */
const USUAL_DATA_OCTETS = 1_024;
/** A character has at most four bytes: shorter data never has more than the usual bytes, and nothing is counted for it. */
const LONG_DATA_CHARACTERS = USUAL_DATA_OCTETS / 4;

/** Limits of one zone: those of its project, or else those of the service. */
export interface ZoneLimits {
  readonly records: number;
  /** Records that are switched off: they count as others do, and at most half of all can be. */
  readonly disabled: number;
  /** Records of one name and type. */
  readonly rrsetRecords: number;
  /** Data bytes of all records: imports, exports and restores take time and memory by them. */
  readonly dataOctets: number;
}

export function limitsOf(
  { maxRecords, maxRrsetRecords }: Pick<LockedZone, 'maxRecords' | 'maxRrsetRecords'>,
  rules: Pick<ZoneRules, 'maxDomainRecords' | 'maxRecordsetRecords' | 'maxDomainOctets'>,
): ZoneLimits {
  const records = maxRecords ?? rules.maxDomainRecords;
  return {
    records,
    disabled: Math.floor(records / 2),
    rrsetRecords: maxRrsetRecords ?? rules.maxRecordsetRecords,
    dataOctets: rules.maxDomainOctets + records * USUAL_DATA_OCTETS,
  };
}

type CountedZone = Pick<LockedZone, 'recordCount'>;

/** Usage of a zone before the changes. A count is undefined if `neededUsage` does not request it. */
export interface Usage {
  readonly disabled: number | undefined;
  /** Size of all data, including that of disabled records. */
  readonly dataOctets: number | undefined;
}

/** Counts that the quota check needs: each costs a query. */
export function neededUsage(
  { recordCount }: CountedZone,
  changes: readonly RecordChange[],
  limits: ZoneLimits,
): { readonly disabled: boolean; readonly dataOctets: boolean } {
  const servedGrowth = growthOf(changes, servedOf);
  const disabledGrowth = growthOf(changes, disabledOf);
  const growth = servedGrowth + disabledGrowth;
  // No more than half are switched off, so whoever makes the other half need not count them.
  const hasRoom = recordCount + servedGrowth <= limits.records - limits.disabled;
  return {
    disabled: disabledGrowth > 0 || (growth > 0 && !hasRoom),
    dataOctets: bringsLongData(changes) && growthOf(changes, dataOf) > 0,
  };
}

/** Why the changes exceed a limit of the zone; undefined if they do not. */
export function findExceededQuota(
  zone: CountedZone,
  changes: readonly RecordChange[],
  {
    limits,
    usage,
    future,
  }: { readonly limits: ZoneLimits; readonly usage: Usage; readonly future: FutureNames },
): string | undefined {
  return (
    findExceededCount(zone, changes, limits, usage) ??
    findExceededData(changes, limits, usage) ??
    findExceededRrset(changes, limits, future)
  );
}

function findExceededCount(
  { recordCount }: CountedZone,
  changes: readonly RecordChange[],
  limits: ZoneLimits,
  usage: Usage,
): string | undefined {
  const disabledGrowth = growthOf(changes, disabledOf);
  const growth = growthOf(changes, servedOf) + disabledGrowth;
  if (growth > 0 && recordCount + growth > limits.records) {
    return `The domain would have ${recordCount + growth} records; its limit is ${limits.records}.`;
  }
  if (usage.disabled === undefined) return undefined;
  const disabled = usage.disabled + disabledGrowth;
  if (disabledGrowth > 0 && disabled > limits.disabled) {
    return `The domain would have ${disabled} records that are switched off; its limit for these is ${limits.disabled}, half of that for all records.`;
  }
  const all = recordCount + growth - disabledGrowth + disabled;
  return growth > 0 && all > limits.records
    ? `The domain would have ${all} records, with those that are switched off; its limit is ${limits.records}.`
    : undefined;
}

function findExceededData(
  changes: readonly RecordChange[],
  limits: ZoneLimits,
  usage: Usage,
): string | undefined {
  if (usage.dataOctets === undefined) return undefined;
  const octets = usage.dataOctets + growthOf(changes, dataOf);
  return octets > limits.dataOctets
    ? `The data of the domain's records would be ${octets} octets; its limit is ${limits.dataOctets}.`
    : undefined;
}

function findExceededRrset(
  changes: readonly RecordChange[],
  { rrsetRecords }: ZoneLimits,
  future: FutureNames,
): string | undefined {
  const crowded = findCrowdedRrset(future, changes, rrsetRecords);
  return (
    crowded &&
    `The recordset ${crowded.name} ${crowded.type} would have ${crowded.records} records; its limit is ${rrsetRecords}.`
  );
}

/** Whether the data of all records of the zone may have to be counted. */
export function bringsLongData(changes: readonly RecordChange[]): boolean {
  return changes.some(({ after }) => (after?.data.length ?? 0) > LONG_DATA_CHARACTERS);
}

const servedOf = (record: ZoneRecord) => (isServed(record) ? 1 : 0);
const disabledOf = (record: ZoneRecord) => (isServed(record) ? 0 : 1);
const dataOf = ({ data }: ZoneRecord) => Buffer.byteLength(data);

/** Returns by how much added records exceed removed ones. */
function growthOf(
  changes: readonly RecordChange[],
  measure: (record: ZoneRecord) => number,
): number {
  const sum = (record: ZoneRecord | undefined) => (record === undefined ? 0 : measure(record));
  return changes.reduce((growth, { before, after }) => growth + sum(after) - sum(before), 0);
}
