import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether there is a process of that number. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** With what it was started; '' when that cannot be told. */
export function commandLineOf(pid: number): string {
  return readLine(`/proc/${pid}/cmdline`) ?? ps(pid, 'command=');
}

/** The name of its program, without folders; '' when that cannot be told. */
export function programOf(pid: number): string {
  return (readLine(`/proc/${pid}/comm`) ?? ps(pid, 'comm=')).split('/').pop() ?? '';
}

/** undefined when it cannot be told. */
export function parentOf(pid: number): number | undefined {
  return Number.parseInt(statOf(pid)?.[1] ?? ps(pid, 'ppid='), 10) || undefined;
}

/** When it began, in whatever form the system has it: with the number, what no other process ever has. */
export function startOf(pid: number): string {
  const stat = statOf(pid);
  if (stat === undefined) return ps(pid, 'lstart=');
  return `${readLine('/proc/sys/kernel/random/boot_id') ?? ''} ${stat[19] ?? ''}`;
}

/** /proc/PID/stat from the state on: "pid (name) state ppid ..."; the name may hold anything. */
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

/** For systems without /proc. */
function ps(pid: number, column: string): string {
  const { stdout } = spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' });
  return (stdout as string | null)?.trim() ?? '';
}
