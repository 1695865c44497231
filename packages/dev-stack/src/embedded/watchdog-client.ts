import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Client of the watchdog, a small process that ends the watched programs if the launcher dies in any way. PostgreSQL
 * and Redis do not notice that themselves.
 */
export class Watchdog {
  readonly #process: ChildProcess;

  constructor() {
    const program = fileURLToPath(import.meta.resolve('@zonewright/dev-stack/watchdog'));
    this.#process = spawn(process.execPath, [program], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#process.stdin?.on('error', () => undefined);
    this.#process.unref();
  }

  watch(pid: number, signal: NodeJS.Signals): void {
    this.#process.stdin?.write(`watch ${pid} ${signal}\n`);
  }

  forget(pid: number): void {
    this.#process.stdin?.write(`forget ${pid}\n`);
  }

  /** Ends the watchdog when nothing is watched any longer. */
  close(): void {
    this.#process.stdin?.end();
  }
}
