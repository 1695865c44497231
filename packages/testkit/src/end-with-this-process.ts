import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * Reads a line for each process that starts or ends, with its signal, and ends the remaining ones when the input ends.
 */
const SCRIPT = `
all=
while read -r what child; do
  left=
  for each in $all; do [ "$each" = "$child" ] || left="$left $each"; done
  all=$left
  [ "$what" = gone ] || all="$all $child"
done
for each in $all; do kill -s "\${each%:*}" "\${each#*:}"; done`;

/** One guard serves all test files of this process, because forking a process with much memory takes a long time. */
const GUARD = Symbol.for('zonewright-guard');
const shared = globalThis as { [GUARD]?: Socket | undefined };

/**
 * Ends `child` when this process ends in any way. Ctrl-C does not reach a child in a separate process group, and a
 * killed test run cannot notify anyone. A separate shell therefore waits for the end.
 *
 * @param signal signal that ends the child, as in `kill`
 */
export function endWithThisProcess(child: ChildProcess, signal: 'INT' | 'TERM' | 'KILL'): void {
  if (child.pid === undefined) return;
  const guard = (shared[GUARD] ??= startGuard());
  const told = `${signal}:${child.pid}\n`;
  guard.write(`come ${told}`);
  child.once('exit', () => guard.write(`gone ${told}`));
}

/** Starts the guard. Neither the shell nor its pipe, which is a socket, keeps this process alive. */
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
