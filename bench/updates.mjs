// `npm run bench:updates [-- sizes others publication]`: signed dynamic updates of one record each over TCP. This nameserver, Knot, BIND and PowerDNS (gpgsql, the same PostgreSQL) alternate, and all wait for the disk. BENCH_SECONDS and BENCH_ROUNDS set the length, BENCH_SIZES the zones. Prints Markdown.
import { startPlatform } from './dns-api/platform.mjs';
import { printReport } from './dns-api/report.mjs';
import { database } from './lib/packages.mjs';
import { compare } from './lib/rounds.mjs';
import { measurePublication } from './updates/publication.mjs';
import { startBind, startKnot, startPowerdnsUpdates } from './updates/others.mjs';
import { measureLatency, updatesPerSecond } from './updates/client.mjs';
import { startZonewright } from './updates/zonewright.mjs';

/** Number of concurrent updates. */
const CONNECTIONS = 16;
const length = {
  seconds: Number(process.env.BENCH_SECONDS || 3),
  rounds: Number(process.env.BENCH_ROUNDS || 5),
};
const SIZES = (process.env.BENCH_SIZES || '1000,65000,1000000').split(',').map(Number);
const OTHERS_SIZE = 65_000;
const OTHERS = [
  { start: startPowerdnsUpdates, goal: 5 },
  { start: startKnot, goal: 0.25 },
  { start: startBind, goal: 0.25 },
];

const wanted = process.argv.slice(2);
const isWanted = (part) => wanted.length === 0 || wanted.includes(part);
const transferKeys = database.generateKeyringText('bench');
const env = { TRANSFER_ENCRYPTION_KEYS: transferKeys, DNS_API_PRIVATE_PEERS: 'true' };
const platform = await startPlatform({ isDurable: true, isPinned: false, env });
const results = [];
try {
  const ours = await startZonewright(platform, [OTHERS_SIZE, ...SIZES], transferKeys);
  try {
    if (isWanted('sizes')) results.push(...(await measureSizes(ours)));
    if (isWanted('others')) results.push(...(await measureOthers(ours)));
    if (isWanted('publication'))
      results.push(...(await measurePublication(platform, ours, OTHERS_SIZE)));
  } finally {
    await ours.stop();
  }
  printReport(results, length);
} finally {
  await platform.stop();
}

function rate(server, zone) {
  return {
    pid: server.pids,
    run: (seconds) => updatesPerSecond(server, zone, CONNECTIONS, seconds),
  };
}

async function measureSizes(ours) {
  const [smallest, ...larger] = SIZES;
  const rows = [];
  for (const size of larger) {
    rows.push(
      await compare(length, {
        title: `Updates of a zone of ${size} records, ${CONNECTIONS} at a time`,
        unit: '/s',
        against: `the same of ${smallest} records`,
        goal: 0.9,
        service: rate(ours, ours.zones.get(size)),
        bare: rate(ours, ours.zones.get(smallest)),
      }),
    );
  }
  for (const size of SIZES) {
    const zone = ours.zones.get(size);
    const title = `Update of a zone of ${size} records`;
    rows.push({
      title: `${title}, answered by the nameserver`,
      ...(await measureLatency(ours, zone)),
    });
    rows.push({ title: `${title}, without publication`, ...(await ours.measureCommits(zone)) });
  }
  return rows;
}

async function measureOthers(ours) {
  const rows = [];
  for (const { start, goal } of OTHERS) {
    const other = await start(platform, OTHERS_SIZE);
    if (other === undefined) continue;
    try {
      rows.push(
        await compare(length, {
          title: `Updates of a zone of ${OTHERS_SIZE} records, ${CONNECTIONS} at a time`,
          unit: '/s',
          against: other.version,
          goal,
          service: rate(ours, ours.zones.get(OTHERS_SIZE)),
          bare: rate(other, other.zone),
        }),
      );
      rows.push({
        title: `Update of a zone of ${OTHERS_SIZE} records, ${other.version}`,
        ...(await measureLatency(other, other.zone)),
      });
    } finally {
      await other.stop();
    }
  }
  return rows;
}
