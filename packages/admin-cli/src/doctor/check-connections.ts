import { queryRow } from '@zonewright/database';
import type { Check } from './examination.js';
import { ok, warning } from './finding.js';

const AREA = 'connections';
const TIMEOUT_MS = 3_000;
/** Metric that every service has. */
const MOST = /^zonewright_database_connections_max (\d+)$/m;

/** Compares the connections that all services may open, by the metrics of DOCTOR_READY_URLS, with the limit of PostgreSQL. */
export const checkConnections: Check = async ({ db, settings }) => {
  if (settings.doctor.readyUrls.length === 0)
    return [ok(AREA, 'DOCTOR_READY_URLS is not set: pools are not counted.')];
  const counts = await Promise.all(settings.doctor.readyUrls.map(readMost));
  const needed = counts.reduce((sum: number, count) => sum + count, 0);
  const row = await queryRow<{ most: number }>(
    db,
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
  );
  const most = row?.most ?? 0;
  const what = `The services of DOCTOR_READY_URLS may open ${needed} connections; PostgreSQL has ${most}.`;
  if (needed <= most) return [ok(AREA, what)];
  return [
    warning(
      AREA,
      what,
      'Raise max_connections, or lower *_DATABASE_CONNECTIONS of the services; otherwise some fail when all are busy.',
    ),
  ];
};

/** Returns the maximum of pools and listeners. It is 0 if the service does not respond, which another check reports. */
async function readMost(url: string): Promise<number> {
  try {
    const target = `${url.replace(/\/+$/, '')}/metrics`;
    const response = await fetch(target, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return Number(MOST.exec(await response.text())?.[1] ?? 0);
  } catch {
    return 0;
  }
}
