import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * The launcher's side of the watchdog, a small process that ends the watched programs when the launcher dies, in whatever way.
 * PostgreSQL and Redis do not notice that by themselves.
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

  /** Lets it go once nothing is left to watch. */
  close(): void {
    this.#process.stdin?.end();
  }
}
