import type { Database } from '../connection.js';

/**
 * Which history a database has: its cluster, and the timeline within it, as `<system identifier>/<timeline>`. Positions of
 * two histories cannot be compared, however large they are: a restored backup and a standby that took over count
 * on from where they were, and hand out again the ids of what they lost.
 */
export type FeedLineage = string;

/** SQL that tells whether findLineage can be asked: a managed server may refuse to tell. */
export const MAY_ASK_LINEAGE = `(has_function_privilege('pg_control_system()', 'execute')
          and has_function_privilege('pg_control_checkpoint()', 'execute')
          and has_function_privilege('pg_control_recovery()', 'execute'))`;

/**
 * The lineage of the server that answers `trx`. A standby learns of another timeline at its next restart point, so up to
 * some minutes late.
 */
export async function findLineage(
  trx: Database,
  isStandby: boolean,
): Promise<FeedLineage | undefined> {
  const { rows } = await trx
    .raw<{ rows: { lineage: string }[] }>(
      `select (select s.system_identifier from pg_control_system() as s) || '/' ||
            ${isStandby ? STANDBY_TIMELINE : PRIMARY_TIMELINE} as lineage`,
    )
    .options({ name: isStandby ? 'feed-lineage-standby' : 'feed-lineage' });
  return rows[0]?.lineage;
}

/** The first eight digits of a segment's name are the timeline that is written to. */
const PRIMARY_TIMELINE = `left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`;

const STANDBY_TIMELINE = `lpad(upper(to_hex(greatest(
    (select c.timeline_id from pg_control_checkpoint() as c),
    (select r.min_recovery_end_timeline from pg_control_recovery() as r)))), 8, '0')`;
