import { createHash } from 'node:crypto';
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ImageCapture } from '../image/image-capture.js';
import { writerStartOf } from './read-snapshot.js';
import type { SnapshotContent } from './snapshot-content.js';
import { CHECKSUM, encodeHead } from './snapshot-format.js';

const CHUNK_OCTETS = 1024 * 1024;

/** The snapshot before the present one, should that turn out to be damaged. */
export function previousOf(path: string): string {
  return `${path}.previous`;
}

/**
 * Writes a snapshot beside the present one and puts it in its place when it has reached the disk, so that at each moment
 * there is a whole one. Rejects when it cannot be written, or was aborted; then the present one stays.
 */
export async function writeSnapshot(
  path: string,
  content: SnapshotContent,
  capture: ImageCapture,
  signal: AbortSignal,
): Promise<void> {
  const aside = `${path}.${process.pid}.new`;
  try {
    const file = await open(aside, 'w', 0o640);
    try {
      await writeAll(file, encodeHead(content, capture.octets), capture, signal);
      await file.sync();
    } finally {
      await file.close();
    }
    // A process that was halted, and goes on after another took its place, knows older zones.
    const other = writerStartOf(path);
    if (other !== undefined && other > content.writerStartedAt) {
      throw new Error('a process that was started later has written one');
    }
    await keepPrevious(path);
    await rename(aside, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
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

/** A second name for the present one, so that there is no moment without a snapshot. */
async function keepPrevious(path: string): Promise<void> {
  await rm(previousOf(path), { force: true });
  try {
    await link(path, previousOf(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** A rename is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
