import { isRunning, parentOf, programOf } from '../embedded/running-process.js';

const INTERVAL_MS = 500;
const SHELLS = new Set(['sh', 'dash', 'bash', 'ash', 'zsh']);

/**
 * Calls `onGone` if the npm that runs this process dies: killed with SIGKILL it cannot signal us, and we would continue
 * unnoticed. Does nothing without npm, since a shell may leave its child on purpose.
 *
 * @returns a function that stops the watch
 */
export function watchNpm(onGone: () => void): () => void {
  if (process.env['npm_lifecycle_event'] === undefined) return () => undefined;
  const parent = process.ppid;
  // npm runs scripts through a shell, which may have replaced itself with this process or not.
  const npm = SHELLS.has(programOf(parent)) ? (parentOf(parent) ?? parent) : parent;
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
