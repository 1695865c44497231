import { type Database, queryRow } from '@zonewright/database';
import type { Check } from './examination.js';
import { error, type Finding, ok, warning } from './finding.js';

const AREA = 'clock';
/** Tokens carry the times of one machine and are judged by another. */
const NOTICEABLE_SECONDS = 2;
const HARMFUL_SECONDS = 60;

/** This machine's clock beside PostgreSQL's. */
export const checkDatabaseClock: Check = async ({ db, clock }) => [
  judgeClock('PostgreSQL', await offsetFrom(() => databaseTime(db), clock.now.bind(clock))),
];

/** Seconds by which another clock is ahead, seen from the middle of asking it. */
export async function offsetFrom(ask: () => Promise<number>, now: () => number): Promise<number> {
  const before = now();
  const other = await ask();
  return (other - (before + now()) / 2) / 1_000;
}

export function judgeClock(whose: string, offsetSeconds: number): Finding {
  const size = Math.abs(offsetSeconds);
  if (size < NOTICEABLE_SECONDS) {
    return ok(AREA, `The clock of ${whose} agrees with this machine's.`);
  }
  const what = `The clock of ${whose} is ${size.toFixed(1)} s ${offsetSeconds > 0 ? 'ahead of' : 'behind'} this machine's.`;
  const advice =
    'Run a time service (chrony, systemd-timesyncd) on both machines; tokens and keys are judged by the clock.';
  return size < HARMFUL_SECONDS ? warning(AREA, what, advice) : error(AREA, what, advice);
}

async function databaseTime(db: Database): Promise<number> {
  const row = await queryRow<{ ms: string }>(
    db,
    'select (extract(epoch from clock_timestamp()) * 1000)::text as ms',
  );
  return Number(row?.ms);
}
