import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { compileZone } from '../src/compile/compile-zone.js';
import { ImageFullError } from '../src/image/image-space.js';
import { ImageWriter } from '../src/image/image-writer.js';
import { IMAGE_STATE } from '../src/image/layout.js';
import { patchZoneInParts } from '../src/compile/patch-zone.js';
import { runToEnd } from '../src/image/steps.js';
import { TEST_SETTINGS } from './support/in-process-server.js';
import { changedOwners, contentOf, VERSIONS } from './support/versioned-zones.mjs';

const READER_URL = new URL('./support/versioned-reader.mjs', import.meta.url);
const READERS = 2;
const ZONES = 100;
/** The last zone is a large one, which is patched. */
const LARGE = ZONES - 1;
const FILL = 40_000;
/**
 * The number of changes, 1,000 zones a second for ten seconds. Only the speed depends on the machine; all of the
 * changes are made.
 */
const CHANGES = 10_000;
const LEAST_ANSWERS = 20_000;
/** The image has room for a few of the hundred blocks of the large zone, so that memory must be used again. */
const IMAGE_OCTETS = 12_000_000;

function putVersion(image: ImageWriter, zone: number, version: number): void {
  if (zone !== LARGE || version === 1) {
    image.put(compileZone(contentOf(zone, ZONES, version, zone === LARGE ? FILL : 0)));
    return;
  }
  const { apex, serial, records } = contentOf(zone, ZONES, version);
  const block = image.zoneBlock(apex)!;
  const patch = { apex, serial, records, owners: changedOwners(zone) };
  const next = image.reserveNext(apex);
  next.publish(runToEnd(patchZoneInParts(block, patch, next)));
}

/**
 * Waits for free memory: a reader that the system has suspended within a batch keeps all blocks that are replaced in
 * the meantime.
 */
async function whenThereIsRoom(put: () => void): Promise<void> {
  for (;;) {
    try {
      put();
      return;
    } catch (error) {
      if (!(error instanceof ImageFullError)) throw error;
    }
    await setImmediate();
  }
}

describe('answers while zones change', () => {
  it(`none is wrong or mixed during ${CHANGES} changes under full load`, async () => {
    const image = ImageWriter.create(IMAGE_OCTETS);
    const stopWord = ZONES * VERSIONS.WORDS;
    const shared = new SharedArrayBuffer((stopWord + 1 + READERS) * 4);
    const words = new Int32Array(shared);
    const change = async (zone: number, version: number): Promise<void> => {
      Atomics.store(words, zone * VERSIONS.WORDS + VERSIONS.BEGUN, version);
      await whenThereIsRoom(() => {
        putVersion(image, zone, version);
      });
      Atomics.store(words, zone * VERSIONS.WORDS + VERSIONS.DONE, version);
    };
    for (let zone = 0; zone < ZONES; zone++) await change(zone, 1);
    image.setState(IMAGE_STATE.CURRENT);
    const readers = Array.from({ length: READERS }, (_, readerIndex) => {
      const settings = TEST_SETTINGS;
      const { buffer } = image;
      const workerData = { buffer, readerIndex, zones: ZONES, settings, shared };
      return new Worker(READER_URL, { workerData });
    });
    const reports = Promise.all(readers.map((reader) => once(reader, 'message')));
    const answered = (): number =>
      Math.min(...readers.map((_, index) => Atomics.load(words, stopWord + 1 + index)));

    for (let made = 0; made < CHANGES || answered() < LEAST_ANSWERS; made++) {
      await change(made % ZONES, 2 + Math.floor(made / ZONES));
      if (made % 50 === 0) await setImmediate();
    }
    Atomics.store(words, stopWord, 1);
    const results = (await reports) as [{ answers: number; faults: string[] }][];
    expect(results.flatMap(([{ faults }]) => faults)).toEqual([]);
    for (const [{ answers }] of results) expect(answers).toBeGreaterThan(LEAST_ANSWERS);
  }, 90_000);
});
