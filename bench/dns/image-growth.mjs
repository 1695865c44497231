// node bench/dns/image-growth.mjs [--changes 8640000] [--zones 10000] [--large-part 0] [--fill 0.2]
//
// How much the zone image grows in the long run: a hundred changes a second for 24 hours are 8,640,000, made as fast as
// it goes (minutes), without a nameserver around the image. --large-part 0.1: one zone takes a tenth of the image, and
// each hundredth change is one of its. --fill: what part of the image the zones take at first; near 1 nothing may be
// wasted. Progress goes to stderr; an interrupt (Ctrl-C) ends it with what was found until then. The result is JSON.
import { parseArgs } from 'node:util';
import { setImmediate } from 'node:timers/promises';
import { SimulatedZones } from './simulated-zones.mjs';

const nameserver = (path) => import(`../../packages/nameserver/dist/image/${path}`);
const { ImageReader } = await nameserver('image-reader.js');
const { ImageWriter } = await nameserver('image-writer.js');
const { SNAPSHOT_READER, UNIT_OCTETS } = await nameserver('layout.js');

/** At a hundred changes a second and readers that pass a quiet point each 10 ms, this would be one. */
const CHANGES_WHILE_READ = 5;
/** A snapshot holds on to every block for as long as it is written; each half a minute, for half a second. */
const CHANGES_BETWEEN_SNAPSHOTS = 3_000;
const CHANGES_DURING_SNAPSHOT = 50;
const CHANGES_BETWEEN_TURNS = 1_000;
const PROGRESS_MS = 5_000;
/** To find out what the zones take. */
const MEASURED_OCTETS = 1_073_741_824;

const { values } = parseArgs({
  options: {
    changes: { type: 'string', default: '8640000' },
    zones: { type: 'string', default: '10000' },
    'large-part': { type: 'string', default: '0' },
    fill: { type: 'string', default: '0.2' },
  },
});
const changes = Number(values.changes);
const size = { zones: Number(values.zones), largePart: Number(values['large-part']) };
const { live } = new SimulatedZones(ImageWriter.create(MEASURED_OCTETS), size);
let isInterrupted = false;
process.once('SIGINT', () => (isInterrupted = true));
console.log(
  JSON.stringify(await simulate(Math.ceil(live / Number(values.fill) / UNIT_OCTETS) * UNIT_OCTETS)),
);

async function simulate(imageOctets) {
  const image = ImageWriter.create(imageOctets);
  const zones = new SimulatedZones(image, size);
  const first = { used: image.usedOctets, live: zones.live };
  const worker = new ImageReader(image.buffer, 0);
  const snapshot = new ImageReader(image.buffer, SNAPSHOT_READER);
  let mostLive = first.live;
  let made = 0;
  let toldAt = performance.now();
  for (; made < changes && !isInterrupted; made++) {
    if (made % CHANGES_WHILE_READ === 0) worker.enter();
    const sinceSnapshot = made % CHANGES_BETWEEN_SNAPSHOTS;
    if (sinceSnapshot === 0) snapshot.enter();
    if (sinceSnapshot === CHANGES_DURING_SNAPSHOT) snapshot.leave();
    zones.change(made);
    mostLive = Math.max(mostLive, zones.live);
    if (made % CHANGES_BETWEEN_TURNS !== 0) continue;
    await setImmediate();
    if (performance.now() - toldAt < PROGRESS_MS) continue;
    toldAt = performance.now();
    console.error(`${made} of ${changes} changes: ${JSON.stringify(result())}`);
  }
  return result();

  /** The most that the image has ever used; what the zones themselves have grown by is not its doing. */
  function result() {
    const growth = image.usedOctets / first.used / (mostLive / first.live);
    return { changes: made, growth: Number(growth.toFixed(4)), usedOctets: image.usedOctets };
  }
}
