// jest environment with the globals of Node.js. It fails a test file that leaves something open: a socket, a server, a
// timer, a child process. jest itself only prints that a worker "has failed to exit gracefully", without its cause.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { noteRunning } from './overdue.mjs';

/**
 * Factor of the time limits of tests and hooks, which are for a machine that does nothing else. A test waits for events
 * with its own deadlines, whose errors name what is missing; this limit is only the last resort.
 */
const PATIENCE = 5;
/** Lines in which suites report what they skip, and why. scripts/test.mjs repeats them at the end. */
const SKIPPED = /^SKIPPED.*$/gm;

/** Time limit for what is being closed when the last test ends. */
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

  /** jest requires this method. */
  getVmContext() {
    return null;
  }

  setup() {
    // State that jest-circus keeps from the previous file.
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    delete globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')];
    // The streams are opened on their first write and stay open, which is not a leak of the file that writes first.
    for (const stream of [process.stdout, process.stderr]) stream.write('');
    process.stderr.write = (...args) => {
      noteSkipped(String(args[0]));
      return this.#write.apply(process.stderr, args);
    };
    this.#before = countOpen();
  }

  /** Open resources of a failed test must not hide the reason of the failure. */
  handleTestEvent({ name, test, hook, describeBlock, error }, state) {
    if (name === 'hook_start') this.#extendLimit(hook, state);
    if (name === 'test_fn_start') this.#extendLimit(test, state);
    if (name === 'hook_failure') {
      tellOnce({ hook, describeBlock, state, isConsequence: this.#hasNoSetUp });
      this.#hasNoSetUp ||= hook.type === 'beforeAll';
    }
    // A single failed test is enough to detect a mutant.
    if (name === 'test_start' && this.#hasFailed && 'ZONEWRIGHT_MUTANT' in process.env)
      test.mode = 'skip';
    this.#hasFailed ||= name === 'hook_failure' || (name === 'test_done' && test.errors.length > 0);
    // jest reads paths in a stack, not URLs.
    if (error?.stack)
      error.stack = error.stack.replaceAll(/file:\/\/([^\s?)]+)(\?file=\d+)?/g, '$1');
  }

  /** Extends the limit once: a hook of each test starts several times. */
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
 * Reports the error of a set-up once. jest reports it for each later test; here only the first one has it, and the
 * others count as skipped. Later errors of a clean-up are consequences.
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

/** Counts the resources of each type that keep this process alive. */
function countOpen() {
  const counts = new Map();
  for (const type of process.getActiveResourcesInfo())
    counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
