// jest's environment: Node's own globals. It fails a test file that leaves something open: a socket, a server, a
// timer, a child process. jest alone only prints that a worker "has failed to exit gracefully", and not whose fault it is.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { noteRunning } from './overdue.mjs';

/** What is being closed when the last test ends may take this long. */
const DEADLINE_MS = 5_000;
const INTERVAL_MS = 20;

export default class Environment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimersModern;
  #exit = process.exit;
  #variables = { ...process.env };
  #before = new Map();
  #hasFailed = false;
  #takeBackNote;

  constructor({ projectConfig }, { testPath }) {
    this.#takeBackNote = noteRunning(testPath);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** jest wants there to be one. */
  getVmContext() {
    return null;
  }

  setup() {
    // What jest-circus keeps of the file before.
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    delete globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')];
    // Opened when they are first written to, for good; that is no leak of the file that happens to do it.
    for (const stream of [process.stdout, process.stderr]) stream.write('');
    this.#before = countOpen();
  }

  /** What a failed test leaves open must not hide why it failed. */
  handleTestEvent({ name, test, error }) {
    this.#hasFailed ||= name === 'hook_failure' || (name === 'test_done' && test.errors.length > 0);
    // jest reads paths in a stack, not URLs.
    if (error?.stack)
      error.stack = error.stack.replaceAll(/file:\/\/([^\s?)]+)(\?file=\d+)?/g, '$1');
  }

  async teardown() {
    const left = this.#hasFailed ? [] : await this.#waitUntilClosed();
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    this.#takeBackNote();
    if (left.length > 0) throw new Error(`This file left open: ${left.join(', ')}.`);
  }

  async #waitUntilClosed() {
    const end = Date.now() + DEADLINE_MS;
    for (;;) {
      const left = [...countOpen()].flatMap(([type, count]) => {
        const more = count - (this.#before.get(type) ?? 0);
        return more > 0 ? [`${more} ${type}`] : [];
      });
      if (left.length === 0 || Date.now() > end) return left;
      await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
    }
  }
}

/** How many there are of each type of what keeps this process alive. */
function countOpen() {
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo())
    counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
