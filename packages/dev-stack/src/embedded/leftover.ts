import { readFile, rm } from 'node:fs/promises';

const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

/**
 * Ends the program that an earlier launcher left running, found by its pid file. A number that meanwhile
 * belongs to some other program is left alone, and the stale file removed.
 */
export async function stopLeftover(pidFile: string, program: string): Promise<void> {
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

/** Whether `pid` runs and, where the system tells, is that program. */
export async function isProgram(pid: number, program: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  // Without /proc there is no telling; a running process of that number is taken for the program.
  return commandLine === undefined || commandLine.includes(program);
}
