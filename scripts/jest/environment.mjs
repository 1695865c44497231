// jest's environment for Node.js: that of the worker itself (runtime.cjs). It also fails a test file that leaves something
// open: a socket, a server, a timer, a child process. jest alone only prints that a worker "has failed to exit
// gracefully", and not whose fault it is.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** What is being closed when the last test ends may take this long. */
const DEADLINE_MS = 5_000;
const INTERVAL_MS = 20;
/** What `jest.setTimeout` of a test file writes, for itself alone. */
const TEST_TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

export default class LeakCheckingEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern;
  #console = console;
  #exit = process.exit;
  #before = new Map();
  #hasFailed = false;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  /** Nothing is run in one: what asks is only whether the test file is still there. */
  getVmContext() {
    return globalThis;
  }

  setup() {
    // Opened when they are first written to, for good; that is no leak of the file that happens to do it.
    for (const stream of [process.stdout, process.stderr]) stream.write('');
    this.#before = countOpen();
  }

  /** What a failed test leaves open must not hide why it failed. */
  handleTestEvent({ name, test }) {
    this.#hasFailed ||= name === 'hook_failure' || (name === 'test_done' && test.errors.length > 0);
  }

  async teardown() {
    const left = this.#hasFailed ? [] : await this.#waitUntilClosed();
    this.fakeTimersModern.dispose();
    // jest has put its own in their place, for this file.
    globalThis.console = this.#console;
    process.exit = this.#exit;
    delete globalThis[TEST_TIMEOUT];
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
