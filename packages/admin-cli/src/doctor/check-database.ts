import { queryRow } from '@zonewright/database';
import { type Check, error, type Finding, ok, warning } from './finding.js';

const DATABASE_AREA = 'database';
/** The schema needs PostgreSQL 15 because of NULLS NOT DISTINCT. */
const LEAST_VERSION = 150_000;
/** The share of max_connections above which a burst of requests may find no free connection. */
const CONNECTIONS_SHARE = 0.85;
/**
 * The age of the oldest transaction at which to warn. PostgreSQL stops writing at about 2^31 transactions; autovacuum
 * becomes aggressive at 200 million.
 */
const OLD_TRANSACTION_AGE = 1_000_000_000;

interface ServerFacts {
  readonly version: number;
  readonly versionText: string;
  readonly login: string;
  readonly isSuperuser: boolean;
  readonly isStandby: boolean;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly connections: number;
  readonly maxConnections: number;
  readonly age: number;
  readonly oldPrepared: number;
}

/** Checks PostgreSQL itself: whether it answers, its version, and risks of losing data or stopping. */
export const checkDatabase: Check = async ({ db }) => {
  const facts = await queryRow<ServerFacts>(
    db,
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as "versionText",
            current_user as login, current_setting('is_superuser') = 'on' as "isSuperuser",
            pg_is_in_recovery() as "isStandby", current_setting('fsync') as fsync,
            current_setting('full_page_writes') as "fullPageWrites",
            (select count(*) from pg_stat_activity as a where a.backend_type = 'client backend') as connections,
            current_setting('max_connections')::int as "maxConnections",
            (select age(d.datfrozenxid) from pg_database as d where d.datname = current_database()) as age,
            (select count(*) from pg_prepared_xacts as p where p.prepared < now() - interval '1 hour') as "oldPrepared"`,
  );
  if (facts === undefined) throw new Error('PostgreSQL returned no row');
  return [
    ok(DATABASE_AREA, `PostgreSQL ${facts.versionText} responds; logged in as ${facts.login}.`),
    ...checkServer(facts),
    ...checkUse(facts),
  ];
};

function checkServer(facts: ServerFacts): Finding[] {
  const findings: Finding[] = [];
  if (facts.version < LEAST_VERSION) {
    findings.push(
      error(
        DATABASE_AREA,
        `PostgreSQL ${facts.versionText} is too old.`,
        'Upgrade to PostgreSQL 15 or newer.',
      ),
    );
  }
  if (facts.isStandby) {
    findings.push(
      error(
        DATABASE_AREA,
        'DATABASE_URL points to a standby, which does not accept changes.',
        'Point DATABASE_URL to the primary.',
      ),
    );
  }
  if (facts.isSuperuser) {
    findings.push(
      warning(
        DATABASE_AREA,
        `zonewright-admin is logged in as the superuser ${facts.login}.`,
        'Create a login for zonewright_operator (OPERATOR_DATABASE_PASSWORD, migrate) and use it in DATABASE_URL.',
      ),
    );
  }
  if (facts.fsync !== 'on' || facts.fullPageWrites !== 'on') {
    findings.push(
      error(
        DATABASE_AREA,
        'fsync or full_page_writes of PostgreSQL is off: a crash may destroy the database.',
        'Remove these two settings from postgresql.conf and restart PostgreSQL.',
      ),
    );
  }
  return findings;
}

function checkUse(facts: ServerFacts): Finding[] {
  const findings: Finding[] = [];
  if (facts.connections > facts.maxConnections * CONNECTIONS_SHARE) {
    findings.push(
      warning(
        DATABASE_AREA,
        `${facts.connections} of ${facts.maxConnections} connections are in use.`,
        'Increase max_connections, or decrease *_DATABASE_CONNECTIONS of the services.',
      ),
    );
  }
  if (facts.age > OLD_TRANSACTION_AGE) {
    findings.push(
      warning(
        DATABASE_AREA,
        `The oldest row version is ${facts.age} transactions old; at 2,100,000,000 PostgreSQL stops writing.`,
        'Run VACUUM (FREEZE) as the owner, and find out why autovacuum does not run.',
      ),
    );
  }
  if (facts.oldPrepared > 0) {
    findings.push(
      warning(
        DATABASE_AREA,
        `${facts.oldPrepared} prepared transactions are older than an hour: nameservers must read the change feed again from before these transactions.`,
        'Commit them or roll them back (pg_prepared_xacts); Zonewright does not prepare transactions.',
      ),
    );
  }
  return findings;
}

const CONNECTIONS_AREA = 'connections';
const TIMEOUT_MS = 3_000;
/** Matches the metric for the maximum number of connections, which every service has. */
const MOST = /^zonewright_database_connections_max (\d+)$/m;

/**
 * Compares the connections that all services may open, from the metrics of DOCTOR_READY_URLS, with the limit of
 * PostgreSQL.
 */
export const checkConnections: Check = async ({ db, settings }) => {
  if (settings.doctor.readyUrls.length === 0)
    return [
      ok(CONNECTIONS_AREA, 'DOCTOR_READY_URLS is not set: connection pools are not counted.'),
    ];
  const counts = await Promise.all(settings.doctor.readyUrls.map(readMost));
  const needed = counts.reduce((sum: number, count) => sum + count, 0);
  const row = await queryRow<{ most: number }>(
    db,
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
  );
  const most = row?.most ?? 0;
  const what = `The services of DOCTOR_READY_URLS may open ${needed} connections; PostgreSQL allows ${most}.`;
  if (needed <= most) return [ok(CONNECTIONS_AREA, what)];
  return [
    warning(
      CONNECTIONS_AREA,
      what,
      'Increase max_connections, or decrease *_DATABASE_CONNECTIONS: requests fail when all connections are in use.',
    ),
  ];
};

/** Returns the sum of pools and listeners. It is 0 if the service does not respond, which another check reports. */
async function readMost(url: string): Promise<number> {
  try {
    const target = `${url.replace(/\/+$/, '')}/metrics`;
    const response = await fetch(target, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return Number(MOST.exec(await response.text())?.[1] ?? 0);
  } catch {
    return 0;
  }
}
