// node bench/dns/image-growth.mjs [--changes 8640000] [--zones 10000] [--large-part 0] [--fill 0.2]
//
// Measures the long-term growth of the zone image. A hundred changes per second for 24 hours are 8,640,000; they are
// made at full speed (minutes), without a nameserver. --large-part 0.1: one zone takes a tenth of the image, and every
// hundredth change is in it. --fill: part of the image that the zones take at first; near 1, no space may be wasted.
// Progress goes to stderr; Ctrl-C ends the run with the results so far. The result is JSON.
import { parseArgs } from 'node:util';
import { setImmediate } from 'node:timers/promises';
import { SimulatedZones } from './simulated-zones.mjs';

const nameserver = (path) => import(`../../packages/nameserver/dist/image/${path}`);
const { ImageReader } = await nameserver('image-reader.js');
const { ImageWriter } = await nameserver('image-writer.js');
const { SNAPSHOT_READER, UNIT_OCTETS } = await nameserver('layout.js');

/** At a hundred changes per second and readers that pass a quiescent point every 10 ms, this would be one. */
const CHANGES_WHILE_READ = 5;
/**
 * Changes between snapshots. A snapshot keeps every block while it is written: every half minute, for half a second.
 */
const CHANGES_BETWEEN_SNAPSHOTS = 3_000;
const CHANGES_DURING_SNAPSHOT = 50;
const CHANGES_BETWEEN_TURNS = 1_000;
const PROGRESS_MS = 5_000;
/** Size of the image that is used to measure the zones. */
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

  /** Returns the growth of the image at its peak, without the growth of the zones themselves. */
  function result() {
    const growth = image.usedOctets / first.used / (mostLive / first.live);
    return { changes: made, growth: Number(growth.toFixed(4)), usedOctets: image.usedOctets };
  }
}
