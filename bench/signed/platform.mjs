// Starts a database with the large zone and a signer; or dns-api, a signer, and zones that they sign.
import { startBenchDatabase } from '../lib/bench-database.mjs';
import { Child, profileOptions } from '../lib/child.mjs';
import { openConnections, requireOk } from '../dns-api/http-client.mjs';
import { startPlatform } from '../dns-api/platform.mjs';
import { database, mainOf, serviceKit } from '../lib/packages.mjs';
import { cpuSeconds } from '../dns/processes.mjs';
import { readFileSync } from 'node:fs';
import { insertZone } from './zone.mjs';

const POLL_MS = 250;
const SIGNER_SECRET = 'a secret of the benchmark, of 32 characters';

/** `everyMs`: interval of the signer's search for new zones. Undefined means that of production. */
async function startSigner(url, { port = 0, everyMs } = {}) {
  return await Child.start([process.execPath, ...profileOptions(), mainOf('signer')], {
    DATABASE_URL: database.withRole(url, database.DATABASE_ROLES.signer),
    LOG_LEVEL: 'warn',
    SIGNER_ENCRYPTION_KEYS: database.generateKeyringText('bench'),
    SIGNER_SECRET,
    SIGNER_HOST: '127.0.0.1',
    SIGNER_PORT: String(port),
    SIGNER_OPERATIONS_PORT: '0',
    ...(everyMs === undefined ? {} : { SIGNER_JOBS_EVERY_MS: String(everyMs) }),
  });
}

/**
 * Resolves with the database, and the duration of the first signing: total, and CPU time of signer and PostgreSQL, in
 * seconds.
 */
export async function signInDatabase({ names }) {
  const { url, db, stop, cleanUp } = await startBenchDatabase({ maxConnections: 1 });
  try {
    await insertZone(db, names);
    const { rows } = await db.raw('select pg_backend_pid() as pid');
    const status = readFileSync(`/proc/${rows[0].pid}/status`, 'utf8');
    const postmaster = Number(/^PPid:\s+(\d+)$/m.exec(status)[1]);
    const signer = await startSigner(url, { everyMs: 100 });
    cleanUp.push(() => signer.stop());
    const before = cpuSeconds(postmaster);
    const began = performance.now();
    await db.raw(
      `insert into dns.zone_dnssec (domain_id, state, algorithm) select d.id, 'signing', 13 from dns.domains as d`,
    );
    while (!(await isSigned(db))) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const wall = (performance.now() - began) / 1_000;
    return {
      ...{ url, db, stop, wall },
      signerCpu: cpuSeconds(signer.pid),
      databaseCpu: cpuSeconds(postmaster) - before,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function isSigned(db) {
  const { rows } = await db.raw('select z.state from dns.zone_dnssec as z');
  return rows[0]?.state === 'signed';
}

/** Starts dns-api with its dependencies, and a signer. */
export async function startSigningPlatform(options) {
  const port = await serviceKit.freePort();
  const env = { SIGNER_URL: `http://127.0.0.1:${port}`, SIGNER_SECRET };
  const platform = await startPlatform({ ...options, env });
  try {
    await platform.db.raw(
      `update dns.nameserver_status as s set capabilities = '{dnssec}' where s.capabilities is null`,
    );
    const signer = await startSigner(platform.url, { port });
    const stop = async () => {
      await signer.stop();
      await platform.stop();
    };
    return { ...platform, signer, stop };
  } catch (error) {
    await platform.stop();
    throw error;
  }
}

/** Resolves when a zone is signed. */
export async function signZone({ apiUrl, token, db }, { id }) {
  const [connection] = await openConnections(apiUrl, 1);
  const path = `/v1/domains/${id}/dnssec`;
  requireOk(await connection.request('PUT', path, { token, body: { enabled: true } }));
  connection.close();
  for (;;) {
    const { rows } = await db.raw(
      'select z.state from dns.zone_dnssec as z where z.domain_id = ?',
      [id],
    );
    if (rows[0]?.state === 'signed') return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
