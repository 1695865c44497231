import type { Database } from '../connection/connection.js';

/**
 * A position in the change feed. Every transaction with an id below it was visible when it was read. Only changes of
 * that transaction or a later one may still be missing. An xid8 as decimal text.
 *
 * Writers stamp their changes with pg_current_xact_id(), which PostgreSQL assigns before they commit. A later id may
 * therefore commit first. A reader keeps the *xmin* of its snapshot, the oldest id still running, and not the highest
 * id that it saw. It then reads some changes twice and never misses one.
 */
export type FeedPosition = string;

/** The position before the first change: reading from here returns every zone. */
export const FEED_START: FeedPosition = '0';

export function isAtOrBefore(position: FeedPosition, other: FeedPosition): boolean {
  return BigInt(position) <= BigInt(other);
}

/**
 * Transactions that a reader of the feed has seen, in PostgreSQL's form of a pg_snapshot: `xmin:xmax:xip,xip`. Ids
 * below xmin are seen, and those from xmax on are not. The ones between are seen unless they are listed.
 */
export type FeedHorizon = string;

/** A parsed horizon, for many comparisons. */
export interface Horizon {
  readonly xmin: bigint;
  readonly xmax: bigint;
  readonly underWay: ReadonlySet<bigint>;
}

/** Returns the horizon of a reader that reports only its position. Undefined if it has read nothing. */
export function horizonAt(position: FeedPosition): FeedHorizon | undefined {
  return position === FEED_START ? undefined : `${position}:${position}:`;
}

export function parseHorizon(text: FeedHorizon): Horizon {
  const [xmin = '', xmax = '', list = ''] = text.split(':');
  const underWay = list === '' ? [] : list.split(',').map(BigInt);
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), underWay: new Set(underWay) };
}

/** Returns whether a committed transaction was already committed when the reading began. */
export function isWithin({ xmin, xmax, underWay }: Horizon, transaction: bigint): boolean {
  if (transaction < xmin) return true;
  return transaction < xmax && !underWay.has(transaction);
}

/**
 * Lineage of a database: its cluster, the timeline within it, and the database's oid in the cluster, as `<system
 * identifier>/<timeline>/<oid>`. Positions of two lineages cannot be compared, however large they are. A restored
 * backup and a promoted standby continue from their own position, and use the ids of lost transactions again. A dump
 * that was restored in the same cluster shows changes as old that readers have not seen.
 */
export type FeedLineage = string;

/** SQL condition: LINEAGE can be read. A managed server may refuse it. */
export const MAY_READ_TIMELINE = `(has_function_privilege('pg_control_system()', 'execute')
          and has_function_privilege('pg_control_checkpoint()', 'execute')
          and has_function_privilege('pg_control_recovery()', 'execute'))`;

/** The first eight digits of a segment's name are the timeline that the server writes to. */
const PRIMARY_TIMELINE = `left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`;

const STANDBY_TIMELINE = `lpad(upper(to_hex(greatest(
    (select c.timeline_id from pg_control_checkpoint() as c),
    (select r.min_recovery_end_timeline from pg_control_recovery() as r)))), 8, '0')`;

/**
 * SQL for the lineage of the server; the server refuses it where MAY_READ_TIMELINE is false. A standby learns of
 * another timeline at its next restart point, so up to some minutes late.
 */
export const LINEAGE = `((select s.system_identifier from pg_control_system() as s) || '/' ||
          case when pg_is_in_recovery() then ${STANDBY_TIMELINE} else ${PRIMARY_TIMELINE} end || '/' ||
          (select d.oid from pg_database as d where d.datname = current_database()))`;

export async function findLineage(trx: Database): Promise<FeedLineage | undefined> {
  const { rows } = await trx
    .raw<{ rows: { lineage: string }[] }>(`select ${LINEAGE} as lineage`)
    .options({ name: 'feed-lineage' });
  return rows[0]?.lineage;
}

/** Identity of the database, in a row that is restored with it (ADR 0020). */
export interface FeedDatabase {
  readonly id: string;
  /** The operator's instruction that nameservers accept this database; null if none is in force. */
  readonly acceptance: FeedAcceptance | null;
}

interface FeedAcceptance {
  /** Each new acceptance gets a new id. */
  readonly id: string;
  /** The databases that this one may replace. */
  readonly insteadOf: readonly string[];
}

/** The time for which an acceptance is valid, so that it does not cover a later accident. */
const ACCEPTANCE_HOLDS = "interval '1 day'";

/** SQL for the FeedDatabase, or null if the database has no identity. */
export const DATABASE_IDENTITY = `(
  select json_build_object('id', i.id, 'acceptance',
           case when i.accepted_at > now() - ${ACCEPTANCE_HOLDS}
                then json_build_object('id', i.acceptance, 'insteadOf', i.instead_of) end)
    from dns.database_identity as i)`;

/** State of a secondary zone: nameservers answer with its primary's data, or with an error (ADR 0040). */
export type SecondaryState = 'answered' | 'withheld';

/** Values of dns.domains.apex_version for secondary zones. */
export const APEX_OF_SECONDARY: Readonly<Record<SecondaryState, number>> = {
  answered: 2_147_483_647,
  withheld: 2_147_483_646,
};

/** Returns the state of a secondary zone, or undefined for another zone. */
export function secondaryState(apexVersion: number | null | undefined): SecondaryState | undefined {
  if (apexVersion === APEX_OF_SECONDARY.answered) return 'answered';
  return apexVersion === APEX_OF_SECONDARY.withheld ? 'withheld' : undefined;
}
