import type { Database } from '../connection/connection.js';

/**
 * Lineage of a database: its cluster, the timeline within it, and the database's oid in the cluster, as
 * `<system identifier>/<timeline>/<oid>`. Positions of two lineages cannot be compared, however large they are. A restored
 * backup and a promoted standby continue from their own position, and use the ids of lost transactions again. A dump
 * that was restored in the same cluster shows changes as old that readers have not seen.
 */
export type FeedLineage = string;

/** SQL that tells whether findLineage can be asked: a managed server may refuse to tell. */
export const MAY_READ_TIMELINE = `(has_function_privilege('pg_control_system()', 'execute')
          and has_function_privilege('pg_control_checkpoint()', 'execute')
          and has_function_privilege('pg_control_recovery()', 'execute'))`;

/** The first eight digits of a segment's name are the timeline that is written to. */
const PRIMARY_TIMELINE = `left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`;

const STANDBY_TIMELINE = `lpad(upper(to_hex(greatest(
    (select c.timeline_id from pg_control_checkpoint() as c),
    (select r.min_recovery_end_timeline from pg_control_recovery() as r)))), 8, '0')`;

/**
 * SQL of the lineage of the server that answers; refused where MAY_READ_TIMELINE is false. A standby learns of another
 * timeline at its next restart point, so up to some minutes late.
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
