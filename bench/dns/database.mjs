// Prepares a PostgreSQL database with the zones of the benchmark, on a new server or on that of DATABASE_URL.
import { createHash } from 'node:crypto';
import { startBenchDatabase } from '../lib/bench-database.mjs';
import { database, mainOf } from '../lib/packages.mjs';
import { pinDatabase } from '../dns-api/pinning.mjs';
import { LARGE_ZONE } from './zones.mjs';

const { canonicalRdata, rdataToWire } = await import(
  new URL('../../packages/dns-records/dist/index.js', import.meta.url)
);

/** URL that no Redis listens on, since the nameserver does not use one. */
const NO_REDIS = 'redis://127.0.0.1:1';

export async function startDatabase({ size }) {
  const { url, db, stop } = await startBenchDatabase({ maxConnections: 8, redisUrl: NO_REDIS });
  try {
    if (process.env.DATABASE_URL === undefined) {
      const { rows } = await db.raw('select pg_backend_pid() as pid');
      pinDatabase(rows[0].pid);
    }
    console.error('filling PostgreSQL ...');
    await fill(db, size);
    const nameserverUrl = database.withRole(url, database.DATABASE_ROLES.nameserver);
    return { db, nameserverUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Fills the database with the zones in the files of zones.mjs. SOA and NS come from the list of nameservers. */
async function fill(db, { zones, records, large }) {
  await db.raw(
    `insert into dns.nameserver_domain (name, email, serial) values ('ns.bench.example.', 'admin@bench.example', 1)`,
  );
  await db.raw(
    `insert into dns.servers (name, position, ipv4) values ('ns1-1.ns.bench.example.', 1, '192.0.2.53')`,
  );
  await db.raw(
    `insert into dns.domains (tenant_id, name, email, ttl, serial, record_count)
     select 'bench', 'z' || n || '.example.', 'admin@example.com', 3600, 1, ?::integer + 1
       from generate_series(0, ?::integer - 1) as n`,
    [records, zones],
  );
  await db.raw(
    `insert into dns.domains (tenant_id, name, email, ttl, serial, record_count)
     values ('bench', ?, 'admin@example.com', 3600, 1, ?)`,
    [`${LARGE_ZONE}.`, large + 1],
  );
  await db.raw(
    `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest, ttl)
     select d.id, 'h' || n || '.' || d.name, 'A', host('198.51.0.0'::inet + n),
            int4send((3325231104 + n - 4294967296)::integer), sha256(int4send((3325231104 + n - 4294967296)::integer)), 300
       from dns.domains as d, generate_series(0, case d.name when ? then ?::integer else ?::integer end - 1) as n`,
    [`${LARGE_ZONE}.`, large, records],
  );
  await addExchangers(db);
  await db.raw('analyze dns.domains');
  await db.raw('analyze dns.records');
}

async function addExchangers(db) {
  const { rows } = await db.raw('select d.id, d.name from dns.domains as d');
  const rdatas = rows.map(({ name }) => Buffer.from(rdataToWire('MX', `h0.${name}`, 10)));
  const digests = rdatas.map((rdata) =>
    createHash('sha256').update(canonicalRdata('MX', rdata)).digest(),
  );
  await db.raw(
    `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest, ttl, priority)
     select z.id, z.name, 'MX', 'h0.' || z.name, z.rdata, z.digest, 3600, 10
       from unnest(?::uuid[], ?::text[], ?::bytea[], ?::bytea[]) as z (id, name, rdata, digest)`,
    [rows.map(({ id }) => id), rows.map(({ name }) => name), rdatas, digests],
  );
}

/** Describes a nameserver on this database in the form of servers.mjs. */
export const withDatabase = (url, settings = {}) => ({
  program: process.execPath,
  prepare: ({ port }) => ({
    arguments: [mainOf('nameserver')],
    environment: {
      DATABASE_URL: url,
      LOG_LEVEL: 'error',
      NAMESERVER_HOST: '127.0.0.1',
      NAMESERVER_PORT: String(port),
      NAMESERVER_OPERATIONS_PORT: '0',
      NAMESERVER_UDP_TRANSPORT: 'batch',
      NAMESERVER_UDP_WORKERS: '1',
      NAMESERVER_RATE_LIMIT: 'false',
      ...settings,
    },
  }),
});
