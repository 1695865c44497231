import type { ReadyMessage } from '@zonewright/service-kit';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

interface ServiceProcessOptions {
  /** Name for messages: "identity-service". */
  readonly name: string;
  /** Compiled program. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Called if the process exits unexpectedly. */
  readonly onUnexpectedExit: () => void;
}

/** Time limit of a start, much longer than a start takes on a busy machine. */
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 3_000;
const LOG_TAIL_LINES = 8;
const READINESS_INTERVAL_MS = 50;

/**
 * A service of Zonewright as a child process, as in a container. SIGTERM ends it, and it exits if the IPC channel
 * closes because this process died.
 */
export class ServiceProcess {
  readonly name: string;
  readonly #process: ChildProcess;
  readonly #logFile: string;
  readonly #exited: Promise<unknown>;
  /** Addresses in its ready message. */
  #addresses: ReadyMessage['addresses'] = {};
  #ready = false;
  #stopping = false;

  private constructor(options: ServiceProcessOptions) {
    this.name = options.name;
    this.#logFile = options.logFile;
    const log = openSync(options.logFile, 'a', 0o600);
    this.#process = fork(options.program, [], {
      // The service has its own process group: Ctrl-C reaches only the launcher, which stops everything in order.
      detached: true,
      stdio: ['ignore', log, log, 'ipc'],
      env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...options.env },
    });
    closeSync(log);
    this.#exited = once(this.#process, 'exit').then(() => {
      if (this.#ready && !this.#stopping) options.onUnexpectedExit();
    });
  }

  /** Resolves when the service is ready. Otherwise the Error contains the last lines of its log. */
  static async start(options: ServiceProcessOptions): Promise<ServiceProcess> {
    const service = new ServiceProcess(options);
    try {
      await service.#becomeReady();
      return service;
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  async #becomeReady(): Promise<void> {
    const outcome = await Promise.race([
      once(this.#process, 'message') as Promise<[ReadyMessage]>,
      this.#exited.then(() => 'it exited'),
      delay(START_TIMEOUT_MS).then(() => 'it took too long'),
    ]);
    if (typeof outcome === 'string') {
      throw new Error(`${this.name} did not start, ${outcome}:\n${this.#lastLines()}`);
    }
    this.#addresses = outcome[0].addresses;
    this.#ready = true;
  }

  /** URL of the operations port. */
  get operations(): string {
    return this.#addresses['operations'] ?? '';
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill('SIGTERM');
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.#exited;
    clearTimeout(timer);
  }

  #lastLines(): string {
    return readFileSync(this.#logFile, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-LOG_TAIL_LINES)
      .join('\n');
  }
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}

/** Polls `/readyz` at an operations port until the service is ready. @returns false if it is not ready in time */
export async function awaitReadiness(operations: string, timeoutMs: number): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    const isReady = await fetch(`${operations}/readyz`).then(
      async (response) => {
        await response.body?.cancel();
        return response.ok;
      },
      () => false,
    );
    if (isReady) return true;
    await delay(READINESS_INTERVAL_MS);
  }
  return false;
}
