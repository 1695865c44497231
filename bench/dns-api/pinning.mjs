// Assigns one core to the measured program and another to PostgreSQL. The client runs on both.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const SERVICE_CORE = '0';
const DATABASE_CORE = '1';

export const canPin =
  availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** Returns the command line that runs a Node.js program on the service's core. */
export function onServiceCore(program, nodeOptions = []) {
  return pinned([process.execPath, ...nodeOptions, program]);
}

/** Does the same for any command line. */
export function pinned(command) {
  return canPin ? ['taskset', '-c', SERVICE_CORE, ...command] : command;
}

/**
 * Moves a PostgreSQL server of this machine to its core, given the process id of one of its sessions. Sessions that
 * start later stay there.
 */
export function pinDatabase(backendPid) {
  if (!canPin) return;
  const parent = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${backendPid}/status`, 'utf8'))?.[1];
  const moved = spawnSync('taskset', ['-p', '-c', DATABASE_CORE, parent]);
  if (moved.status !== 0) throw new Error(`cannot pin PostgreSQL: ${moved.stderr}`);
}
