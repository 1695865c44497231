// Measures creates per second compared with the HTTP API of PowerDNS, with its PostgreSQL backend on the same server.
// It is skipped without pdns_server and its gpgsql backend.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { database, serviceKit } from '../lib/packages.mjs';
import { compare } from '../lib/rounds.mjs';
import { callsPerSecond, openConnections, requireOk } from './http-client.mjs';
import { pinned } from './pinning.mjs';
import { createZones, recordBody } from './zones.mjs';

const CONNECTIONS = 32;
const SCHEMA = '/usr/share/pdns-backend-pgsql/schema/schema.pgsql.sql';
const API_KEY = 'bench';

export async function measurePowerdns(platform, length) {
  if (!hasPowerdns()) return [];
  const { apiUrl, apiPid, token } = platform;
  const zones = await createZones(platform, CONNECTIONS);
  const connections = await openConnections(apiUrl, CONNECTIONS);
  const powerdns = await startPowerdns(platform);
  let made = 0;
  try {
    for (const { name } of zones) {
      await powerdns.call('POST', '', { name, kind: 'Native', nameservers: ['ns1.example.'] });
    }
    return [
      await compare(length, {
        title: `Create Record, ${CONNECTIONS} connections, each in a zone of its own`,
        unit: '/s',
        against: `${powerdns.version} over HTTP, backend gpgsql, the same PostgreSQL`,
        goal: 3,
        service: {
          pid: apiPid,
          run: (seconds) =>
            callsPerSecond(connections, seconds, async (connection, at) => {
              const { id } = zones[at];
              const body = recordBody(zones[at], (made += 1));
              const path = `/v1/domains/${id}/records`;
              requireOk(await connection.request('POST', path, { token, body }));
            }),
        },
        bare: {
          pid: powerdns.pid,
          run: (seconds) =>
            callsPerSecond(zones, seconds, async (zone) => {
              const { name, type, data, ttl } = recordBody(zone, (made += 1));
              const records = [{ content: data, disabled: false }];
              const rrsets = [{ name, type, ttl, changetype: 'REPLACE', records }];
              await powerdns.call('PATCH', `/${zone.name}`, { rrsets });
            }),
        },
      }),
    ];
  } finally {
    for (const connection of connections) connection.close();
    await powerdns.stop();
  }
}

export function hasPowerdns() {
  if (existsSync(SCHEMA) && spawnSync('pdns_server', ['--version']).error === undefined)
    return true;
  console.error('SKIPPED: pdns-server or pdns-backend-pgsql is not installed');
  return false;
}

/**
 * Starts PowerDNS with a separate database on the PostgreSQL server of the service. `prepare` may fill the database;
 * `more` contains further settings.
 */
export async function startPowerdns({ db, url }, { prepare, ...more } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-bench-'));
  const name = `pdns_${process.pid}`;
  await db.raw(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const ownDb = database.openDatabase({
    url: own.href,
    applicationName: 'bench',
    maxConnections: 1,
    statementTimeoutMs: 0,
  });
  await ownDb.raw(readFileSync(SCHEMA, 'utf8'));
  await prepare?.(ownDb);
  await ownDb.destroy();
  const [port, dnsPort] = [await serviceKit.freePort(), await serviceKit.freePort()];
  const settings = {
    'config-dir': folder,
    'socket-dir': folder,
    launch: 'gpgsql',
    'gpgsql-host': own.hostname,
    'gpgsql-port': own.port || '5432',
    'gpgsql-dbname': name,
    'gpgsql-user': decodeURIComponent(own.username),
    'gpgsql-password': decodeURIComponent(own.password),
    'local-address': '127.0.0.1',
    'local-port': dnsPort,
    webserver: 'yes',
    'webserver-port': port,
    'webserver-loglevel': 'none',
    api: 'yes',
    'api-key': API_KEY,
    'disable-syslog': 'yes',
    loglevel: 3,
    ...more,
  };
  const [command, ...args] = pinned([
    'pdns_server',
    ...Object.entries(settings).map(([setting, value]) => `--${setting}=${value}`),
  ]);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const call = (method, path, body) => request(port, method, path, body);
  const server = await untilItAnswers(child, port);
  return {
    pid: child.pid,
    dnsPort,
    version: `PowerDNS ${server.version}`,
    call,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      await db.raw(`drop database ${name} with (force)`);
      rmSync(folder, { recursive: true });
    },
  };
}

async function untilItAnswers(child, port) {
  while (child.exitCode === null) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/servers/localhost`, {
        headers: { 'x-api-key': API_KEY },
      });
      return await response.json();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`pdns_server ended with ${child.exitCode}`);
}

/** Sends a request. PowerDNS closes the connection after each response. */
async function request(port, method, path, body) {
  const payload = JSON.stringify(body);
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.write(
    `${method} /api/v1/servers/localhost/zones${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${API_KEY}\r\n` +
      `Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(payload)}\r\n\r\n${payload}`,
  );
  let answer = '';
  for await (const chunk of socket) answer += chunk.toString('latin1');
  if (!/^HTTP\/1\.\d 20\d/.test(answer)) throw new Error(`answered ${answer}`);
}
