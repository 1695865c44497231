import { endWithThisProcess, freePort, type NameserverAddress, waitFor } from '@zonewright/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './foreign-programs.js';

/** Required programs of Debian's bind9 and bind9-utils. */
export const OTHER_PROVIDER_PROGRAMS = [
  'named',
  'dnssec-signzone',
  'dnssec-keygen',
  'dnssec-dsfromkey',
  'dig',
];

/** BIND with signed zones. Each is signed with its own key by BIND's tools whenever it is written. */
export class OtherProvider {
  readonly address: NameserverAddress;
  readonly #folder: string;
  readonly #process: ChildProcess;
  /** Path of each zone's key file, without an extension. */
  readonly #keys: ReadonlyMap<string, string>;
  #serial = 0;

  private constructor(
    folder: string,
    { port, process, keys }: { port: number; process: ChildProcess; keys: Map<string, string> },
  ) {
    this.address = { host: '127.0.0.1', port };
    this.#folder = folder;
    this.#process = process;
    this.#keys = keys;
  }

  /** `zones`: zones with their initial content. */
  static async start(zones: Readonly<Record<string, readonly string[]>>): Promise<OtherProvider> {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-provider-'));
    const port = await freePort();
    const keys = new Map<string, string>();
    for (const zone of Object.keys(zones)) {
      const args = ['-q', '-K', folder, '-a', 'ECDSAP256SHA256', '-f', 'KSK', zone];
      keys.set(zone, runWell('dnssec-keygen', args).trim());
    }
    const statements = Object.keys(zones).map(
      (zone) => `zone "${zone}" { type primary; file "${zone}signed"; };`,
    );
    writeFileSync(
      join(folder, 'named.conf'),
      `controls { };
options { directory "${folder}"; listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; notify no; pid-file none; lock-file none; session-keyfile none; minimal-responses yes; };
${statements.join('\n')}
`,
    );
    const process = spawn('named', ['-g', '-n', '1', '-c', join(folder, 'named.conf')], {
      stdio: 'ignore',
    });
    endWithThisProcess(process, 'TERM');
    const provider = new OtherProvider(folder, { port, process, keys });
    for (const [zone, records] of Object.entries(zones)) await provider.write(zone, records);
    return provider;
  }

  /** Returns the key of a zone in the form of DNSKEY. */
  dnskeyOf(zone: string): string {
    const text = readFileSync(join(this.#folder, `${this.#keys.get(zone)}.key`), 'utf8');
    return (/ DNSKEY (.+)$/m.exec(text)?.[1] ?? '').trim();
  }

  /** Returns the DS of a zone's key: tag, algorithm, digest type, digest. */
  dsOf(zone: string): string {
    const file = join(this.#folder, this.#keys.get(zone) ?? '');
    return (/ DS (.+)$/m.exec(runWell('dnssec-dsfromkey', ['-2', file]))?.[1] ?? '').trim();
  }

  /** Signs a zone and serves it. All TTLs are a second. */
  async write(zone: string, records: readonly string[]): Promise<void> {
    this.#serial += 1;
    const file = join(this.#folder, zone);
    const soa = `@ SOA ns.${zone} hostmaster.${zone} ${this.#serial} 3600 600 86400 1`;
    writeFileSync(file, `$TTL 1\n${[soa, `@ NS ns.${zone}`, ...records].join('\n')}\n`);
    const key = readFileSync(join(this.#folder, `${this.#keys.get(zone)}.key`), 'utf8');
    writeFileSync(file, key.replace(' IN ', ' 1 IN '), { flag: 'a' });
    const args = [
      '-z',
      '-o',
      zone,
      '-K',
      this.#folder,
      '-d',
      this.#folder,
      '-f',
      `${file}signed`,
      file,
    ];
    runWell('dnssec-signzone', [...args, this.#keys.get(zone) ?? '']);
    await waitFor(() => {
      this.#process.kill('SIGHUP');
      return run('dig', [...this.#dig, zone, 'SOA']).stdout.includes(` ${this.#serial} 3600 `);
    }, 60_000);
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exited;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #dig(): string[] {
    const { host, port } = this.address;
    return ['+short', '+tcp', '+time=1', '+tries=1', '-p', String(port), `@${host}`];
  }
}

function runWell(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = run(program, args);
  if (status !== 0) throw new Error(`${program}: ${stdout}${stderr}`);
  return stdout;
}
