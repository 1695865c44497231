// Program that reads `watch PID SIGNAL` and `forget PID` from standard input. When the input ends, the launcher has
// died: every watched process gets its signal, then SIGKILL.
import { createInterface } from 'node:readline';

const GRACE_MS = 4_000;
const INTERVAL_MS = 50;

const watched = new Map<number, NodeJS.Signals>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const [word, pid, signal] = line.split(' ');
  if (word === 'watch') watched.set(Number(pid), signal as NodeJS.Signals);
  else watched.delete(Number(pid));
}

for (const [pid, signal] of watched) send(pid, signal);
const end = Date.now() + GRACE_MS;
while (Date.now() < end && [...watched.keys()].some((pid) => send(pid, 0))) {
  await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
}
for (const pid of watched.keys()) send(pid, 'SIGKILL');

/** Sends a signal. Returns whether the process exists. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
