import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseZone } from '../conformance/support/zones.js';
import { compileZone } from '../src/compile/compile-zone.js';
import { ImageCapture } from '../src/image/image-capture.js';
import { ImageWriter } from '../src/image/image-writer.js';
import { removeLeftOvers } from '../src/snapshot/files.js';
import { readSnapshot } from '../src/snapshot/read-snapshot.js';
import type { SnapshotContent } from '../src/snapshot/snapshot-format.js';
import { writeSnapshot } from '../src/snapshot/write-snapshot.js';

const IMAGE_OCTETS = 1_048_576;
const ZONE = parseZone('kept.test.', '@ 60 SOA ns. admin. 1 2 3 4 5');
/** A process id that the kernel never assigns. */
const NO_PROCESS = 4_194_305;
let folder = '';
const file = () => join(folder, 'zones.snapshot');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-writers-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the snapshot of a process that was started at this time. */
const contentOf = (writerStartedAt: number): SnapshotContent => ({
  position: '0',
  servers: { domain: undefined, servers: [] },
  sharedZoneSerial: null,
  environment: {
    times: { refreshSeconds: 1, retrySeconds: 1, expireSeconds: 1, minimumSeconds: 1 },
    nameserverDomainTtl: 60,
  },
  readAt: 0,
  writerStartedAt,
});

function write(content: SnapshotContent, path = file()): Promise<void> {
  const image = ImageWriter.create(IMAGE_OCTETS);
  image.put(compileZone(ZONE));
  return writeSnapshot(path, content, new ImageCapture(image.buffer), new AbortController().signal);
}

/** Returns the start time of the snapshot's writer; throws an error if the snapshot is incomplete. */
const writerOf = (path = file()) => readSnapshot(path, IMAGE_OCTETS).content.writerStartedAt;

/**
 * Returns the same as contentOf(), but calls `halt` when the writer compares itself with that of the existing snapshot.
 */
function haltedAtLook(writerStartedAt: number, halt: () => void): SnapshotContent {
  let isWritten = false;
  return Object.defineProperty({ ...contentOf(writerStartedAt) }, 'writerStartedAt', {
    enumerable: true,
    get: () => {
      if (isWritten) halt();
      isWritten = true;
      return writerStartedAt;
    },
  });
}

describe('several writers of snapshots in one folder', () => {
  it('a writer that was halted before it replaced the snapshot does not replace a later one', async () => {
    await write(contentOf(1));
    const later = join(folder, 'later');
    await write(contentOf(3), later);
    const halted = haltedAtLook(2, () => {
      copyFileSync(later, file());
    });
    await expect(write(halted)).rejects.toThrow('started later');
    expect(writerOf()).toBe(3);
    await write(contentOf(4));
    expect([writerOf(), writerOf(`${file()}.previous`)]).toEqual([4, 3]);
  });

  it('the snapshot of a later writer stays, and is replaced by its own and by later ones', async () => {
    await write(contentOf(2));
    await expect(write(contentOf(1))).rejects.toThrow('started later');
    await expect(write(contentOf(1))).rejects.toThrow('started later');
    expect(writerOf()).toBe(2);
    await write(contentOf(2));
    await write(contentOf(3));
    expect([writerOf(), writerOf(`${file()}.previous`)]).toEqual([3, 2]);
  });

  it('two writers with the same pid at the same time damage nothing: the later snapshot stays', async () => {
    await Promise.allSettled([1, 3, 2].map((startedAt) => write(contentOf(startedAt))));
    expect(writerOf()).toBe(3);
    expect(writerOf(`${file()}.previous`)).toBeLessThanOrEqual(3);
    expect(readdirSync(folder).sort()).toEqual(['zones.snapshot', 'zones.snapshot.previous']);
  });

  it('files of killed writers are removed at a start, and nothing else', () => {
    const left = (pid: number) => `zones.snapshot.${pid}.left.new`;
    // In containers each process has the same id as the one that was killed; the parent of this process is running.
    const removed = [left(process.pid), left(NO_PROCESS)];
    const kept = [left(process.ppid), 'zones.snapshot.refused', 'zones.snapshot', 'x.new'].sort();
    for (const name of [...removed, ...kept]) writeFileSync(join(folder, name), 'half a snapshot');
    removeLeftOvers(file());
    expect(readdirSync(folder).sort()).toEqual(kept);
  });
});
