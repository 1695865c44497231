import { afterEach } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** The time limit of a start. Several servers start at once on a machine with two cores that tests share. */
const READY_DEADLINE_MS = 60_000;
const running = new Set<ChildProcess>();

/** A nameserver in a separate process, as an operator runs it. */
export class NameserverProcess {
  readonly #child: ChildProcess;
  /** The URL of health and metrics. */
  readonly operations: string;
  readonly port: number;

  private constructor(child: ChildProcess, addresses: Readonly<Record<string, string>>) {
    this.#child = child;
    this.operations = addresses['operations'] ?? '';
    this.port = Number(new URL(`dns://${addresses['dns'] ?? ''}`).port);
  }

  /** Resolves when the server is ready: it answers, and has read the zones. It ends with its test at the latest. */
  static async start(variables: Readonly<Record<string, string>>): Promise<NameserverProcess> {
    const child = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        NAMESERVER_HOST: '127.0.0.1',
        NAMESERVER_PORT: '0',
        NAMESERVER_OPERATIONS_PORT: '0',
        NAMESERVER_UDP_WORKERS: '1',
        LOG_LEVEL: 'error',
        ...variables,
      },
    });
    running.add(child);
    const [message] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`The nameserver ended with ${String(code)}.`);
      }),
    ])) as [{ addresses: Record<string, string> }];
    const server = new NameserverProcess(child, message.addresses);
    await waitFor(() => server.isReady(), READY_DEADLINE_MS);
    return server;
  }

  async isReady(): Promise<boolean> {
    return (await fetch(`${this.operations}/readyz`)).status === 200;
  }

  /** Stops the server; resolves with its exit code. */
  async stop(): Promise<number | null> {
    const exited = once(this.#child, 'exit') as Promise<[number | null]>;
    this.#child.kill('SIGTERM');
    const [code] = await exited;
    running.delete(this.#child);
    return code;
  }
}

afterEach(async () => {
  await Promise.all(
    [...running].map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }),
  );
  running.clear();
});
