// Starts a nameserver that relays updates, and zones of several sizes.
import { openConnections, requireOk } from '../dns-api/http-client.mjs';
import { createZones, fillZone } from '../dns-api/zones.mjs';
import { Child, profileOptions } from '../lib/child.mjs';
import { database, mainOf } from '../lib/packages.mjs';
import { logIn } from '../lib/tenant.mjs';
import { untilInStep } from '../publication/nameservers.mjs';
import { measureCalls, newUpdate } from './client.mjs';

const NAME = 'ns1-1';
const { DATABASE_ROLES, withRole } = database;

/**
 * `zones`: names by number of records. `measureCommits`: as the DNS API answers, which does not wait for nameservers.
 */
export async function startZonewright(platform, sizes, transferKeys) {
  const { db, url, apiUrl, identityUrl, nameserverCredentials } = platform;
  const zones = new Map();
  for (const size of new Set(sizes)) {
    const [zone] = await createZones(platform, 1);
    await fillZone(db, zone, size);
    zones.set(size, zone.name);
  }
  await db.raw('analyze');
  const nameserver = await Child.start(
    [process.execPath, ...profileOptions(), mainOf('nameserver')],
    {
      DATABASE_URL: withRole(url, DATABASE_ROLES.nameserver),
      TRANSFER_ENCRYPTION_KEYS: transferKeys,
      NAMESERVER_NAME: NAME,
      NAMESERVER_HOST: '127.0.0.1',
      NAMESERVER_PORT: '0',
      NAMESERVER_OPERATIONS_PORT: '0',
      NAMESERVER_UPDATE_URL: apiUrl.href,
      IDENTITY_URL: identityUrl,
      NAMESERVER_SERVICE_ACCESS_KEY: nameserverCredentials.accessKey,
      NAMESERVER_SERVICE_SECRET_KEY: nameserverCredentials.secretKey,
    },
  );
  await untilInStep(db, [NAME]);
  const key = await createKey(platform);
  return {
    zones,
    key,
    port: portOf(nameserver.ready),
    pids: [platform.apiPid, platform.identityPid, nameserver.pid],
    measureCommits: (zone) => withCommits(platform, zone, key, measureCalls),
    withCommits: (zone, use) => withCommits(platform, zone, key, use),
    stop: () => nameserver.stop(),
  };
}

async function createKey({ identityUrl, token }) {
  const [connection] = await openConnections(new URL(identityUrl), 1);
  const path = '/v2.0/EXT-IDM/v1.0/accesskeys';
  const body = { accessKey: {} };
  const answer = requireOk(await connection.request('POST', path, { token, body }), 201);
  connection.close();
  const { accessKeyId, secretKey } = JSON.parse(answer.text()).accessKey;
  const secret = Buffer.from(secretKey, 'base64');
  return { name: `${accessKeyId}.`, algorithm: 'hmac-sha256', secret };
}

/**
 * Passes a function that sends an update as the nameserver does, without waiting for its publication. It returns the
 * name of the record.
 */
async function withCommits({ apiUrl, identityUrl, nameserverCredentials }, zone, key, use) {
  const token = await logIn(identityUrl, { apiAccessKeyCredentials: nameserverCredentials });
  const [connection] = await openConnections(apiUrl, 1);
  try {
    return await use(async () => {
      const { message: octets, name } = newUpdate(zone, key);
      const message = Buffer.from(octets).toString('base64');
      const body = { message, source: '127.0.0.1', transport: 'tcp' };
      requireOk(await connection.request('POST', '/internal/v1/updates', { token, body }));
      return name;
    });
  } finally {
    connection.close();
  }
}

/** Returns the port in the nameserver's ready message. */
function portOf({ addresses }) {
  const [, port] = /:(\d+)$/.exec(addresses.dns ?? '') ?? [];
  if (port === undefined) throw new Error(`no port in ${JSON.stringify(addresses)}`);
  return Number(port);
}
