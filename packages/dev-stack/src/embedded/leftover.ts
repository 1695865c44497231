import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { commandLineOf, isRunning } from './running-process.js';

const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

interface Program {
  /** Text in its command line. */
  readonly program: string;
  /** Its working folder. */
  readonly folder: string;
}

/**
 * Ends a program that an earlier launcher left running, by its pid file. If the pid belongs to another program by now, only the
 * stale file is removed.
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

/** Whether `pid` runs and is that program, in that folder: the system may have a PostgreSQL and a Redis of its own. */
async function isProgram(pid: number, { program, folder }: Program): Promise<boolean> {
  if (!isRunning(pid) || !commandLineOf(pid).includes(program)) return false;
  const itsFolder = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  // Without /proc its name must do.
  return itsFolder === undefined
    ? process.platform !== 'linux'
    : itsFolder === (await realpath(folder));
}
