import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether a process with this id is running. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the command line of a process. Empty if it is unknown. */
export function commandLineOf(pid: number): string {
  return readLine(`/proc/${pid}/cmdline`) ?? ps(pid, 'command=');
}

/** Returns the program name of a process without its folder. Empty if it is unknown. */
export function programOf(pid: number): string {
  return (readLine(`/proc/${pid}/comm`) ?? ps(pid, 'comm=')).split('/').pop() ?? '';
}

/** Returns undefined if the parent is unknown. */
export function parentOf(pid: number): number | undefined {
  return Number.parseInt(statOf(pid)?.[1] ?? ps(pid, 'ppid='), 10) || undefined;
}

/** Returns the start time in the format of the system. Together with the process id, it is unique. */
export function startOf(pid: number): string {
  const stat = statOf(pid);
  if (stat === undefined) return ps(pid, 'lstart=');
  return `${readLine('/proc/sys/kernel/random/boot_id') ?? ''} ${stat[19] ?? ''}`;
}

/**
 * Returns the fields of /proc/PID/stat from the state on. The line is "pid (name) state ppid ..."; the name may contain
 * any character.
 */
function statOf(pid: number): readonly string[] | undefined {
  const stat = readLine(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readLine(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Queries ps, for systems without /proc. */
function ps(pid: number, column: string): string {
  const { stdout } = spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' });
  return (stdout as string | null)?.trim() ?? '';
}
