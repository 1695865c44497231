// `npm run bench:writes`: total cost of a change in CPU time of all processes involved, compared with the HTTP API of PowerDNS with gpgsql on the same PostgreSQL, which waits for the disk. Then the time until six nameservers have applied 100 changes per second. Prints Markdown, which docs/design/performance.md explains. BENCH_SECONDS and BENCH_ROUNDS set the length.
import { openConnections } from './dns-api/http-client.mjs';
import { hasPowerdns, startPowerdns } from './dns-api/powerdns.mjs';
import { createZones, recordBody } from './dns-api/zones.mjs';
import { cpuTimeOf, cpuTimeOfChildren } from './lib/cpu-time.mjs';
import { summarize } from './lib/rounds.mjs';
import { measureDelays } from './publication/delays.mjs';
import { startNameservers } from './publication/nameservers.mjs';
import { createZones as createPublicationZones } from './publication/writes.mjs';
import { signZone, startSigningPlatform } from './signed/platform.mjs';

const seconds = Number(process.env.BENCH_SECONDS || 5);
const rounds = Number(process.env.BENCH_ROUNDS || 3);
const CASES = [
  { title: '8 clients, each in a zone of its own', clients: 8, zones: 8 },
  { title: '8 clients in turn in 64 zones', clients: 8, zones: 64 },
  { title: '32 clients in turn in 64 zones', clients: 32, zones: 64 },
  { title: '8 clients in one zone', clients: 8, zones: 1 },
  { title: '32 clients in one zone', clients: 32, zones: 1 },
];
const SIGNED_CASES = CASES.slice(0, 4).map((each) => ({
  ...each,
  title: `${each.title}, signed`,
  isSigned: true,
}));

const platform = await startSigningPlatform({ isPinned: false, isDurable: true });
try {
  const { rows } = await platform.db.raw(
    "select (regexp_match(pg_read_file('postmaster.pid'), '^[0-9]+'))[1]::integer as pid",
  );
  const [{ pid: postmaster }] = rows;
  const alone = await startNameservers(platform, ['ns1-1']);
  const ours = await measureOurs(platform, postmaster, alone.pids()).finally(() => alone.stop());
  const theirs = hasPowerdns() ? await measurePowerdns(platform, postmaster) : undefined;
  const six = await startNameservers(platform);
  const zones = await createPublicationZones(platform);
  const delays = await measureDelays({ platform, nameservers: six, zones, seconds })
    .catch((error) => [{ what: 'Commit to applied by all six', measured: String(error) }])
    .finally(() => six.stop());
  print(ours, theirs, delays);
} finally {
  await platform.stop();
}

async function measureOurs(api, postmaster, nameservers) {
  const zones = await createZones(api, 64);
  const signed = await createZones(api, 64);
  for (const zone of signed) await signZone(api, zone);
  const connections = [];
  let made = 0;
  const create = async (zone, at) => {
    const body = recordBody(zone, `w${(made += 1)}`);
    const path = `/v1/domains/${zone.id}/records`;
    // Opened on first use, since an idle connection is closed.
    connections[at] ??= (await openConnections(api.apiUrl, 1))[0];
    const answer = await connections[at].request('POST', path, { token: api.token, body });
    return answer.status === 200;
  };
  const parts = {
    'dns-api': () => cpuTimeOf(api.apiPid),
    signer: () => cpuTimeOf(api.signer.pid),
    PostgreSQL: () => cpuTimeOfChildren(postmaster),
    nameserver: () => nameservers.reduce((sum, pid) => sum + cpuTimeOf(pid), 0),
  };
  try {
    return [
      ...(await measureCases(CASES, zones, create, parts)),
      ...(await measureCases(SIGNED_CASES, signed, create, parts)),
    ];
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function measurePowerdns(api, postmaster) {
  const powerdns = await startPowerdns(api);
  const zones = Array.from({ length: 64 }, (_, at) => ({ name: `zone-${at}.example.net.` }));
  let made = 0;
  const create = async (zone) => {
    const { name, type, data, ttl } = recordBody(zone, `w${(made += 1)}`);
    const rrsets = [
      { name, type, ttl, changetype: 'REPLACE', records: [{ content: data, disabled: false }] },
    ];
    return await powerdns.call('PATCH', `/${zone.name}`, { rrsets }).then(
      () => true,
      () => false,
    );
  };
  const parts = {
    PowerDNS: () => cpuTimeOf(powerdns.pid),
    PostgreSQL: () => cpuTimeOfChildren(postmaster),
  };
  try {
    for (const { name } of zones)
      await powerdns.call('POST', '', { name, kind: 'Native', nameservers: ['ns1.example.'] });
    return { version: powerdns.version, cases: await measureCases(CASES, zones, create, parts) };
  } finally {
    await powerdns.stop();
  }
}

/** Measures each case in rounds, and returns medians. */
async function measureCases(cases, zones, create, parts) {
  const measured = [];
  for (const { clients, zones: count } of cases) {
    const each = [];
    for (let round = 0; round <= rounds; round += 1) {
      const figures = await measureRound(zones.slice(0, count), clients, create, parts);
      // The first round is a warm-up.
      if (round > 0) each.push(figures);
    }
    const median = (read) => summarize(each.map(read)).median;
    measured.push({
      rate: median(({ rate }) => rate),
      refused: each.reduce((sum, { refused }) => sum + refused, 0),
      cpu: Object.fromEntries(
        Object.keys(parts).map((part) => [part, median(({ cpu }) => cpu[part])]),
      ),
    });
  }
  return measured;
}

async function measureRound(zones, clients, create, parts) {
  const read = () => Object.entries(parts).map(([part, cpu]) => [part, cpu()]);
  const before = Object.fromEntries(read());
  const started = performance.now();
  let [done, refused] = [0, 0];
  const work = async (_, at) => {
    for (let turn = at; performance.now() < started + seconds * 1_000; turn += clients) {
      if (await create(zones[turn % zones.length], at)) done += 1;
      else refused += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  const took = (performance.now() - started) / 1_000;
  return {
    rate: done / took,
    refused,
    cpu: Object.fromEntries(read().map(([part, cpu]) => [part, (cpu - before[part]) / done])),
  };
}

function print(ours, theirs, delays) {
  console.log(`Node ${process.version}, ${rounds} rounds of ${seconds} s each, medians.\n`);
  console.log(
    '| what | changes/s | refused | CPU of a change | of it |\n| --- | --- | --- | --- | --- |',
  );
  const sum = ({ cpu }) => Object.values(cpu).reduce((all, part) => all + part, 0);
  const row = (title, figures) => {
    const split = Object.entries(figures.cpu).map(([part, cpu]) => `${part} ${milli(cpu)}`);
    const cells = [
      title,
      figures.rate.toFixed(0),
      figures.refused,
      milli(sum(figures)),
      split.join(', '),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  };
  for (const [at, { title, isSigned }] of [...CASES, ...SIGNED_CASES].entries()) {
    row(title, ours[at]);
    if (theirs !== undefined && !isSigned) row(`${title}, ${theirs.version}`, theirs.cases[at]);
  }
  console.log('\n| what | measured | goal |\n| --- | --- | --- |');
  for (const { what, measured, goal = '' } of delays)
    console.log(`| ${what} | ${measured} | ${goal} |`);
}

function milli(microseconds) {
  return `${(microseconds / 1_000).toFixed(2)} ms`;
}
