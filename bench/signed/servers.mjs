// Servers with the large zone: Zonewright with the database, NSD and Knot with a signed file, and servers that sign on
// demand.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVERS } from '../dns/servers.mjs';
import { startServer } from '../dns/server-process.mjs';
import { saturate } from '../dns/dnsperf.mjs';
import { cpuSeconds, memoryMegabytes } from '../dns/processes.mjs';
import { printTable, spread, whole } from '../dns/report.mjs';
import { database, mainOf } from '../lib/packages.mjs';
import { KNOT_ONE_WORKER, knotConfig, powerdnsConfig } from '../lib/server-configs.mjs';
import { LARGE_ZONE, run } from './zone.mjs';

const WARM_UP_SECONDS = 2;
const SETTLE_MS = 3_000;

/** Describes a Zonewright nameserver, which reads the zone from PostgreSQL and does not answer before it is loaded. */
export function zonewrightOf(url) {
  return {
    program: process.execPath,
    prepare: ({ port }) => ({
      arguments: [mainOf('nameserver')],
      environment: {
        DATABASE_URL: database.withRole(url, database.DATABASE_ROLES.nameserver),
        LOG_LEVEL: 'error',
        NAMESERVER_HOST: '127.0.0.1',
        NAMESERVER_PORT: String(port),
        NAMESERVER_OPERATIONS_PORT: '0',
        NAMESERVER_UDP_WORKERS: '1',
        NAMESERVER_RATE_LIMIT: 'false',
      },
    }),
    // The answer must be NOERROR with an address.
    isAnswer: (message) => (message[3] & 0x0f) === 0 && message.readUInt16BE(6) > 0,
  };
}

const LIVE = {
  'PowerDNS, live': {
    program: '/usr/sbin/pdns_server',
    prepare: ({ folder, port, zoneFile }) => {
      writeFileSync(
        join(folder, 'named.conf'),
        `zone "${LARGE_ZONE}" { type master; file "${zoneFile}"; };\n`,
      );
      writeFileSync(
        join(folder, 'pdns.conf'),
        powerdnsConfig(
          { folder, port },
          { named: join(folder, 'named.conf'), rest: `bind-dnssec-db=${folder}/dnssec.db` },
        ),
      );
      run('pdnsutil', [`--config-dir=${folder}`, 'create-bind-db', join(folder, 'dnssec.db')]);
      run('pdnsutil', [`--config-dir=${folder}`, 'secure-zone', LARGE_ZONE]);
      return { arguments: [`--config-dir=${folder}`] };
    },
  },
  'Knot, onlinesign': {
    program: '/usr/sbin/knotd',
    prepare: ({ folder, port, zoneFile }) => {
      const config = join(folder, 'knot.conf');
      writeFileSync(
        config,
        knotConfig(
          { folder, port },
          {
            server: KNOT_ONE_WORKER,
            rest: `mod-onlinesign:
  - id: default
zone:
  - domain: "${LARGE_ZONE}."
    file: "${zoneFile}"
    zonefile-sync: -1
    journal-content: none
    module: mod-onlinesign/default`,
          },
        ),
      );
      return { arguments: ['-c', config] };
    },
  },
};

export const SIGNED = { NSD: SERVERS.NSD, Knot: SERVERS.Knot };
export { LIVE };

/** Starts those of the given servers that are installed. */
export async function startServers(servers, parts) {
  const running = [];
  for (const [name, server] of Object.entries(servers)) {
    if (!existsSync(server.program)) {
      console.error(`SKIPPED ${name}: ${server.program} is not here`);
      continue;
    }
    running.push(await startServer(name, server, parts));
  }
  return running;
}

/**
 * Queries all servers in turn, and prints CPU time per query, queries per second and memory. The first one is
 * Zonewright.
 */
export async function compareAnswers({ rounds, seconds }, { running, loads, caption }) {
  const results = running.map(() => []);
  for (const { port } of running) {
    for (const { file, options } of loads) await saturate(port, file, WARM_UP_SECONDS, options);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { what, file, options } of loads) {
      for (const [at, { child, port }] of running.entries()) {
        const before = cpuSeconds(child.pid);
        const { completed, perSecond } = await saturate(port, file, seconds, options);
        const microseconds = ((cpuSeconds(child.pid) - before) / completed) * 1e6;
        results[at].push({ what, microseconds, perSecond });
      }
    }
  }
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const of = (at, what) => results[at].filter((result) => result.what === what);
  printTable(
    `${caption}, ${rounds} rounds of ${seconds} s`,
    [
      'server',
      ...loads.flatMap(({ what }) => [`${what}, us`, 'ours beside it', 'queries/s']),
      'memory, MB',
    ],
    running.map(({ name, child }, at) => [
      name,
      ...loads.flatMap(({ what }) => [
        spread(
          of(at, what).map(({ microseconds }) => microseconds),
          1,
        ),
        spread(
          of(at, what).map(
            ({ microseconds }, round) => of(0, what)[round].microseconds / microseconds,
          ),
          2,
        ),
        whole(of(at, what)[0].perSecond),
      ]),
      whole(memoryMegabytes(child.pid)),
    ]),
  );
}
