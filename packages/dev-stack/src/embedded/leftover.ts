import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { commandLineOf, isRunning } from './running-process.js';

const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

interface Program {
  /** Text in the command line of the program. */
  readonly program: string;
  /** Working folder of the program. */
  readonly folder: string;
}

/**
 * Ends a program that an earlier launcher left running, using its pid file. If the pid now belongs to another program,
 * only the stale file is removed.
 */
export async function stopLeftover(pidFile: string, program: Program): Promise<void> {
  const text = await readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  if (!(pid > 1)) return;
  if (!(await isProgram(pid, program))) {
    await rm(pidFile, { force: true });
    return;
  }
  process.kill(pid, 'SIGINT');
  const end = Date.now() + STOP_TIMEOUT_MS;
  while (await isProgram(pid, program)) {
    if (Date.now() > end) process.kill(pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Whether `pid` is running and is that program in that folder. The system may have its own PostgreSQL and Redis. */
async function isProgram(pid: number, { program, folder }: Program): Promise<boolean> {
  if (!isRunning(pid) || !commandLineOf(pid).includes(program)) return false;
  const itsFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  // Without /proc, the name is sufficient.
  return itsFolder === undefined
    ? process.platform !== 'linux'
    : itsFolder === (await realpath(folder));
}
