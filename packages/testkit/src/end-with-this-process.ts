import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Ends `child` when this process is gone, however it went: Ctrl-C does not reach a child in a process group of its own, and
 * a test run that is killed tells nobody. A shell of its own waits for that; it ends with the child.
 *
 * @param signal what the child takes as the wish to end, as `kill` knows it
 */
export function endWithThisProcess(child: ChildProcess, signal: 'INT' | 'TERM' | 'KILL'): void {
  const { pid } = child;
  if (pid === undefined) return;
  const script = `read -r _; kill -s ${signal} "$0"`;
  const guard = spawn('sh', ['-c', script, String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.once('exit', () => guard.kill('SIGKILL'));
  // Neither the guard nor its pipe, which is a socket, keeps this process alive.
  guard.unref();
  (guard.stdin as unknown as Socket).unref();
}
