import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** As write-snapshot names what it has not finished: by the number of its process. */
const LEFTOVER = /\.(\d+)\.new$/;

/**
 * Removes what writers that were killed left half written: each would take the room of a snapshot for good. A writer
 * that runs elsewhere, on the same folder by another numbering of processes, merely has to begin anew.
 */
export function removeLeftovers(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const pid = Number(LEFTOVER.exec(name)?.[1]);
      if (pid > 0 && !isRunning(pid)) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // There is no folder yet, or it is not ours: then nothing can be written either, which is told in its time.
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
