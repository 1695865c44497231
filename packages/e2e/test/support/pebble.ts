import {
  endWithThisProcess,
  freePort,
  type NameserverAddress,
  waitFor,
  writeCertificate,
} from '@zonewright/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Certificate authority for tests, which validates challenges at a test nameserver. */
export class Pebble {
  readonly directoryUrl: string;
  /** Certificate that its clients must trust. */
  readonly certificateFile: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, directoryUrl: string, certificateFile: string) {
    this.#process = process;
    this.directoryUrl = directoryUrl;
    this.certificateFile = certificateFile;
  }

  /** @param folder folder for its files */
  static async start(folder: string, { host, port }: NameserverAddress): Promise<Pebble> {
    const { certificate, key: privateKey } = await writeCertificate(folder, 'pebble');
    const listenAddress = `127.0.0.1:${await freePort()}`;
    const pebble = {
      listenAddress,
      managementListenAddress: `127.0.0.1:${await freePort()}`,
      certificate,
      privateKey,
      httpPort: 1,
      tlsPort: 1,
    };
    const configFile = join(folder, 'pebble.json');
    writeFileSync(configFile, JSON.stringify({ pebble }));
    // Log in a file: its clients run while nobody here could read a pipe.
    const logFile = join(folder, 'pebble.log');
    const log = openSync(logFile, 'w');
    const child = spawn(
      '/usr/bin/pebble',
      ['-config', configFile, '-dnsserver', `${host}:${port}`],
      {
        stdio: ['ignore', log, log],
        // Disables its faults for client tests, which are delays and rejected nonces.
        env: { PATH: process.env['PATH'], PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' },
      },
    );
    closeSync(log);
    endWithThisProcess(child, 'TERM');
    const said = () => readFileSync(logFile, 'utf8');
    await waitFor(() => child.exitCode !== null || said().includes('ACME directory available'));
    if (child.exitCode !== null) throw new Error(`pebble ended:\n${said()}`);
    return new Pebble(child, `https://${listenAddress}/dir`, certificate);
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exited;
  }
}
