import { type NameserverAddress, waitFor } from '@zonewright/testkit';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, type RunningPlatform } from './running-platform.js';

interface ReadyMessage {
  readonly addresses: { readonly dns: string };
}

/** Nameserver in addition to that of `npm start`, as the same process as in its container. */
export class NameserverProcess {
  readonly name: string;
  readonly #databaseUrl: string;
  readonly #env: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;
  #address: NameserverAddress | undefined;

  constructor(platform: RunningPlatform, name: string, env: Readonly<Record<string, string>> = {}) {
    this.name = name;
    this.#env = env;
    const operator = readFileSync(join(platform.dataFolder, 'operator.env'), 'utf8');
    const url = /^DATABASE_URL=(.*)$/m.exec(operator)?.[1] ?? '';
    this.#databaseUrl = url.replace('zonewright_operator', 'zonewright_nameserver');
  }

  /** Starts the nameserver. Resolves when it answers queries; it reads its zones later. */
  async start(): Promise<void> {
    const child = fork(join(PROJECT, 'packages/nameserver/dist/main.js'), [], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        DATABASE_URL: this.#databaseUrl,
        NAMESERVER_NAME: this.name,
        NAMESERVER_HOST: '127.0.0.1',
        NAMESERVER_PORT: String(this.#address?.port ?? 0),
        NAMESERVER_OPERATIONS_PORT: '0',
        ...this.#env,
      },
    });
    this.#process = child;
    const [{ addresses }] = (await once(child, 'message')) as [ReadyMessage];
    const [host = '', port] = addresses.dns.split(':');
    this.#address = { host, port: Number(port) };
  }

  get address(): NameserverAddress {
    if (this.#address === undefined) throw new Error(`${this.name} was not started.`);
    return this.#address;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  /** Kills the nameserver as a crash would. It may be frozen. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await waitFor(() => child.exitCode !== null || child.signalCode !== null);
  }
}
