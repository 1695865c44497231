import { isRunning, parentOf, programOf } from '../embedded/running-process.js';

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
