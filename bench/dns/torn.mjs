// node bench/dns/torn.mjs [--seconds 20] [--rate 1000] [--workers 1] [--clients 2]
//
// Runs the real UDP workers over loopback, clients that query at full speed, and a writer that changes the given number
// of zones per second in the image. Each answer must come from one version of its zone, which was valid between query
// and answer. Ends with code 1 otherwise.
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { serviceKit } from '../lib/packages.mjs';
import { contentOf, VERSIONS } from '../../packages/nameserver/test/support/versioned-zones.mjs';

const nameserver = (path) => import(`../../packages/nameserver/dist/${path}`);
const { compileZone } = await nameserver('compile/compile-zone.js');
const { ImageWriter } = await nameserver('image/image-writer.js');
const { IMAGE_STATE } = await nameserver('image/layout.js');
const { createTransports } = await nameserver('create-transports.js');
const { createTransportCounters } = await nameserver('stats/transport-counters.js');
const { NAMESERVER_SETTINGS } = await nameserver('settings/settings.js');
const { handleQuery } = await nameserver('answer/handle-query.js');

const ZONES = 200;
const IMAGE_OCTETS = 16_777_216;
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '1000' },
    workers: { type: 'string', default: '1' },
    clients: { type: 'string', default: '2' },
  },
});
const rate = Number(values.rate);

const image = ImageWriter.create(IMAGE_OCTETS);
const stopWord = ZONES * VERSIONS.WORDS;
const shared = new SharedArrayBuffer((stopWord + 1) * 4);
const words = new Int32Array(shared);
for (let zone = 0; zone < ZONES; zone++) change(zone, 1);
image.setState(IMAGE_STATE.CURRENT);
const { udp } = createTransports({
  settings: serviceKit.readSettings(NAMESERVER_SETTINGS, {
    DATABASE_URL: 'postgres://none.invalid/none',
    NAMESERVER_HOST: '127.0.0.1',
    NAMESERVER_UDP_WORKERS: values.workers,
    NAMESERVER_RATE_LIMIT: 'false',
  }),
  image,
  counters: createTransportCounters(),
  handleQuery,
  clock: serviceKit.systemClock,
  log: serviceKit.createLogger('bench', 'error'),
});
const port = await udp.start(0);
const clients = Array.from({ length: Number(values.clients) }, (_, number) => {
  const workerData = { shared, zones: ZONES, port: Number(port), number };
  return new Worker(new URL('torn-client.mjs', import.meta.url), { workerData });
});
const reports = Promise.all(clients.map((client) => once(client, 'message')));
const startedAt = performance.now();
const elapsed = () => (performance.now() - startedAt) / 1_000;
let made = 0;
while (elapsed() < Number(values.seconds)) {
  for (; made < elapsed() * rate; made++) change(made % ZONES, 2 + Math.floor(made / ZONES));
  await setImmediate();
}
Atomics.store(words, stopWord, 1);
const results = (await reports).map(([result]) => result);
await udp.stop();
const faults = results.flatMap((result) => result.faults);
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log(
  `${made} zone changes in ${values.seconds} s, ${sum('answers')} answers checked, ${sum('lost')} lost, ${sum('wrong')} wrong or torn`,
);
for (const fault of faults) console.log(fault);
process.exitCode = sum('wrong') === 0 && sum('answers') > 0 ? 0 : 1;

function change(zone, version) {
  Atomics.store(words, zone * VERSIONS.WORDS + VERSIONS.BEGUN, version);
  image.put(compileZone(contentOf(zone, ZONES, version)));
  Atomics.store(words, zone * VERSIONS.WORDS + VERSIONS.DONE, version);
}
