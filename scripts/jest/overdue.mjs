// jest reporter that ends a run which would never end. jest limits tests and hooks, but not the loading of a file. If
// the system kills a worker, for example for lack of memory, jest sends the next file to it and waits forever. Each
// worker records the file that it runs (./environment.mjs).
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const INTERVAL_MS = 15_000;
/** Time limit of a file. A whole run takes less on an idle machine. */
const LIMIT_MINUTES = 30;

/** Records that this process runs a test file. Returns a function that removes the record. */
export function noteRunning(testPath) {
  const folder = runningFolder();
  if (folder === undefined) return () => undefined;
  mkdirSync(folder, { recursive: true });
  const note = join(folder, String(process.pid));
  writeFileSync(note, testPath);
  return () => rmSync(note, { force: true });
}

export default class Overdue {
  #timer;

  onRunStart() {
    // The long forms of tests take hours in one process.
    const minutes = Number(process.env.ZONEWRIGHT_FILE_MINUTES ?? LIMIT_MINUTES);
    this.#timer = setInterval(() => killOverdue(minutes), INTERVAL_MS);
    this.#timer.unref();
  }

  onTestFileResult({ path }, { testExecError }) {
    if (/^A jest worker process/.test(testExecError?.message ?? '')) {
      endRun(`The run ends, since the process of ${path} has ended: ${testExecError.message}`);
    }
  }

  onRunComplete() {
    clearInterval(this.#timer);
  }
}

function killOverdue(minutes) {
  const folder = runningFolder();
  for (const pid of folder === undefined ? [] : readNotes(folder)) {
    const note = join(folder, pid);
    const startedAt = statSync(note, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - startedAt < minutes * 60_000) continue;
    const children = spawnSync('ps', ['-o', 'pid,etimes,args', '--ppid', pid], {
      encoding: 'utf8',
    });
    const path = readFileSync(note, 'utf8');
    endRun(
      `${path} has not ended after ${minutes} minutes. Its child processes:\n${children.stdout}`,
    );
  }
}

function endRun(reason) {
  console.error(reason);
  // Pure tests start no other processes. Otherwise jest has a separate process group (scripts/test.mjs).
  if (runningFolder() === undefined) process.exit(1);
  process.kill(-process.pid, 'SIGKILL');
}

function readNotes(folder) {
  try {
    return readdirSync(folder);
  } catch {
    // No file has been started.
    return [];
  }
}

/** Returns undefined for pure tests, which have no environment. */
function runningFolder() {
  const folder = process.env.ZONEWRIGHT_TEST_FOLDER;
  return folder === undefined ? undefined : join(folder, 'running');
}
