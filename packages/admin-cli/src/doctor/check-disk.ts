import { listTableSizes, queryRow } from '@zonewright/database';
import type { Check } from './examination.js';
import { ok, warning } from './finding.js';

const AREA = 'disk';
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
  const what = `The database takes ${renderOctets(octets)}; its largest tables: ${tables.join(', ')}.`;
  if (octets <= settings.doctor.databaseBytes) return [ok(AREA, what)];
  return [
    warning(
      AREA,
      `${what} That is more than DOCTOR_DATABASE_BYTES.`,
      'Look at what is kept and for how long (docs/operations/retention.md), or raise DOCTOR_DATABASE_BYTES if there is room.',
    ),
  ];
};

function renderOctets(octets: number): string {
  const power = octets < 1_024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(octets) / 10));
  return `${(octets / 1_024 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power] ?? ''}`;
}
