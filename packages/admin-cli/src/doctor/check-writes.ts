import { type Database, errorCode, SQLSTATE } from '@zonewright/database';
import { type Check, error, ok } from './finding.js';

const AREA = 'writes';
/** The number of values of 4 KiB to write. They cannot be compressed, so a full disk has no room for them. */
const VALUES = 256;
const TIMEOUT_MS = 5_000;

/**
 * Checks that PostgreSQL commits changes like those of users. Everything except one time stamp is rolled back or
 * temporary.
 */
export const checkWrites: Check = async ({ db }) => {
  const startedAt = performance.now();
  try {
    await db.transaction(write);
    const tookMs = Math.round(performance.now() - startedAt);
    return [ok(AREA, `PostgreSQL committed a change in ${tookMs} ms.`)];
  } catch (failure) {
    const code = errorCode(failure);
    const { fault, remedy } = explainSqlstate(code);
    const message = failure instanceof Error ? failure.message : String(failure);
    return [
      error(
        AREA,
        `PostgreSQL refuses changes: ${fault} (SQLSTATE ${code ?? 'unknown'}: ${message.split(' - ').at(-1) ?? ''}). Users get 503.`,
        remedy,
      ),
    ];
  }
};

async function write(trx: Database): Promise<void> {
  await trx.raw(`set local statement_timeout = ${TIMEOUT_MS}`);
  await trx.raw('update dns.apex_rollout set next_at = next_at');
  await trx.raw('savepoint room');
  try {
    await trx.raw(
      `create temporary table doctor_room on commit drop as
       select n, (select string_agg(md5(random()::text || n || k), '') from generate_series(1, 128) as k) as octets
         from generate_series(1, ${VALUES}) as n`,
    );
  } catch (failure) {
    // The login may not create temporary tables, so only a row is changed.
    if (errorCode(failure) !== SQLSTATE.insufficientPrivilege) throw failure;
    await trx.raw('rollback to savepoint room');
  }
}

/** Fault and remedy for each SQLSTATE (PostgreSQL, appendix A). */
const REFUSALS: Readonly<Record<string, readonly [fault: string, remedy: string]>> = {
  '53100': [
    'its disk is full',
    'Free space on the disk of PostgreSQL: use a larger volume, release old WAL that a replication slot or archive_command holds (pg_replication_slots, pg_stat_archiver), or shorten retention. See docs/operations/retention.md.',
  ],
  '53200': [
    'it has no memory left',
    'Check which processes use the memory of the PostgreSQL host, and decrease work_mem or max_connections.',
  ],
  '53300': [
    'all connections are in use',
    'Increase max_connections, or stop the programs that use them.',
  ],
  '25006': [
    'it does not accept changes',
    'Point DATABASE_URL to the primary, and check whether default_transaction_read_only is set.',
  ],
  '42501': [
    'this login is not allowed to write',
    'Run migrate, and use a login with the rights of zonewright_operator.',
  ],
  '57014': [
    'a small change did not finish in time',
    'Check what PostgreSQL is waiting for: pg_stat_activity (wait_event) and the disk. If synchronous_standby_names is set, a standby may be missing.',
  ],
  '58030': ['it cannot write to its disk', 'Check the logs of PostgreSQL and of its host.'],
};

/** Explains why PostgreSQL refused a change. */
export function explainSqlstate(code: string | undefined): { fault: string; remedy: string } {
  const [fault, remedy] = REFUSALS[code ?? ''] ?? [
    'it failed',
    'Check the log of PostgreSQL at this time.',
  ];
  return { fault, remedy };
}
