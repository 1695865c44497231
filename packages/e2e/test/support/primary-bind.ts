import type { TsigKey } from '@zonewright/dns-records';
import { endWithThisProcess, freePort, waitFor } from '@zonewright/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './foreign-programs.js';
import type { UpdateServer } from './update-client.js';

/** BIND with one zone that can be updated with a key. */
export class PrimaryBind {
  readonly server: UpdateServer;
  readonly #zone: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(zone: string, port: number, process: ChildProcess, folder: string) {
    this.server = { host: '127.0.0.1', port };
    this.#zone = zone;
    this.#process = process;
    this.#folder = folder;
  }

  static async start(zone: string, key: TsigKey): Promise<PrimaryBind> {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-bind-'));
    const port = await freePort();
    writeFileSync(
      join(folder, 'zone'),
      `$TTL 300\n@ SOA ns1.example.net. a.example.net. 1 3600 600 86400 300\n@ NS ns1.example.net.\n`,
    );
    const secret = Buffer.from(key.secret).toString('base64');
    writeFileSync(
      join(folder, 'named.conf'),
      `controls { };
key "${key.name}" { algorithm ${key.algorithm}; secret "${secret}"; };
options { directory "${folder}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; notify no; pid-file none; lock-file none; session-keyfile none; check-mx ignore; };
zone "${zone}" { type primary; file "zone"; allow-update { key "${key.name}"; }; allow-transfer { any; }; };
`,
    );
    const named = spawn('named', ['-g', '-n', '1', '-c', join(folder, 'named.conf')], {
      stdio: 'ignore',
    });
    endWithThisProcess(named, 'TERM');
    const bind = new PrimaryBind(zone, port, named, folder);
    await waitFor(() => bind.#dig('SOA').includes('SOA'), 30_000);
    return bind;
  }

  /** Returns the records as `name ttl type data`, sorted, without SOA and NS at the apex. */
  records(): string[] {
    return this.#dig('AXFR')
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/))
      .filter(([name, , , type = '']) => name !== this.#zone || !/^(?:SOA|NS)$/.test(type))
      .map(([name = '', ttl = '', , type = '', ...data]) =>
        [name, ttl, type, data.join(' ')].join(' '),
      )
      .sort();
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #dig(type: string): string {
    const { host, port } = this.server;
    const args = ['+noall', '+answer', '+tcp', '+time=5', '-p', String(port)];
    return run('dig', [...args, `@${host}`, this.#zone, type]).stdout;
  }
}
