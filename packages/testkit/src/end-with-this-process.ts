import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Knows whom to end with which signal, by a line for each that comes or goes, and does so when no more lines can come. */
const SCRIPT = `
all=
while read -r what child; do
  left=
  for each in $all; do [ "$each" = "$child" ] || left="$left $each"; done
  all=$left
  [ "$what" = gone ] || all="$all $child"
done
for each in $all; do kill -s "\${each%:*}" "\${each#*:}"; done`;

/** One guard serves all test files that this process runs, because a fork of a process with much memory takes long. */
const GUARD = Symbol.for('zonewright-guard');
const shared = globalThis as { [GUARD]?: Socket | undefined };

/**
 * Ends `child` when this process is gone, however it ended. Ctrl-C does not reach a child in a process group of its
 * own. A test run that is killed cannot notify anyone. A separate shell therefore waits for the end.
 *
 * @param signal what the child takes as the request to end, as `kill` knows it
 */
export function endWithThisProcess(child: ChildProcess, signal: 'INT' | 'TERM' | 'KILL'): void {
  if (child.pid === undefined) return;
  const guard = (shared[GUARD] ??= startGuard());
  const told = `${signal}:${child.pid}\n`;
  guard.write(`come ${told}`);
  child.once('exit', () => guard.write(`gone ${told}`));
}

/** Neither the shell nor its pipe, which is a socket, keeps this process alive. */
function startGuard(): Socket {
  const guard = spawn('sh', ['-c', SCRIPT], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  const pipe = guard.stdin as unknown as Socket;
  pipe.unref();
  pipe.on('error', () => {
    shared[GUARD] = undefined;
  });
  return pipe;
}
