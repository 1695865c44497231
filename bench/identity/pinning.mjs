// Assigns one core to the measured program. The client, PostgreSQL and Redis share another.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const SERVICE_CORE = '0';
const CLIENT_CORE = '1';

export const canPin =
  availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

export function onServiceCore(command) {
  return canPin ? ['taskset', '-c', SERVICE_CORE, ...command] : command;
}

export function onClientCore(command) {
  return canPin ? ['taskset', '-c', CLIENT_CORE, ...command] : command;
}

/** Moves all threads of a running program to the client's core. */
export function moveToClientCore(pid) {
  if (!canPin) return;
  const moved = spawnSync('taskset', ['-a', '-p', '-c', CLIENT_CORE, String(pid)]);
  if (moved.status !== 0) throw new Error(`cannot pin process ${pid}: ${moved.stderr}`);
}

/** Returns the parent of a process: for a PostgreSQL session, its postmaster. */
export function parentOf(pid) {
  return /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
}
