import { queryRow } from '../sql/query.js';
import type { Check } from './doctor.js';
import { ok, warning } from './finding.js';

const AREA = 'connections';
const TIMEOUT_MS = 3_000;
/** Of one process besides its pool: for notifications, and for the status of nameservers. */
const BESIDE_POOL = 2;
/** As identity-service and dns-api show it. */
const LIMIT = /^\w+_database_connections\{[^}]*state="limit"[^}]*\} (\d+)$/m;

/** What all services together may open, as the metrics of DOCTOR_READY_URLS tell, beside what PostgreSQL allows. */
export const checkConnections: Check = async ({ db, settings }) => {
  const limits = await Promise.all(settings.doctor.readyUrls.map(readLimit));
  const needed = limits.reduce((sum: number, limit) => sum + limit + BESIDE_POOL, 0);
  if (needed === 0) return [ok(AREA, 'DOCTOR_READY_URLS is not set: pools are not counted.')];
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

/** Connections of its pool at most; 0 for a nameserver, and for who does not answer, which another check tells. */
async function readLimit(url: string): Promise<number> {
  try {
    const target = `${url.replace(/\/+$/, '')}/metrics`;
    const response = await fetch(target, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return Number(LIMIT.exec(await response.text())?.[1] ?? 0);
  } catch {
    return 0;
  }
}
