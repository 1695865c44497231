// Measures the time from the response to Create Record, which is sent after the commit, to the first answer with the
// record. Signed and unsigned zones, small and large, alternate.
import { Watcher } from '../dns/changes.mjs';
import { distribution, printTable, whole } from '../dns/report.mjs';
import { openConnections, requireOk } from '../dns-api/http-client.mjs';
import { createZones, fillZone } from '../dns-api/zones.mjs';
import { startNameservers, untilInStep } from '../publication/nameservers.mjs';
import { signZone, startSigningPlatform } from './platform.mjs';

const NAMESERVER = 'ns1-1';
const LARGE = 100_000;
const CHANGES_A_SECOND = 20;

export async function measureDelays({ names, rounds, seconds }) {
  const size = Math.min(names, LARGE);
  const platform = await startSigningPlatform();
  let nameservers;
  try {
    nameservers = await startNameservers(platform, [NAMESERVER]);
    const [port] = nameservers.ports();
    const zones = [
      await makeZone(platform, 'signed', 0),
      await makeZone(platform, 'unsigned', 0),
      await makeZone(platform, 'signed', size),
      await makeZone(platform, 'unsigned', size),
    ];
    await untilInStep(platform.db, [NAMESERVER]);
    const watcher = new Watcher(port);
    const [connection] = await openConnections(platform.apiUrl, 1);
    const delays = zones.map(() => ({ written: [], answered: [] }));
    const count = CHANGES_A_SECOND * seconds;
    for (let round = 0; round <= rounds; round += 1) {
      for (let change = 0; change < count; change += 1) {
        for (const [at, { zone }] of zones.entries()) {
          const began = performance.now();
          const { name, address } = await createRecord(platform, connection, zone);
          const committed = performance.now();
          const answered = await watcher.until(name, address, committed);
          // The first round is a warm-up, until JIT compilers have finished.
          if (round === 0) continue;
          delays[at].written.push(committed - began);
          delays[at].answered.push(answered);
        }
      }
    }
    connection.close();
    watcher.close();
    printTable(
      `Create Record in a zone, and the nameserver's first answer with it: ${rounds * count} changes of each, one after the other, in turns`,
      ['zone', 'request, p50 ms', 'p99', 'commit to answer, p50 ms', 'p99', 'longest'],
      zones.map(({ what, records }, at) => [
        `${what}, ${whole(records)} names`,
        ...figures(delays[at].written).slice(0, 2),
        ...figures(delays[at].answered),
      ]),
    );
  } finally {
    await nameservers?.stop();
    await platform.stop();
  }
}

function figures(values) {
  const { p50, p99, longest } = distribution(values);
  return [p50, p99, longest].map((each) => each.toFixed(1));
}

async function makeZone(platform, what, records) {
  const [zone] = await createZones(platform, 1);
  if (records > 0) {
    await fillZone(platform.db, zone, records);
    await platform.db.raw('analyze dns.records');
  }
  if (what === 'signed') await signZone(platform, zone);
  return { what, records, zone };
}

let made = 0;

async function createRecord({ token }, connection, zone) {
  made += 1;
  const address = Buffer.alloc(4);
  address.writeUInt32BE(0xc6120000 + made);
  const name = `new-${made}.${zone.name}`;
  const body = { name, type: 'A', data: address.join('.') };
  requireOk(await connection.request('POST', `/v1/domains/${zone.id}/records`, { token, body }));
  return { name: name.slice(0, -1), address };
}
