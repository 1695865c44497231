import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, type Stats } from 'node:fs';
import { link, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/*
 * Steps that several processes may take at once in one folder: each says what became of it where another one was faster.
 */

/** Undefined if there is no such file. */
async function statIfThere(path: string): Promise<Stats | undefined> {
  return unless('ENOENT', stat(path));
}

/** Moves a file over another one, if it is there. */
export async function moveIfThere(from: string, to: string): Promise<void> {
  const [source, target] = [await statIfThere(from), await statIfThere(to)];
  // If both are names of the same file, rename(2) would leave both.
  const isSame = source !== undefined && source.ino === target?.ino && source.dev === target.dev;
  if (isSame) await rm(to, { force: true });
  await unless('ENOENT', rename(from, to));
}

/** Gives a file a second name; false if that is taken. */
export async function linkIfFree(from: string, to: string): Promise<boolean> {
  const isLinked = await unless(
    'EEXIST',
    link(from, to).then(() => true),
  );
  return isLinked ?? false;
}

/** Undefined where it fails with this code. */
async function unless<T>(code: string, step: Promise<T>): Promise<T | undefined> {
  try {
    return await step;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined;
    throw error;
  }
}

/** Behind the name of the snapshot: the number of the process, and what tells writers of several containers apart. */
const ASIDE = /^\.(\d+)\.[^.]+\.new$/;

/** Path to which this process writes a snapshot before it puts it in place. */
export function asidePath(path: string): string {
  return `${path}.${process.pid}.${randomUUID()}.new`;
}

/**
 * Removes what writers that were killed left half written: each would take the room of a snapshot for good. For a start,
 * before this process writes. A writer that runs elsewhere, on the same folder by another numbering of processes, fails to
 * put its file in place, and writes another.
 */
export function removeLeftOvers(path: string): void {
  try {
    for (const name of readdirSync(dirname(path))) {
      if (!name.startsWith(basename(path))) continue;
      const pid = Number(ASIDE.exec(name.slice(basename(path).length))?.[1]);
      if (pid > 0 && !isOther(pid)) rmSync(join(dirname(path), name), { force: true });
    }
  } catch {
    // There is no folder yet, or it is not ours: then nothing can be written either, which is told in its time.
  }
}

/** Whether it is another process, which runs. In a container each process that there has been had the same number. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
