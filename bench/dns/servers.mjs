// Describes how each server is started with the zones of the benchmark: its program, and a function that writes its
// files and returns arguments and environment. All have one thread, no logging, no rate limit, and no minimal answers.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bindConfig, KNOT_ONE_WORKER, knotConfig, powerdnsConfig } from '../lib/server-configs.mjs';
import { writeZonewrightSnapshot } from './zonewright-snapshot.mjs';

const MAIN = fileURLToPath(new URL('../../packages/nameserver/dist/main.js', import.meta.url));

function writeConfig(folder, name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const ECHO_SOURCE = fileURLToPath(new URL('echo.c', import.meta.url));

export const zonewright =
  (transport, settings = {}) =>
  async ({ folder, port, zones }) => {
    await writeZonewrightSnapshot(folder, zones);
    return {
      arguments: [MAIN],
      environment: {
        DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
        LOG_LEVEL: 'error',
        NAMESERVER_HOST: '127.0.0.1',
        NAMESERVER_PORT: String(port),
        NAMESERVER_OPERATIONS_PORT: '0',
        NAMESERVER_UDP_TRANSPORT: transport,
        NAMESERVER_UDP_WORKERS: '1',
        NAMESERVER_RATE_LIMIT: 'false',
        NAMESERVER_STALE_AFTER_SECONDS: '86400',
        NAMESERVER_SNAPSHOT_DIR: folder,
        ...settings,
      },
    };
  };

export const SERVERS = {
  echo: {
    program: '/usr/bin/gcc',
    isAnswer: () => true,
    prepare: ({ folder, port }) => {
      const program = join(folder, 'echo');
      const { status, stderr } = spawnSync('gcc', ['-O2', '-o', program, ECHO_SOURCE]);
      if (status !== 0) throw new Error(`gcc: ${stderr}`);
      return { program, arguments: [String(port)] };
    },
  },
  Zonewright: { program: process.execPath, prepare: zonewright('batch') },
  'Zonewright, dgram': { program: process.execPath, prepare: zonewright('dgram') },
  NSD: {
    program: '/usr/sbin/nsd',
    prepare: ({ folder, port, zones, zoneFolder }) => ({
      arguments: [
        '-d',
        '-c',
        writeConfig(
          folder,
          'nsd.conf',
          `
server:
  ip-address: 127.0.0.1@${port}
  username: ""
  server-count: 1
  zonesdir: "${zoneFolder}"
  database: ""
  pidfile: "${folder}/pid"
  zonelistfile: "${folder}/zone.list"
  xfrdfile: "${folder}/xfrd.state"
  xfrdir: "${folder}"
  minimal-responses: no
  rrl-ratelimit: 0
remote-control:
  control-enable: no
${zones.map(({ name }) => `zone:\n  name: "${name}"\n  zonefile: "${name}.zone"`).join('\n')}
`,
        ),
      ],
    }),
  },
  Knot: {
    program: '/usr/sbin/knotd',
    prepare: ({ folder, port, zones, zoneFolder }) => ({
      arguments: [
        '-c',
        writeConfig(
          folder,
          'knot.conf',
          knotConfig(
            { folder, port },
            {
              server: KNOT_ONE_WORKER,
              rest: `template:
  - id: default
    storage: "${zoneFolder}"
    file: "%s.zone"
    zonefile-sync: -1
    journal-content: none
zone:
${zones.map(({ name }) => `  - domain: "${name}."\n    file: "${name}.zone"`).join('\n')}`,
            },
          ),
        ),
      ],
    }),
  },
  BIND: {
    program: '/usr/sbin/named',
    prepare: ({ folder, port, zones, zoneFolder }) => ({
      arguments: [
        '-f',
        '-n',
        '1',
        '-c',
        writeConfig(
          folder,
          'named.conf',
          bindConfig(
            { folder, port },
            {
              options: 'minimal-responses no;',
              rest: zones
                .map(
                  ({ name }) =>
                    `zone "${name}" { type primary; file "${zoneFolder}/${name}.zone"; };`,
                )
                .join('\n'),
            },
          ),
        ),
      ],
    }),
  },
  PowerDNS: {
    program: '/usr/sbin/pdns_server',
    prepare: ({ folder, port, zones, zoneFolder }) => {
      const named = writeConfig(
        folder,
        'named.conf',
        zones
          .map(({ name }) => `zone "${name}" { type master; file "${zoneFolder}/${name}.zone"; };`)
          .join('\n'),
      );
      writeConfig(
        folder,
        'pdns.conf',
        powerdnsConfig({ folder, port }, { named, rest: 'cache-ttl=60' }),
      );
      return { arguments: [`--config-dir=${folder}`] };
    },
  },
  gdnsd: {
    program: '/usr/sbin/gdnsd',
    prepare: ({ folder, port, zones }) => {
      const zoneFolder = join(folder, 'zones');
      mkdirSync(zoneFolder, { recursive: true });
      mkdirSync(join(folder, 'state'), { recursive: true });
      // The zone files are named after their zones.
      for (const { name, text } of zones) writeFileSync(join(zoneFolder, name), text);
      writeConfig(
        folder,
        'config',
        `options => {
  listen => 127.0.0.1:${port},
  http_listen => 127.0.0.1:0,
  udp_threads => 1,
  tcp_threads => 1,
  run_dir => ${folder}/state,
  state_dir => ${folder}/state,
}
`,
      );
      return { arguments: ['-c', folder, 'start'] };
    },
  },
};
