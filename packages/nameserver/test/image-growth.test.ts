import { describe, expect, it } from '@jest/globals';
import { parseZone } from '../conformance/support/zones.js';
import { compileZone } from '../src/compile/compile-zone.js';
import { ImageReader } from '../src/image/image-reader.js';
import { ImageWriter } from '../src/image/image-writer.js';
import {
  SNAPSHOT_READER,
  UNIT_OCTETS,
  ZONE_APEX_LENGTH_OFFSET,
  ZONE_APEX_NAME_OFFSET,
  ZONE_WORD,
} from '../src/image/layout.js';
import { Dice } from './support/hostile-messages.js';

/**
 * 24 h of changes must not grow the image by more than a fifth. A hundred changes a second in 10,000 zones are
 * 8,640,000; SIMULATED_CHANGES=8640000 makes all of them, in some minutes. By default each zone is changed twelve
 * times, because most of the growth comes with the first ten.
 */
const ZONES = 10_000;
const CHANGES = Number(process.env['SIMULATED_CHANGES'] ?? ZONES * 12);
const MAX_GROWTH = 1.2;
/**
 * The number of changes between two quiet points of readers. With a hundred changes a second and a quiet point every 10
 * ms it would be one.
 */
const CHANGES_WHILE_READ = 5;
/**
 * The number of changes between snapshots. A snapshot keeps every block for as long as it is written; one is written
 * every half minute and takes half a second.
 */
const CHANGES_BETWEEN_SNAPSHOTS = 3_000;
const CHANGES_DURING_SNAPSHOT = 50;

/**
 * The sizes of zones: most take between a quarter of a kibibyte and 16 KiB, and one in a hundred takes 64 KiB, about
 * 1,500 records.
 */
const LEAST_OCTETS = 256;
const SIZE_EXPONENTS = 6;
const LARGE_OCTETS = 65_536;
/** The size of an image that does not become full. */
const ROOMY_OCTETS = 256 * 1024 * 1024;

/**
 * Zones whose blocks consist of a header, a name and a number of octets, which is all that the image reads when it
 * stores them.
 */
class SimulatedZones {
  readonly #dice = new Dice(20_261_121);
  readonly #image: ImageWriter;
  readonly #scratch = new Uint8Array(4 * LARGE_OCTETS);
  /** The long-term size of each zone, and its current size; 0 if it does not exist. */
  readonly #usual: number[] = [];
  readonly #octets: number[] = [];
  readonly #heads: Uint8Array[] = [];
  /** The total size of all zones. */
  live = 0;

  constructor(image: ImageWriter) {
    this.#image = image;
    for (let zone = 0; zone < ZONES; zone++) {
      const small = LEAST_OCTETS << this.#dice.below(SIZE_EXPONENTS);
      this.#usual.push(zone % 100 === 0 ? LARGE_OCTETS : small + this.#dice.below(small));
      this.#heads.push(compileZone(parseZone(`z${zone}.test.`, '@ 60 SOA ns. admin. 1 2 3 4 5')));
      this.#octets.push(0);
      this.#resize(zone, this.#usual[zone]!);
    }
  }

  /** Makes a change: mostly one record more or less; sometimes an import, an emptied zone, or a deleted or new one. */
  change(): void {
    const zone = this.#dice.below(ZONES);
    const usual = this.#usual[zone]!;
    const octets = this.#octets[zone]!;
    const kind = this.#dice.below(100);
    if (octets === 0) this.#resize(zone, usual);
    else if (kind < 2) this.#remove(zone);
    else if (kind < 12) this.#resize(zone, usual / 2 + this.#dice.below(usual));
    else this.#resize(zone, octets + (this.#dice.below(2) * 2 - 1) * 32 * this.#dice.below(4));
  }

  #remove(zone: number): void {
    this.#image.remove(apexOf(this.#heads[zone]!));
    this.live -= this.#octets[zone]!;
    this.#octets[zone] = 0;
  }

  #resize(zone: number, wanted: number): void {
    const octets = Math.ceil(Math.max(512, wanted) / UNIT_OCTETS) * UNIT_OCTETS;
    this.#scratch.set(this.#heads[zone]!);
    new Int32Array(this.#scratch.buffer)[ZONE_WORD.OCTETS] = octets;
    this.#image.put(this.#scratch.subarray(0, octets));
    this.live += octets - this.#octets[zone]!;
    this.#octets[zone] = octets;
  }
}

function apexOf(block: Uint8Array): Uint8Array {
  const length = block[ZONE_APEX_LENGTH_OFFSET]!;
  return block.subarray(ZONE_APEX_NAME_OFFSET, ZONE_APEX_NAME_OFFSET + length);
}

/** Returns the growth of the image's largest usage, relative to the growth of the zones. */
function simulate(imageOctets: number): { growth: number; fill: number } {
  const image = ImageWriter.create(imageOctets);
  const zones = new SimulatedZones(image);
  const first = image.usedOctets;
  const firstLive = zones.live;
  const worker = new ImageReader(image.buffer, 0);
  const snapshot = new ImageReader(image.buffer, SNAPSHOT_READER);
  let mostLive = zones.live;
  for (let made = 0; made < CHANGES; made++) {
    if (made % CHANGES_WHILE_READ === 0) worker.enter();
    const sinceSnapshot = made % CHANGES_BETWEEN_SNAPSHOTS;
    if (sinceSnapshot === 0) snapshot.enter();
    if (sinceSnapshot === CHANGES_DURING_SNAPSHOT) snapshot.leave();
    zones.change();
    mostLive = Math.max(mostLive, zones.live);
  }
  const growth = image.usedOctets / first;
  // The growth of the zones themselves does not count as growth of the image.
  return { growth: growth / (mostLive / firstLive), fill: firstLive / imageOctets };
}

describe('the image after very many changes', () => {
  it(`${CHANGES} changes of ${ZONES} zones enlarge it by less than a fifth`, () => {
    const { growth } = simulate(ROOMY_OCTETS);
    expect(growth).toBeLessThan(MAX_GROWTH);
  }, 900_000);

  it('no zone is refused for scattered space while five sixths of the image are in use', () => {
    const { live } = new SimulatedZones(ImageWriter.create(ROOMY_OCTETS));
    const { fill } = simulate(Math.ceil((live * MAX_GROWTH) / UNIT_OCTETS) * UNIT_OCTETS);
    expect(fill).toBeGreaterThan(0.8);
  }, 900_000);
});
