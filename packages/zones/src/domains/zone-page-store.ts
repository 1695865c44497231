import { APEX_OF_SECONDARY, type Database, queryRow } from '@zonewright/database';
import type { AnyViewer, Viewer } from '../request/caller.js';
import { mayUseZone, usableZones } from '../rows/key-rules.js';
import {
  allOf,
  ANY_ROW,
  type Condition,
  textCondition,
  type TextFilter,
  valueCondition,
} from '../rows/listing.js';
import { type SigningState, stateToBe } from '../rows/signing-state.js';
import { asTimestamp, type Timestamp } from '../rows/statements.js';
import { fromRow, ZONE_COLUMNS, type ZoneRow } from '../rows/zone-store.js';
import type { Zone, ZoneAttributes } from '../rows/zone.js';
import type { ZoneSigning } from '../signing/signing-store.js';

/** Properties of a secondary zone in v2. */
interface ListedSecondary {
  readonly primaries: readonly { readonly address: string; readonly port: number }[];
  /** Serial of the primary's SOA. Null before the first transfer. */
  readonly serial: number | null;
  readonly transferredAt: Timestamp | null;
}

/**
 * Zone with the additional members of v2, and the last transaction that changed the zone or its records. Its
 * publication follows from the latter.
 */
export interface ListedZone extends Zone {
  readonly attributes: ZoneAttributes;
  /** Undefined if the zone is not signed. */
  readonly signing?: SigningState | undefined;
  /** Undefined if this service is the primary. */
  readonly secondary?: ListedSecondary | undefined;
  readonly transaction: bigint;
}

type ListedRow = ZoneRow & {
  readonly transaction: string;
  readonly attributes: ZoneAttributes | null;
  readonly signing: Pick<ZoneSigning, 'state' | 'wish'> | null;
  readonly secondary: ListedSecondary | null;
};

const LISTED_COLUMNS = `${ZONE_COLUMNS}, d.changed_in::text as transaction, d.attributes,
  (select json_build_object('state', z.state, 'wish', z.wish) from dns.zone_dnssec as z where z.domain_id = d.id) as signing,
  (select json_build_object('primaries', s.primaries, 'serial', s.serial,
            'transferredAt', ${asTimestamp('s.transferred_at')})
     from dns.secondaries as s where s.domain_id = d.id) as secondary`;

/** Condition for secondary zones. */
const IS_SECONDARY = `d.apex_version >= ${APEX_OF_SECONDARY.withheld}`;

export interface ZoneFilter {
  readonly viewer: AnyViewer;
  /** Ids of additional zones in the list. */
  readonly alsoIds?: readonly string[];
  readonly id?: string | undefined;
  readonly name?: TextFilter | undefined;
  /** Names of zones, one of which must match. */
  readonly names?: readonly string[] | undefined;
  readonly email?: TextFilter | undefined;
  readonly description?: TextFilter | undefined;
  readonly ttl?: number | undefined;
  readonly isSecondary?: boolean | undefined;
}

/** Columns by which a list of zones can be sorted, each followed by the id. Missing values must not be null. */
const SORT_COLUMNS = {
  created_at: 'd.created_at',
  updated_at: `coalesce(d.updated_at, '-infinity')`,
  name: 'd.name',
  email: 'd.email',
  serial: 'd.serial',
  ttl: 'd.ttl',
  id: 'd.id',
};

export type ZoneSortKey = keyof typeof SORT_COLUMNS;

interface ZonePage {
  readonly limit: number;
  readonly marker: string | undefined;
  readonly sortKey: ZoneSortKey;
  readonly isDescending: boolean;
}

/** Lists existing zones in an order, after the zone `marker`. */
export async function listZonePage(
  db: Database,
  filter: ZoneFilter,
  { limit, marker, sortKey, isDescending }: ZonePage,
): Promise<ListedZone[]> {
  const column = SORT_COLUMNS[sortKey];
  const direction = isDescending ? 'desc' : 'asc';
  const { sql, values } = conditionOf(filter);
  const isBehind =
    marker === undefined
      ? 'true'
      : `(${column}, d.id) ${isDescending ? '<' : '>'}
           (select ${column.replace('d.', 'm.')}, m.id from dns.domains as m where m.id = :marker)`;
  const { rows } = await db.raw<{ rows: ListedRow[] }>(
    `select ${LISTED_COLUMNS} from dns.domains as d
      where d.deleted_at is null and ${sql} and ${isBehind}
      order by ${column} ${direction}, d.id ${direction}
      limit :limit`,
    { ...values, limit, ...(marker === undefined ? {} : { marker }) },
  );
  return rows.map(toListed);
}

export async function countListedZones(db: Database, filter: ZoneFilter): Promise<number> {
  const { sql, values } = conditionOf(filter);
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*) as count from dns.domains as d where d.deleted_at is null and ${sql}`,
    values,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Whether a page of these zones can follow the zone with this id. It may have been deleted since the previous page.
 */
export async function isZoneMarker(db: Database, filter: ZoneFilter): Promise<boolean> {
  const { sql, values } = conditionOf(filter);
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select d.id from dns.domains as d where ${sql} limit 1`,
    values,
  );
  return rows.length > 0;
}

/** Returns the existing zone with this id, if the viewer may see it. */
export async function findListedZone(
  db: Database,
  viewer: Viewer,
  id: string,
): Promise<ListedZone | undefined> {
  const row = await queryRow<ListedRow>(
    db,
    `select ${LISTED_COLUMNS} from dns.domains as d
      where d.id = ? and d.tenant_id = ? and d.deleted_at is null`,
    [id, viewer.tenantId],
  );
  return row !== undefined && mayUseZone(viewer, row) ? toListed(row) : undefined;
}

/** Returns the existing zone with this id, whoever owns it. */
export async function findListedZoneById(
  db: Database,
  id: string,
): Promise<ListedZone | undefined> {
  const row = await queryRow<ListedRow>(
    db,
    `select ${LISTED_COLUMNS} from dns.domains as d
      where d.id = ? and d.deleted_at is null`,
    [id],
  );
  return row && toListed(row);
}

function toListed({ transaction, attributes, signing, secondary, ...row }: ListedRow): ListedZone {
  return {
    ...fromRow(row),
    signing: signing ? stateToBe(signing) : undefined,
    attributes: attributes ?? {},
    transaction: BigInt(transaction),
    secondary: secondary ?? undefined,
  };
}

function conditionOf({
  viewer,
  alsoIds = [],
  id,
  name,
  names,
  email,
  description,
  ttl,
  isSecondary,
}: ZoneFilter): Condition {
  return allOf([
    ownerCondition(viewer.tenantId, alsoIds),
    usableCondition(viewer),
    valueCondition('d.id', 'id', id),
    textCondition('d.name', 'name', name),
    names === undefined
      ? ANY_ROW
      : { sql: 'd.name = any(cast(:names as text[]))', values: { names } },
    textCondition('d.email', 'email', email),
    textCondition('d.description', 'description', description),
    valueCondition('d.ttl', 'ttl', ttl),
    isSecondary === undefined
      ? ANY_ROW
      : { sql: isSecondary ? IS_SECONDARY : `not ${IS_SECONDARY}`, values: {} },
  ]);
}

function usableCondition(viewer: AnyViewer): Condition {
  const usable = usableZones(viewer);
  if (usable === undefined) return ANY_ROW;
  return { sql: 'd.name = any(cast(:usable as text[]))', values: { usable } };
}

/** Returns the condition for owner or ids. Ids replace a join, so that both sides use an index. */
function ownerCondition(tenantId: string | undefined, alsoIds: readonly string[]): Condition {
  const own = valueCondition('d.tenant_id', 'tenantId', tenantId);
  if (own === ANY_ROW || alsoIds.length === 0) return own;
  return {
    sql: `(${own.sql} or d.id = any(cast(:alsoIds as uuid[])))`,
    values: { ...own.values, alsoIds: `{${alsoIds.join(',')}}` },
  };
}
