// Measures BENCH_ZONES zones (1,000,000) with BENCH_RECORDS addresses (5) each: loading from PostgreSQL and from a
// snapshot, the rate of answers, the delay of a change during them, and the duration of a change of all zones, which is
// awaited for BENCH_RAISE_SECONDS (no limit). It needs psql.
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPlatform } from '../dns-api/platform.mjs';
import { Child } from '../lib/child.mjs';
import { cpuTimeOf } from '../lib/cpu-time.mjs';
import { database, mainOf } from '../lib/packages.mjs';
import { untilInStep } from '../publication/nameservers.mjs';
import { createRecord, createZones, milliseconds, percentile } from '../publication/writes.mjs';

const ZONES = Number(process.env.BENCH_ZONES || 1_000_000);
const RECORDS = Number(process.env.BENCH_RECORDS || 5);
const RAISE_SECONDS = Number(process.env.BENCH_RAISE_SECONDS || Infinity);
const QUESTIONS = 20_000;
const AT_ONCE = 20;
const CHANGES = 200;
const NAMES = ['ns1-1', 'ns1-2'];
const { DATABASE_ROLES, withRole } = database;

const rows = [];
const folders = new Map(
  NAMES.map((name) => [name, mkdtempSync(join(tmpdir(), 'zonewright-bench-'))]),
);
const platform = await startPlatform({ isPinned: false });
let servers = [];
try {
  await measure();
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await platform.stop();
  for (const folder of folders.values()) rmSync(folder, { recursive: true });
  console.log(
    `Node ${process.version}, ${ZONES} zones of ${RECORDS} addresses each, ${NAMES.length} nameservers.\n`,
  );
  console.log(['| what | measured |', '| --- | --- |', ...rows].join('\n'));
}

async function measure() {
  await timed('Written into PostgreSQL by SQL', fill);
  const { rows: sizes } = await platform.db.raw(
    'select pg_database_size(current_database()) as octets',
  );
  report('Size of the database', `${gigabytes(Number(sizes[0].octets))}`);
  await timed('Both nameservers started and in step, without a snapshot', start);
  reportServers();
  const zones = await createZones(platform);
  await untilInStep(platform.db, NAMES);
  report(`Questions for random ones, ${AT_ONCE} at a time`, await askAll());
  report(
    `Create Record with Prefer: wait, one after the other, until both answer`,
    await change(zones),
  );
  await timed('Until each has written a snapshot, which it does once a minute', untilSnapshots);
  await Promise.all(servers.map((server) => server.stop()));
  await timed('Both stopped, started from the snapshot and in step', start);
  reportServers();
  for (const { pid } of servers) process.kill(pid, 'SIGKILL');
  await Promise.all(servers.map((server) => server.stop()));
  await timed('Both killed, started and in step', start);
  await raiseAll(zones);
  report('Questions after it', await askAll());
  reportServers();
}

async function fill() {
  const variables = { zones: ZONES, records: RECORDS, tenant_zones: 10_000 };
  const set = Object.entries(variables).flatMap(([name, value]) => ['-v', `${name}=${value}`]);
  const file = new URL('fill.sql', import.meta.url).pathname;
  await promisify(execFile)('psql', ['-q', platform.url, ...set, '-f', file]);
}

async function start() {
  servers = await Promise.all(
    NAMES.map((name) =>
      Child.start([process.execPath, mainOf('nameserver')], {
        DATABASE_URL: withRole(platform.url, DATABASE_ROLES.nameserver),
        NAMESERVER_NAME: name,
        NAMESERVER_HOST: '127.0.0.1',
        NAMESERVER_PORT: '0',
        NAMESERVER_OPERATIONS_PORT: '0',
        NAMESERVER_SNAPSHOT_DIR: folders.get(name),
        NAMESERVER_SNAPSHOT_INTERVAL_SECONDS: '60',
      }),
    ),
  );
  await untilInStep(platform.db, NAMES);
}

/** Waits until each nameserver has written a snapshot and nothing has changed since. */
async function untilSnapshots() {
  const states = async () =>
    await Promise.all(
      servers.map(async ({ ready }) => {
        const text = await (await fetch(`${ready.addresses.operations}/metrics`)).text();
        return Number(
          /^zonewright_nameserver_snapshot_written_timestamp_seconds(?:{.*})? (\S+)$/m.exec(
            text,
          )?.[1],
        );
      }),
    );
  const since = Date.now() / 1_000;
  while ((await states()).some((at) => !(at > since))) await pause(500);
}

/** Increases the serial of all zones. In the meantime a change is made each second, and zones are queried. */
async function raiseAll(zones) {
  await platform.db.raw('update dns.service_settings set soa_refresh = soa_refresh + 1');
  const took = [];
  const began = performance.now();
  const left = async () => {
    const { rows: found } = await platform.db.raw(
      'select count(*)::integer as n from dns.domains where apex_version < (select max(version) from dns.apex_versions)',
    );
    return found[0].n;
  };
  let rest = await left();
  while (rest > 0 && performance.now() - began < RAISE_SECONDS * 1_000) {
    took.push((await createRecord(platform, zones, 'wait')).milliseconds);
    if (took.length % 30 === 0)
      console.error(`${rest} zones left after ${seconds(performance.now() - began)}`);
    await pause(1_000);
    rest = await left();
  }
  const lasted = performance.now() - began;
  report(
    'New serials since the times in the SOA records changed',
    `${ZONES - rest} zones in ${seconds(lasted)}`,
  );
  await untilInStep(platform.db, NAMES);
  report('Create Record with Prefer: wait meanwhile', times(took));
}

async function change(zones) {
  const took = [];
  for (let n = 0; n < CHANGES; n++)
    took.push((await createRecord(platform, zones, 'wait')).milliseconds);
  return times(took);
}

async function askAll() {
  const port = Number(servers[0].ready.addresses.dns.split(':').at(-1));
  const socket = createSocket('udp4');
  const waiting = new Map();
  const took = [];
  let wrong = 0;
  socket.on('message', (answer) => waiting.get(answer.readUInt16BE(0))?.(answer));
  const ask = async (id) => {
    const zone = Math.floor(Math.random() * ZONES);
    const name = `h${Math.floor(Math.random() * RECORDS)}.zone${zone}.example`;
    const began = performance.now();
    const answer = await new Promise((resolve) => {
      const timer = setTimeout(resolve, 5_000);
      waiting.set(id, (message) => {
        clearTimeout(timer);
        resolve(message);
      });
      socket.send(question(id, name), port, '127.0.0.1');
    });
    took.push(performance.now() - began);
    // The answer must be NOERROR and authoritative, with one record.
    if (
      answer === undefined ||
      (answer.readUInt16BE(2) & 0x840f) !== 0x8400 ||
      answer.readUInt16BE(6) !== 1
    )
      wrong += 1;
  };
  const began = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, id) => {
      for (let n = 0; n < QUESTIONS / AT_ONCE; n++) await ask(id);
    }),
  );
  const lasted = (performance.now() - began) / 1_000;
  await new Promise((resolve) => socket.close(resolve));
  return `${(QUESTIONS / lasted).toFixed(0)}/s by this client, ${times(took)}, ${wrong} not answered rightly`;
}

function question(id, name) {
  const labels = name
    .split('.')
    .flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([
    Buffer.from([0, id, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
    ...labels,
    Buffer.from([0, 0, 1, 0, 1]),
  ]);
}

function reportServers() {
  const each = servers.map(({ pid }) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const of = (field) =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1_024;
    return `${gigabytes(of('RssAnon'))} and ${gigabytes(of('RssFile') + of('RssShmem'))} shared, ${seconds(cpuTimeOf(pid) / 1_000)} of CPU`;
  });
  report('Memory of each, and CPU since its start', each.join('; '));
}

async function timed(what, work) {
  const began = performance.now();
  await work();
  report(what, seconds(performance.now() - began));
}

function report(what, measured) {
  console.error(`${what}: ${measured}`);
  rows.push(`| ${what} | ${measured} |`);
}

function times(took) {
  const at = (share) => milliseconds(percentile(took, share));
  return `p50 ${at(0.5)}, p99 ${at(0.99)}`;
}

function seconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function gigabytes(octets) {
  return `${(octets / 1e9).toFixed(2)} GB`;
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
