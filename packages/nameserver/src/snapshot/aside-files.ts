import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { statIfThere } from './files.js';

/** Who writes a snapshot touches its file all the time, and is done within seconds. */
const LEFT_OVER_MS = 3_600_000;
const SUFFIX = '.new';

/** Where a snapshot is written before it takes its place. Processes of several containers may share folder and pid. */
export function asidePath(path: string, unique: string): string {
  return `${path}.${unique}${SUFFIX}`;
}

/**
 * Removes what processes left that were killed while they wrote: what is an hour older than `own`, by the clock of the
 * disk. A process that was only halted for so long fails to put its file in place, and writes another.
 */
export async function removeLeftOvers(path: string, own: string): Promise<void> {
  const folder = dirname(path);
  const newest = (await statIfThere(own))?.mtimeMs ?? 0;
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith(SUFFIX)) continue;
    const leftOver = join(folder, name);
    const writtenAt = (await statIfThere(leftOver))?.mtimeMs ?? newest;
    if (newest - writtenAt > LEFT_OVER_MS) await rm(leftOver, { force: true });
  }
}
