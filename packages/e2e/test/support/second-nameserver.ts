import { type NameserverAddress } from '@zonewright/testkit';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { PROJECT } from './running-platform.js';

/** Nameserver in addition to the platform's own, which resolvers use if that one is down. */
export class SecondNameserver {
  readonly address: NameserverAddress;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, address: NameserverAddress) {
    this.#process = child;
    this.address = address;
  }

  static async start(
    databaseUrl: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<SecondNameserver> {
    const child = fork(join(PROJECT, 'packages/nameserver/dist/main.js'), [], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: databaseUrl,
        NAMESERVER_NAME: 'ns1-2',
        NAMESERVER_HOST: '127.0.0.1',
        NAMESERVER_PORT: '0',
        NAMESERVER_OPERATIONS_PORT: '0',
        LOG_LEVEL: 'silent',
        ...env,
      },
    });
    const [message] = (await once(child, 'message')) as [{ addresses: { dns: string } }];
    const [host = '', port] = message.addresses.dns.split(':');
    return new SecondNameserver(child, { host, port: Number(port) });
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exited;
  }
}
