import { type Database, listTableSizes, queryRow } from '@zonewright/database';
import { type Check, error, type Finding, ok, warning } from './finding.js';

const CLOCK_AREA = 'clock';
/** Clock differences that get a warning or an error: one machine issues a token, and another one checks its times. */
const NOTICEABLE_SECONDS = 2;
const HARMFUL_SECONDS = 60;

/** Compares this machine's clock with PostgreSQL's. */
export const checkDatabaseClock: Check = async ({ db, clock }) => [
  judgeClock('PostgreSQL', await offsetFrom(() => databaseTime(db), clock.now.bind(clock))),
];

/** Returns the number of seconds by which another clock is ahead, measured at the middle of the request. */
export async function offsetFrom(ask: () => Promise<number>, now: () => number): Promise<number> {
  const before = now();
  const other = await ask();
  return (other - (before + now()) / 2) / 1_000;
}

export function judgeClock(whose: string, offsetSeconds: number): Finding {
  const size = Math.abs(offsetSeconds);
  if (size < NOTICEABLE_SECONDS) {
    return ok(CLOCK_AREA, `The clock of ${whose} agrees with the clock of this machine.`);
  }
  const what = `The clock of ${whose} is ${size.toFixed(1)} s ${offsetSeconds > 0 ? 'ahead of' : 'behind'} the clock of this machine.`;
  const advice =
    'Run a time service (chrony, systemd-timesyncd) on both machines; the validity of tokens and keys depends on the clock.';
  return size < HARMFUL_SECONDS
    ? warning(CLOCK_AREA, what, advice)
    : error(CLOCK_AREA, what, advice);
}

async function databaseTime(db: Database): Promise<number> {
  const row = await queryRow<{ ms: string }>(
    db,
    'select (extract(epoch from clock_timestamp()) * 1000)::text as ms',
  );
  return Number(row?.ms);
}

const DISK_AREA = 'disk';
const SHOWN_TABLES = 3;
const UNITS = ['octets', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Checks the size of the database, and names its largest tables. */
export const checkDisk: Check = async ({ db, settings }) => {
  const row = await queryRow<{ octets: number }>(
    db,
    'select pg_database_size(current_database()) as octets',
  );
  const octets = row?.octets ?? 0;
  const tables = (await listTableSizes(db, 'identity', 'dns'))
    .slice(0, SHOWN_TABLES)
    .map((table) => `${table.table} ${renderOctets(table.octets)}`);
  const what = `The database uses ${renderOctets(octets)}; its largest tables: ${tables.join(', ')}.`;
  if (octets <= settings.doctor.databaseBytes) return [ok(DISK_AREA, what)];
  return [
    warning(
      DISK_AREA,
      `${what} That is more than DOCTOR_DATABASE_BYTES.`,
      'Check what is stored and for how long (docs/operations/retention.md), or increase DOCTOR_DATABASE_BYTES if there is enough space.',
    ),
  ];
};

function renderOctets(octets: number): string {
  const power = octets < 1_024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(octets) / 10));
  return `${(octets / 1_024 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power] ?? ''}`;
}
