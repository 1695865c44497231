// jest's environment: Node's own globals. It fails a test file that leaves something open: a socket, a server, a
// timer, a child process. jest alone only prints that a worker "has failed to exit gracefully", and not whose fault it is.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { noteRunning } from './overdue.mjs';

/**
 * Limits of tests and hooks are those of a machine that does nothing else. A test waits for events, each with a deadline of its own
 * that names what did not come; the limit is only the end of all patience.
 */
const PATIENCE = 5;
/** Lines by which suites say what they skip, and why; scripts/test.mjs repeats them at the end. */
const SKIPPED = /^SKIPPED.*$/gm;

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
  #hasNoSetUp = false;
  #extended = new WeakSet();
  #write = process.stderr.write;

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
    process.stderr.write = (...args) => {
      noteSkipped(String(args[0]));
      return this.#write.apply(process.stderr, args);
    };
    this.#before = countOpen();
  }

  /** What a failed test leaves open must not hide why it failed. */
  handleTestEvent({ name, test, hook, describeBlock, error }, state) {
    if (name === 'hook_start') this.#extendLimit(hook, state);
    if (name === 'test_fn_start') this.#extendLimit(test, state);
    if (name === 'hook_failure') {
      tellOnce({ hook, describeBlock, state, isConsequence: this.#hasNoSetUp });
      this.#hasNoSetUp ||= hook.type === 'beforeAll';
    }
    // One failed test is enough to know that a fault was noticed.
    if (name === 'test_start' && this.#hasFailed && 'ZONEWRIGHT_MUTANT' in process.env)
      test.mode = 'skip';
    this.#hasFailed ||= name === 'hook_failure' || (name === 'test_done' && test.errors.length > 0);
    // jest reads paths in a stack, not URLs.
    if (error?.stack)
      error.stack = error.stack.replaceAll(/file:\/\/([^\s?)]+)(\?file=\d+)?/g, '$1');
  }

  /** A hook of each test starts more than once. */
  #extendLimit(limited, { testTimeout }) {
    if (this.#extended.has(limited)) return;
    this.#extended.add(limited);
    limited.timeout = (limited.timeout ?? testTimeout) * PATIENCE;
  }

  async teardown() {
    process.stderr.write = this.#write;
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

/**
 * jest gives the error of a set-up to each test after it. Here the first has it, and the others count as skipped. What a clean-up
 * misses after that is no fault of its own.
 */
function tellOnce({ hook, describeBlock, state, isConsequence }) {
  if (hook.type === 'afterAll' && isConsequence) state.unhandledErrors.pop();
  if (hook.type !== 'beforeAll') return;
  for (const test of testsOf(describeBlock).slice(1)) {
    test.errors = [];
    test.mode = 'skip';
  }
}

function testsOf({ children }) {
  return children.flatMap((child) =>
    child.type === 'describeBlock' ? testsOf(child) : child.mode === 'skip' ? [] : [child],
  );
}

function noteSkipped(text) {
  const { ZONEWRIGHT_TEST_FOLDER: folder } = process.env;
  if (folder === undefined) return;
  for (const [line] of text.matchAll(SKIPPED)) appendFileSync(join(folder, 'skipped'), `${line}\n`);
}

/** How many there are of each type of what keeps this process alive. */
function countOpen() {
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo())
    counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
