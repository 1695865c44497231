import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { UnprivilegedUser } from './unprivileged-user.js';
import type { Watchdog } from './watchdog-client.js';

interface BackgroundProgramOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** File that receives the output of the program. */
  readonly logFile: string;
  /** Signal for a clean exit. */
  readonly stopSignal: NodeJS.Signals;
  readonly user?: UnprivilegedUser | undefined;
  /** Text for standard input, for settings that must not be on a command line. */
  readonly input?: string;
  /** Ends the program if this process dies. */
  readonly watchdog: Watchdog;
  /** Called if the program exits unexpectedly. */
  readonly onUnexpectedExit: () => void;
}

/** Time limit of a stop: three of the five seconds in which Ctrl-C must end everything. */
const STOP_TIMEOUT_MS = 3_000;
const LOG_TAIL_LINES = 8;

/**
 * Program of another project (PostgreSQL, Redis) in its own process group. Ctrl-C in a terminal therefore reaches only
 * the launcher, which stops everything in the right order.
 */
export class BackgroundProgram {
  readonly #options: BackgroundProgramOptions;
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;
  #stopping = false;

  private constructor(options: BackgroundProgramOptions, child: ChildProcess) {
    this.#options = options;
    this.#process = child;
    this.#exited = once(child, 'exit').then(() => {
      if (child.pid !== undefined) options.watchdog.forget(child.pid);
      if (!this.#stopping) options.onUnexpectedExit();
    });
  }

  static start(options: BackgroundProgramOptions): BackgroundProgram {
    const log = openSync(options.logFile, 'a', 0o600);
    const child = spawn(options.command, options.args, {
      cwd: options.cwd,
      detached: true,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', log, log],
      // Messages are in English and in a fixed format, whatever the user's language is.
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
      ...(options.user === undefined ? {} : { uid: options.user.uid, gid: options.user.gid }),
    });
    closeSync(log);
    child.stdin?.end(options.input);
    const program = new BackgroundProgram(options, child);
    if (child.pid !== undefined) options.watchdog.watch(child.pid, options.stopSignal);
    return program;
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Returns the last lines of its log, for the error if it did not start. */
  lastLines(): string {
    return readFileSync(this.#options.logFile, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-LOG_TAIL_LINES)
      .join('\n');
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (!this.isRunning) return;
    this.#process.kill(this.#options.stopSignal);
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.#exited;
    clearTimeout(timer);
  }
}
