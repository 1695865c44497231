import type { Stats } from 'node:fs';
import { link, rename, rm, stat } from 'node:fs/promises';

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
