// `npm run bench:transfers`: AXFR of a large zone with TSIG from this nameserver, Knot and BIND, alternating in rounds. Prints Markdown. BENCH_RECORDS sets the size of the zone, BENCH_ROUNDS the number of rounds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuSeconds } from './dns/processes.mjs';
import { bindConfig, KNOT_ONE_WORKER, knotConfig } from './lib/server-configs.mjs';
import { transferZone } from './transfers/sink.mjs';

const records = Number(process.env.BENCH_RECORDS || 100_000);
const rounds = Number(process.env.BENCH_ROUNDS || 3);
const KEY = { name: 'bench.', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 7) };
const SECRET = KEY.secret.toString('base64');
const ZONE = 'large.example.';
/** Number of records: two SOA, an NS and its address in addition. */
const ALL = records + 4;
const FIRST_PORT = 15_353;
const OURS = fileURLToPath(new URL('transfers/zonewright.mjs', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'zonewright-bench-'));
const file = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const lines = [
  `$ORIGIN ${ZONE}`,
  '@ 3600 IN SOA ns1 admin 1 3600 600 86400 300',
  '@ 3600 IN NS ns1',
  'ns1 300 IN A 192.0.2.1',
];
for (let i = 0; i < records; i++) lines.push(`h${i} 300 IN A 192.0.${(i >> 8) & 255}.${i & 255}`);
const zoneFile = file('zone', `${lines.join('\n')}\n`);

const SERVERS = {
  Zonewright: (port) => [process.execPath, [OURS, String(port), String(records), ZONE, SECRET]],
  Knot: (port) => [
    '/usr/sbin/knotd',
    [
      '-c',
      file(
        'knot.conf',
        knotConfig(
          { folder, port },
          {
            server: KNOT_ONE_WORKER,
            rest: `key:
  - id: bench
    algorithm: hmac-sha256
    secret: ${SECRET}
acl:
  - id: bench
    key: bench
    action: transfer
zone:
  - domain: ${ZONE}
    file: ${zoneFile}
    zonefile-sync: -1
    acl: bench`,
          },
        ),
      ),
    ],
  ],
  BIND: (port) => [
    '/usr/sbin/named',
    [
      '-f',
      '-n',
      '1',
      '-c',
      file(
        'named.conf',
        bindConfig(
          { folder, port },
          {
            rest: `key "bench" { algorithm hmac-sha256; secret "${SECRET}"; };
zone "${ZONE}" { type primary; file "${zoneFile}"; allow-transfer { key bench; }; };`,
          },
        ),
      ),
    ],
  ],
};

const running = [];
let port = FIRST_PORT;
for (const [name, prepare] of Object.entries(SERVERS)) {
  const at = port++;
  const [program, args] = prepare(at);
  running.push({
    name,
    port: at,
    child: spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] }),
    results: [],
  });
}
try {
  for (const server of running) await firstTransfer(server);
  for (let round = 0; round < rounds; round++) {
    for (const { child, port: at, results } of running) {
      const before = cpuSeconds(child.pid);
      const result = await transferZone(at, ZONE, KEY, ALL);
      results.push({ ...result, cpu: cpuSeconds(child.pid) - before });
    }
  }
  console.log(`AXFR of ${records} records with hmac-sha256, median of ${rounds} rounds.\n`);
  console.log('| server | records a second | CPU of the server | octets | messages |');
  console.log('| --- | --- | --- | --- | --- |');
  for (const { name, results } of running) {
    const { seconds, cpu, octets, messages, count } = results.toSorted(
      (a, b) => a.seconds - b.seconds,
    )[Math.floor(results.length / 2)];
    console.log(
      `| ${name} | ${Math.round(count / seconds)} | ${cpu.toFixed(2)} s | ${octets} | ${messages} |`,
    );
  }
} finally {
  for (const { child } of running) {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}

async function firstTransfer({ name, port: at }) {
  for (let attempt = 0; attempt < 300; attempt++) {
    try {
      await transferZone(at, ZONE, KEY, ALL);
      return;
    } catch {
      // The server is not ready yet.
    }
    await delay(200);
  }
  throw new Error(`${name} does not answer.`);
}
