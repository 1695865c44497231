import type { ZoneRules } from '../request/rules.js';
import { isServed, type ZoneRecord } from '../rows/record.js';
import type { LockedZone } from '../rows/zone.js';
import { beginning, type RecordChange } from './record-change.js';
import type { FutureNames } from './future-names.js';
import { findCrowdedRrset } from './rrset.js';

/** Data size that each record may have, whatever the size of others is, in bytes. */
const USUAL_DATA_OCTETS = 1_024;
/** Maximum length of usual data. A character has at most four bytes, so shorter data need not be counted. */
const LONG_DATA_CHARACTERS = USUAL_DATA_OCTETS / 4;

/** Limits of a zone: those of its project, or else those of the service. */
export interface ZoneLimits {
  readonly records: number;
  /** Number of disabled records. They also count as records, and at most half of all records can be disabled. */
  readonly disabled: number;
  /** Number of recordsets. */
  readonly recordsets: number;
  /** Number of records with one name and type. */
  readonly rrsetRecords: number;
  /** Data size of all records in bytes. It determines the time and memory of imports, exports and restores. */
  readonly dataOctets: number;
}

export function limitsOf(
  {
    maxRecords,
    maxRecordsets,
    maxRrsetRecords,
  }: Pick<LockedZone, 'maxRecords' | 'maxRecordsets' | 'maxRrsetRecords'>,
  rules: Pick<ZoneRules, 'maxDomainRecords' | 'maxRecordsetRecords' | 'maxDomainOctets'>,
): ZoneLimits {
  const records = maxRecords ?? rules.maxDomainRecords;
  return {
    records,
    disabled: Math.floor(records / 2),
    recordsets: maxRecordsets ?? records,
    rrsetRecords: maxRrsetRecords ?? rules.maxRecordsetRecords,
    dataOctets: rules.maxDomainOctets + records * USUAL_DATA_OCTETS,
  };
}

type CountedZone = Pick<LockedZone, 'recordCount' | 'disabledCount'>;

/** Whether the data of all records of the zone must be counted, which costs a query. */
export function needsDataOctets(changes: readonly RecordChange[]): boolean {
  return bringsLongData(changes) && growthOf(changes, dataOf) > 0;
}

/** Whether the recordsets of the zone must be counted, which costs a query. There are never more of them than records. */
export function needsRecordsets(
  { recordCount }: CountedZone,
  changes: readonly RecordChange[],
  limits: ZoneLimits,
): boolean {
  if (limits.recordsets >= limits.records) return false;
  const begins = changes.some((change) => beginning(change) !== undefined);
  return begins && recordCount + growthOf(changes, servedOf) > limits.recordsets;
}

/** Number of recordsets before and after changes. */
export interface RecordsetGrowth {
  readonly before: number;
  readonly after: number;
}

/** Returns the limit of the zone that the changes exceed. Undefined if they exceed none. */
export function findExceededQuota(
  zone: CountedZone,
  changes: readonly RecordChange[],
  {
    limits,
    dataOctets,
    recordsets,
    future,
  }: {
    readonly limits: ZoneLimits;
    /** Undefined if they are certainly within the limit. */
    readonly recordsets: RecordsetGrowth | undefined;
    /** Size of all data before the changes, including that of disabled records. Undefined if it is not needed. */
    readonly dataOctets: number | undefined;
    readonly future: FutureNames;
  },
): string | undefined {
  return (
    findExceededCount(zone, changes, limits) ??
    findExceededRecordsets(limits, recordsets) ??
    findExceededData(changes, limits, dataOctets) ??
    findExceededRrset(changes, limits, future)
  );
}

function findExceededCount(
  { recordCount, disabledCount }: CountedZone,
  changes: readonly RecordChange[],
  limits: ZoneLimits,
): string | undefined {
  const disabledGrowth = growthOf(changes, disabledOf);
  const growth = growthOf(changes, servedOf) + disabledGrowth;
  if (growth > 0 && recordCount + growth > limits.records) {
    return `The domain would have ${recordCount + growth} records; its limit is ${limits.records}.`;
  }
  const disabled = disabledCount + disabledGrowth;
  if (disabledGrowth > 0 && disabled > limits.disabled) {
    return `The domain would have ${disabled} disabled records; its limit is ${limits.disabled}, half of its limit for all records.`;
  }
  const all = recordCount + growth + disabledCount;
  return growth > 0 && all > limits.records
    ? `The domain would have ${all} records, including disabled ones; its limit is ${limits.records}.`
    : undefined;
}

function findExceededRecordsets(
  limits: ZoneLimits,
  { before, after }: RecordsetGrowth = { before: 0, after: 0 },
): string | undefined {
  return after > before && after > limits.recordsets
    ? `The domain would have ${after} recordsets; its limit is ${limits.recordsets}.`
    : undefined;
}

function findExceededData(
  changes: readonly RecordChange[],
  limits: ZoneLimits,
  dataOctets: number | undefined,
): string | undefined {
  if (dataOctets === undefined) return undefined;
  const octets = dataOctets + growthOf(changes, dataOf);
  return octets > limits.dataOctets
    ? `The data of the domain's records would take ${octets} bytes; the limit is ${limits.dataOctets}.`
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

/** Returns the difference between added and removed records. */
function growthOf(
  changes: readonly RecordChange[],
  measure: (record: ZoneRecord) => number,
): number {
  const sum = (record: ZoneRecord | undefined) => (record === undefined ? 0 : measure(record));
  return changes.reduce((growth, { before, after }) => growth + sum(after) - sum(before), 0);
}
