import { leadsToPooler, queryRows } from '@zonewright/database';
import type { Check } from './finding.js';
import { error, type Finding, ok, warning } from './finding.js';

const AREA = 'sessions';
/** Application names of the connections of each API, for requests and for listening. */
const LISTENERS: Readonly<Record<string, readonly string[]>> = {
  'zonewright-identity': ['zonewright-identity-listen'],
  'zonewright-dns-api': [
    'zonewright-dns-api-publication-listen',
    'zonewright-dns-api-events-listen',
  ],
};

/** Checks that connections which need a session do not lead through a pooler. */
export const checkSessions: Check = async ({ db }) => {
  const findings: Finding[] = [];
  if (await leadsToPooler(db)) {
    findings.push(
      warning(
        AREA,
        'DATABASE_URL of this command points to a connection pooler, through which migrations cannot build indexes.',
        'Point DATABASE_URL of migrate and of zonewright-admin directly to PostgreSQL.',
      ),
    );
  }
  const rows = await queryRows<{ name: string }>(
    db,
    `select distinct a.application_name as name from pg_stat_activity as a where a.datname = current_database()`,
  );
  const names = new Set(rows.map(({ name }) => name));
  for (const [service, listeners] of Object.entries(LISTENERS)) {
    const missing = names.has(service) ? listeners.filter((name) => !names.has(name)) : [];
    if (missing.length === 0) continue;
    findings.push(
      error(
        AREA,
        `${service} is connected, but ${missing.join(' and ')} is not: it is not notified of changes.`,
        'If its DATABASE_URL points to a connection pooler, point DATABASE_SESSION_URL directly to PostgreSQL.',
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok(AREA, 'Each service that must be notified of changes has a PostgreSQL session.')];
};
