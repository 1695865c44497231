import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const INTERVAL_MS = 500;
const SHELLS = new Set(['sh', 'dash', 'bash', 'ash', 'zsh']);

/**
 * Calls `onGone` when the npm that runs this process is gone: killed with SIGKILL it cannot tell us, and we would
 * go on unseen. Does nothing when not run by npm; then the parent may be a shell that is left on purpose.
 *
 * @returns a function that ends the watch.
 */
export function watchNpm(onGone: () => void): () => void {
  if (process.env['npm_lifecycle_event'] === undefined) return () => undefined;
  const parent = process.ppid;
  // npm runs scripts through a shell, which may have replaced itself with this process or not.
  const npm = SHELLS.has(programName(parent)) ? parentOf(parent) : parent;
  const timer = setInterval(() => {
    if (process.ppid === parent && isRunning(npm)) return;
    clearInterval(timer);
    onGone();
  }, INTERVAL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

function programName(pid: number): string {
  return (readLine(`/proc/${pid}/comm`) ?? ps(pid, 'comm=')).split('/').pop() ?? '';
}

function parentOf(pid: number): number {
  // /proc/PID/stat: "pid (name) state ppid ..."; the name may hold anything, so it is skipped from the right.
  const stat = readLine(`/proc/${pid}/stat`);
  const text = stat === undefined ? ps(pid, 'ppid=') : stat.slice(stat.lastIndexOf(')') + 4);
  return Number.parseInt(text, 10) || pid;
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

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
