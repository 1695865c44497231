import { type Database, errorCode, SQLSTATE } from '@zonewright/database';
import type { Check } from './examination.js';
import { explainSqlstate } from './explain-sqlstate.js';
import { error, ok } from './finding.js';

const AREA = 'writes';
/** Values of 4 KiB that no compression makes smaller: a full disk has no room for them. */
const VALUES = 256;
const TIMEOUT_MS = 5_000;

/** Whether PostgreSQL commits changes, as users make them. All of this one goes with its transaction, but for one time stamp. */
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
    // A database in which logins may make no temporary tables: the change of a row has to do.
    if (errorCode(failure) !== SQLSTATE.insufficientPrivilege) throw failure;
    await trx.raw('rollback to savepoint room');
  }
}
