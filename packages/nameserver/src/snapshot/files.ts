import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, type Stats } from 'node:fs';
import { link, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/* File operations that several processes may perform at the same time in one folder. Each function reports if another
   process was faster. */

/** Returns undefined if the file does not exist. */
async function statIfThere(path: string): Promise<Stats | undefined> {
  return unless('ENOENT', stat(path));
}

/** Renames a file, replacing another one, if it exists. */
export async function moveIfThere(from: string, to: string): Promise<void> {
  const [source, target] = [await statIfThere(from), await statIfThere(to)];
  // If both are names of the same file, rename(2) would leave both.
  const isSame = source !== undefined && source.ino === target?.ino && source.dev === target.dev;
  if (isSame) await rm(to, { force: true });
  await unless('ENOENT', rename(from, to));
}

/** Gives a file a second name. Returns false if the name is taken. */
export async function linkIfFree(from: string, to: string): Promise<boolean> {
  const isLinked = await unless(
    'EEXIST',
    link(from, to).then(() => true),
  );
  return isLinked ?? false;
}

/** Waits for a step. Returns undefined if the step fails with this error code. */
async function unless<T>(code: string, step: Promise<T>): Promise<T | undefined> {
  try {
    return await step;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined;
    throw error;
  }
}

/** Suffix after the name of the snapshot: the process id, and a part that distinguishes containers. */
const ASIDE = /^\.(\d+)\.[^.]+\.new$/;

/** Returns the path to which this process writes a snapshot before it moves it into place. */
export function asidePath(path: string): string {
  return `${path}.${process.pid}.${randomUUID()}.new`;
}

/**
 * Removes partial snapshots of writers that were killed, which would take disk space forever. Called at the start,
 * before this process writes. A running writer in another process namespace may lose its file, too. It then fails to
 * move the file into place and writes another one.
 */
export function removeLeftOvers(path: string): void {
  try {
    for (const name of readdirSync(dirname(path))) {
      if (!name.startsWith(basename(path))) continue;
      const pid = Number(ASIDE.exec(name.slice(basename(path).length))?.[1]);
      if (pid > 0 && !isOther(pid)) rmSync(join(dirname(path), name), { force: true });
    }
  } catch {
    // The folder does not exist yet or is not accessible. Writing will then fail, too, and report it.
  }
}

/** Whether another process with this id runs. In a container all processes so far may have had the same id. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
