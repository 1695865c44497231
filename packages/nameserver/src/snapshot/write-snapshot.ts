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
/** Each further one means that another process has put a snapshot in place meanwhile. */
const MAX_TRIES = 10;

/** The snapshot before the present one, should that turn out to be damaged, or be missing while it is replaced. */
export function previousOf(path: string): string {
  return `${path}.previous`;
}

/**
 * Writes a snapshot beside the present one and puts it in place when it has reached the disk. So a whole snapshot
 * exists at each moment, if only the previous one. Rejects if the snapshot cannot be written or is aborted. Also
 * rejects if a process that was started later has written one, and leaves that one in place.
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
 * Puts the snapshot in place. Several processes may do this at once, and each may be halted between any two lines. So
 * the file at `path` is never overwritten. It is moved to `previous`, checked there, and moved back if it is the
 * better one. A process that was halted, and goes on after another took over, knows older zones.
 */
async function putInPlace(path: string, aside: string, content: SnapshotContent): Promise<void> {
  const previous = previousOf(path);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await moveIfThere(path, previous);
    const other = writerStartOf(previous);
    if (other !== undefined && other > content.writerStartedAt) {
      await linkIfFree(previous, path);
      throw new Error('a process that was started later has written one');
    }
    if (await linkIfFree(aside, path)) return;
  }
  throw new Error('other processes write snapshots to the same folder all the time');
}

/** A name is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
