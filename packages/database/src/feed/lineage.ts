import type { Database } from '../connection.js';

/**
 * Which history a database has: its cluster, and the timeline within it, as `<system identifier>/<timeline>`. Positions of
 * two histories cannot be compared, however large they are: a restored backup and a standby that took over count
 * on from where they were, and hand out again the ids of what they lost.
 */
export type FeedLineage = string;

/**
 * The lineage of the server that answers `trx`. A standby learns of another timeline at its next restart point, so up to
 * some minutes late. Undefined where a managed server refuses to tell.
 */
export async function findLineage(trx: Database): Promise<FeedLineage | undefined> {
  const { rows } = await trx.raw<{ rows: { isStandby: boolean; mayAsk: boolean }[] }>(
    `select pg_is_in_recovery() as "isStandby",
            has_function_privilege('pg_control_system()', 'execute')
            and has_function_privilege('pg_control_checkpoint()', 'execute')
            and has_function_privilege('pg_control_recovery()', 'execute') as "mayAsk"`,
  );
  if (rows[0]?.mayAsk !== true) return undefined;
  const { rows: lineages } = await trx.raw<{ rows: { lineage: string }[] }>(
    `select (select s.system_identifier from pg_control_system() as s) || '/' ||
            ${rows[0].isStandby ? STANDBY_TIMELINE : PRIMARY_TIMELINE} as lineage`,
  );
  return lineages[0]?.lineage;
}

/** The first eight digits of a segment's name are the timeline that is written to. */
const PRIMARY_TIMELINE = `left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`;

const STANDBY_TIMELINE = `lpad(upper(to_hex(greatest(
    (select c.timeline_id from pg_control_checkpoint() as c),
    (select r.min_recovery_end_timeline from pg_control_recovery() as r)))), 8, '0')`;
