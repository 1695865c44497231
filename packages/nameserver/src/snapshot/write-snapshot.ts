import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ImageCapture } from '../image/image-capture.js';
import { asidePath } from './files.js';
import { linkIfFree, moveIfThere } from './files.js';
import { writerStartOf } from './read-snapshot.js';
import type { SnapshotContent } from './snapshot-format.js';
import { CHECKSUM, encodeHead } from './snapshot-format.js';

const CHUNK_OCTETS = 1024 * 1024;
/**
 * Maximum number of attempts. Each further attempt means that another process has put a snapshot in place in the
 * meantime.
 */
const MAX_TRIES = 10;

/**
 * Returns the path of the previous snapshot, which is used when the current one is damaged, or missing while it is
 * being replaced.
 */
export function previousOf(path: string): string {
  return `${path}.previous`;
}

/**
 * Writes a snapshot next to the current one and moves it into place when it has reached the disk, so that there is
 * always an intact snapshot. Rejects if it cannot be written or is aborted, or if a process that was started later has
 * written one, which is then kept.
 */
export async function writeSnapshot(
  path: string,
  content: SnapshotContent,
  capture: ImageCapture,
  signal: AbortSignal,
): Promise<void> {
  const aside = asidePath(path);
  try {
    const file = await open(aside, 'wx', 0o640);
    try {
      await writeAll(file, encodeHead(content, capture.octets), capture, signal);
      await file.sync();
    } finally {
      await file.close();
    }
    await putInPlace(path, aside, content);
    await syncFolder(dirname(path));
  } finally {
    await rm(aside, { force: true });
  }
}

async function writeAll(
  file: FileHandle,
  head: Buffer,
  capture: ImageCapture,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash(CHECKSUM).update(head);
  await file.writeFile(head);
  const chunk = Buffer.allocUnsafe(CHUNK_OCTETS);
  for (let at = 0; at < capture.octets;) {
    signal.throwIfAborted();
    const part = chunk.subarray(0, capture.read(at, chunk));
    hash.update(part);
    await file.writeFile(part);
    at += part.length;
  }
  await file.writeFile(hash.digest());
}

/**
 * Moves the snapshot into place. Several processes may do this at the same time, and each may be suspended between any
 * two lines. Therefore the file at `path` is never overwritten: it is moved to `previous`, checked there, and moved
 * back if it is better. A process that was suspended, and continues after another took over, has older zones.
 */
async function putInPlace(path: string, aside: string, content: SnapshotContent): Promise<void> {
  const previous = previousOf(path);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await moveIfThere(path, previous);
    const other = writerStartOf(previous);
    if (other !== undefined && other > content.writerStartedAt) {
      await linkIfFree(previous, path);
      throw new Error('a process that was started later has written a snapshot');
    }
    if (await linkIfFree(aside, path)) return;
  }
  throw new Error('other processes write snapshots to the same folder all the time');
}

/** A new name is on disk when its folder has been synchronized. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
