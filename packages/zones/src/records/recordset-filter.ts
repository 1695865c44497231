import { mayRead, readableRecords } from '../rows/key-rules.js';
import type { ViewedZone } from './get-record.js';
import {
  allOf,
  ANY_ROW,
  type Condition,
  matchesText,
  type TextFilter,
  textCondition,
  valueCondition,
} from '../rows/listing.js';

/** Filter of a list of recordsets, which must contain a matching record. */
export interface RecordsetFilter {
  readonly name?: TextFilter | undefined;
  readonly type?: TextFilter | undefined;
  /** Data with the priority before it, if the record has one. */
  readonly data?: TextFilter | undefined;
  readonly description?: TextFilter | undefined;
  readonly ttl?: number | undefined;
}

/**
 * Whether recordsets that match the filter, and that the viewer may read, can be found without reading the whole zone.
 */
export function isNarrow({ viewer }: ViewedZone, { name, ...others }: RecordsetFilter): boolean {
  const isWhole = Object.values(others).every((filter) => filter === undefined);
  const readsAll = viewer.key?.rules === undefined;
  return (name === undefined && isWhole && readsAll) || (name !== undefined && 'equals' in name);
}

/**
 * Returns the condition for rows `r` of records. Managed recordsets at the apex are excluded, since they are added to
 * the list separately.
 */
export function conditionOf(
  { viewer, zone }: ViewedZone,
  { name, type, data, description, ttl }: RecordsetFilter,
  isProvided: boolean,
): Condition {
  return allOf([
    isProvided
      ? { sql: `(r.name <> :apex or r.type not in ('NS', 'SOA'))`, values: { apex: zone.name } }
      : ANY_ROW,
    readableRecords(viewer, zone),
    textCondition('r.name', 'name', name),
    textCondition('r.type', 'type', type),
    dataCondition(data),
    textCondition('r.description', 'description', description),
    valueCondition('r.ttl', 'ttl', ttl),
  ]);
}

export function matchesManaged(
  { viewer, zone }: ViewedZone,
  filter: RecordsetFilter,
  type: string,
  data: readonly string[],
): boolean {
  const { name } = zone;
  return (
    mayRead(viewer, zone, { name, type }) &&
    matchesText(filter.name, name) &&
    matchesText(filter.type, type) &&
    data.some((each) => matchesText(filter.data, each)) &&
    filter.description === undefined &&
    filter.ttl === undefined
  );
}

function dataCondition(filter: TextFilter | undefined): Condition {
  if (filter === undefined) return ANY_ROW;
  return textCondition(`coalesce(r.priority || ' ', '') || r.data`, 'data', filter);
}
