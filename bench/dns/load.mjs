// node bench/dns/load.mjs [--zones 10000 --records 100 --workers 2]
//
// Measures a nameserver that has only PostgreSQL. It reports the time from process start to the first answer of the
// zone that is loaded last, and to readiness; and peak and idle memory, compared with a nameserver without zones. It
// also reports how long a change of a large zone, and a change of the servers (which rebuilds all zones), block the
// main thread. DATABASE_URL replaces the PostgreSQL server that it starts.
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startBenchDatabase } from '../lib/bench-database.mjs';
import { database, serviceKit } from '../lib/packages.mjs';
import { memoryMegabytes } from './processes.mjs';

const MAIN = fileURLToPath(new URL('../../packages/nameserver/dist/main.js', import.meta.url));
const LARGE = { name: 'large.example.', records: 10_000 };
const HUGE = { name: 'huge.example.', records: 100_000 };
const DEADLINE_MS = 120_000;
const CHANGES = 30;

const { values } = parseArgs({
  options: {
    zones: { type: 'string', default: '10000' },
    records: { type: 'string', default: '100' },
    workers: { type: 'string', default: '2' },
  },
});
const { url, db, stop: stopDatabase } = await startBenchDatabase({ maxConnections: 1 });
const children = [];
try {
  await db.raw(
    `insert into dns.nameserver_domain (name, email, serial) values ('ns.example.', 'a@ns.example', 1)`,
  );
  await db.raw(
    `insert into dns.servers (name, position, ipv4)
     select 'ns1-' || n || '.ns.example.', n, '192.0.2.1' from generate_series(1, 6) as n`,
  );
  const empty = await start();
  const emptyMegabytes = memoryMegabytes(empty.pid);
  await stop(empty);
  await fill();
  report('memory of a process without zones', `${emptyMegabytes.toFixed(0)} MB`);
  await measureLoading(emptyMegabytes);
  await addHugeZone();
  await measureChanges();
} finally {
  for (const child of children) child.kill('SIGKILL');
  await stopDatabase();
}

async function fill() {
  console.error('making the zones');
  await db.raw(
    `insert into dns.domains (tenant_id, name, email, ttl, serial, record_count)
     select 'bench', 'z' || n || '.example.', 'a@example.com', 3600, 100, ?::int from generate_series(1, ?::int) as n
     union all select 'bench', ?, 'a@example.com', 3600, 100, ?::int`,
    [Number(values.records), Number(values.zones), LARGE.name, LARGE.records],
  );
  await addRecords('d.record_count > 0');
  await db.raw('vacuum analyze');
}

async function addRecords(condition) {
  await db.raw(
    `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest, ttl)
     select d.id, 'h' || n || '.' || d.name, 'A', host('10.0.0.0'::inet + n), int4send(167772160 + n),
            sha256(int4send(167772160 + n)), 300
       from dns.domains as d, generate_series(0, d.record_count - 1) as n where ${condition}`,
  );
}

async function addHugeZone() {
  await db.raw(
    `insert into dns.domains (tenant_id, name, email, ttl, serial, record_count)
     values ('bench', ?, 'a@example.com', 3600, 100, ?)`,
    [HUGE.name, HUGE.records],
  );
  await addRecords(`d.name = '${HUGE.name}'`);
}

async function measureLoading(emptyMegabytes) {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1_000).toFixed(2)} s`;
  const child = await start();
  report('first answer of a zone', await until(child, `h1.z1.example.`, seconds));
  report('every zone answered (ready)', await untilReady(child, seconds));
  const most = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]);
  report('memory at most while loading', `${(most / 1_024).toFixed(0)} MB`);
  // Memory is released while the process is idle.
  await new Promise((resolve) => setTimeout(resolve, 15_000));
  const megabytes = memoryMegabytes(child.pid);
  report('memory at rest', `${megabytes.toFixed(0)} MB`);
  report('beyond a process without zones', `${(megabytes - emptyMegabytes).toFixed(0)} MB`);
  await stop(child);
}

async function measureChanges() {
  const child = await start();
  await untilReady(child, () => '');
  const times = [];
  const longest = watchMainThread(child);
  for (let change = 1; change <= CHANGES; change++) times.push(await changeHugeZone(child, change));
  times.sort((a, b) => a - b);
  report(
    `a change in a zone of ${HUGE.records} records, commit to answer`,
    `${times[CHANGES >> 1].toFixed(1)} ms (${times[0].toFixed(1)} - ${times.at(-1).toFixed(1)})`,
  );
  report('longest answer over TCP meanwhile', `${(await longest()).toFixed(1)} ms`);
  await stop(child);
}

/**
 * Changes the address of one record in the huge zone, as the DNS API does. Resolves with the time until it is answered.
 */
async function changeHugeZone(child, change) {
  const name = `h${change * 1_000}.${HUGE.name}`;
  await db.transaction(async (trx) => {
    await trx.raw(
      `update dns.records as r set rdata = int4send(?), rdata_digest = sha256(int4send(?)) where r.name = ?`,
      [change, change, name],
    );
    await trx.raw(
      `with stepped as (
         update dns.domains as d set serial = serial + 1, changed_in = pg_current_xact_id() where d.name = ? returning d.id, d.serial)
       insert into dns.zone_changes (domain_id, serial_before, serial_after, action, before, after, user_id, request_id)
       select s.id, s.serial - 1, s.serial, 'record-update', cast(? as jsonb), cast(? as jsonb), 'bench', 'bench' from stepped as s`,
      [HUGE.name, JSON.stringify({ name }), JSON.stringify({ name })],
    );
    await trx.raw(`select pg_notify(?, 'bench')`, [database.CHANNELS.dns]);
  });
  const committedAt = performance.now();
  return await until(child, name, () => performance.now() - committedAt, change);
}

/** Queries over UDP until there is an answer (with an address that ends with `octet`, if given). */
async function until({ port, process: { exitCode } }, name, result, octet) {
  const query = queryFor(name);
  const socket = createSocket('udp4');
  let isAnswered = false;
  socket.on('message', (answer) => {
    isAnswered ||= answer.readUInt16BE(6) === 1 && (octet ?? answer.at(-1)) === answer.at(-1);
  });
  try {
    const deadline = performance.now() + DEADLINE_MS;
    while (!isAnswered) {
      if (exitCode !== null || performance.now() > deadline)
        throw new Error(`no answer for ${name}`);
      socket.send(query, port, '127.0.0.1');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return result();
  } finally {
    socket.close();
  }
}

/** Builds a query without EDNS, so that the address is at the end of the answer. */
function queryFor(name) {
  const labels = name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]);
  return Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...labels, 0, 1, 0, 1]);
}

/** Queries the operations port continuously, which the main thread serves, like TCP. Returns the longest wait. */
function watchMainThread({ operations }) {
  let isOver = false;
  let longest = 0;
  const watching = (async () => {
    while (!isOver) {
      const askedAt = performance.now();
      await (await fetch(`${operations}/healthz`)).text();
      longest = Math.max(longest, performance.now() - askedAt);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return longest;
  };
}

async function untilReady({ operations }, result) {
  const deadline = performance.now() + DEADLINE_MS;
  while (performance.now() < deadline) {
    if ((await fetch(`${operations}/readyz`)).status === 200) return result();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('The nameserver did not become ready.');
}

async function start() {
  const port = await serviceKit.freePort();
  const operationsPort = await serviceKit.freePort();
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: database.withRole(url, database.DATABASE_ROLES.nameserver),
      LOG_LEVEL: 'warn',
      NAMESERVER_HOST: '127.0.0.1',
      NAMESERVER_PORT: String(port),
      NAMESERVER_OPERATIONS_PORT: String(operationsPort),
      NAMESERVER_UDP_WORKERS: values.workers,
      NAMESERVER_RATE_LIMIT: 'false',
    },
  });
  children.push(child);
  const started = {
    process: child,
    pid: child.pid,
    port,
    operations: `http://127.0.0.1:${operationsPort}`,
  };
  const deadline = performance.now() + DEADLINE_MS;
  while (performance.now() < deadline) {
    try {
      await fetch(`${started.operations}/healthz`);
      return started;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  throw new Error('The nameserver did not start.');
}

async function stop({ process: child }) {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await ended;
}

function report(what, figure) {
  console.log(`| ${what} | ${figure} |`);
}
