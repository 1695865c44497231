import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, endWithThisProcess, freePort, readCodeBlocks, waitFor } from '@zonewright/testkit';
import { run } from './foreign-programs.js';
import { PROJECT } from './running-platform.js';

/** A key that we did not make. */
export interface ForeignKey {
  readonly name: string;
  readonly algorithm: string;
  readonly secret: string;
}

/** Somebody else's nameserver that has a zone of ours, run as docs/recipes has it. */
export interface PrimaryKind {
  readonly name: string;
  readonly program: string;
  readonly algorithm: string;
  readonly language: string;
  /** It says what changed, and not only all of the zone. */
  readonly hasDifferences: boolean;
  /** What a test needs beside the recipe. */
  readonly adapt: (config: string) => string;
  readonly args: (folder: string, config: string) => readonly string[];
}

export const PRIMARY_KINDS: readonly PrimaryKind[] = [
  {
    name: 'bind',
    program: '/usr/sbin/named',
    algorithm: 'hmac-sha256',
    language: 'bind',
    hasDifferences: true,
    adapt: (config) =>
      `controls { };\n${config.replace('recursion no;', 'recursion no; notify-delay 0; serial-query-rate 1000; pid-file none; lock-file none; session-keyfile none;')}`,
    args: (_folder, config) => ['-g', '-n', '1', '-c', config],
  },
  {
    name: 'knot',
    program: '/usr/sbin/knotd',
    algorithm: 'hmac-sha512',
    language: 'yaml',
    hasDifferences: true,
    adapt: (config) => config,
    args: (_folder, config) => ['-c', config],
  },
  {
    name: 'nsd',
    program: '/usr/sbin/nsd',
    algorithm: 'hmac-sha1',
    language: 'nsd',
    hasDifferences: false,
    adapt: (config) =>
      config.replace('database: ""', 'database: ""\n    username: ""\n    server-count: 1'),
    args: (folder, config) => ['-d', '-c', config, '-P', join(folder, 'nsd.pid')],
  },
  {
    name: 'powerdns',
    program: '/usr/sbin/pdns_server',
    algorithm: 'hmac-sha256',
    language: 'ini',
    hasDifferences: false,
    adapt: (config) => `${config}socket-dir=/var/lib/powerdns\nsetuid=\nsetgid=\n`,
    args: (folder) => [`--config-dir=${folder}`, '--daemon=no', '--guardian=no'],
  },
];

const CONFIG_FILE = 'pdns.conf';
const FOLDERS = /\/(?:var\/cache\/bind|run\/knot|var\/lib\/(?:knot|nsd|powerdns))/g;

export class PrimaryServer {
  readonly kind: PrimaryKind;
  readonly zone: string;
  readonly port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'zonewright-primary-'));
  readonly #key: ForeignKey;
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(kind: PrimaryKind, zone: string, key: ForeignKey, port: number) {
    this.kind = kind;
    this.zone = zone;
    this.port = port;
    this.#key = key;
  }

  static async prepare(kind: PrimaryKind, zone: string, key: ForeignKey): Promise<PrimaryServer> {
    return new PrimaryServer(kind, zone, key, await freePort());
  }

  /** Writes the recipe's configuration and the zone, and does what else it says. */
  configure(text: string, nameserverPort: number): void {
    const { name, language, adapt } = this.kind;
    const page = readFileSync(join(PROJECT, `docs/recipes/primary-${name}.md`), 'utf8');
    const [config = ''] = readCodeBlocks(page, language);
    const fill = (given: string) =>
      given
        .replaceAll('192.0.2.1 port 53', `127.0.0.1 port ${nameserverPort}`)
        .replaceAll('192.0.2.1@53', `127.0.0.1@${nameserverPort}`)
        .replaceAll('192.0.2.1:53', `127.0.0.1:${nameserverPort}`)
        .replaceAll('198.51.100.5@53', `127.0.0.1@${this.port}`)
        .replaceAll('listen-on port 53', `listen-on port ${this.port}`)
        .replaceAll('local-port=53', `local-port=${this.port}`)
        .replaceAll('198.51.100.5', '127.0.0.1')
        .replaceAll('example.com', this.zone.slice(0, -1))
        .replaceAll('KEY_NAME', this.#key.name)
        .replaceAll('ALGORITHM', this.#key.algorithm)
        .replaceAll('SECRET', this.#key.secret)
        .replaceAll(FOLDERS, this.#folder);
    writeFileSync(join(this.#folder, CONFIG_FILE), fill(adapt(config)));
    this.write(text);
    const [commands] = readCodeBlocks(page, 'sh');
    if (commands !== undefined) this.#run(fill(commands));
  }

  /** Puts another version in the place of the zone; `reload` says so. */
  write(text: string): void {
    writeFileSync(join(this.#folder, this.zone.slice(0, -1)), text);
  }

  reload(): void {
    if (this.kind.name === 'powerdns') {
      const zone = this.zone.slice(0, -1);
      this.#run(`pdnsutil load-zone ${zone} ${join(this.#folder, zone)}`);
    } else this.#child?.kill('SIGHUP');
  }

  #run(script: string): void {
    const all = script.replaceAll('pdnsutil ', `pdnsutil --config-dir=${this.#folder} `);
    const { status, stdout, stderr } = run('sh', ['-e', '-c', all]);
    if (status !== 0) throw new Error(`${this.kind.name}: ${script}: ${stdout}${stderr}`);
  }

  async start(): Promise<void> {
    const { program, args } = this.kind;
    const config = join(this.#folder, CONFIG_FILE);
    const child = spawn(program, args(this.#folder, config), {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString()).slice(-20_000);
      });
    }
    endWithThisProcess(child, 'KILL');
    this.#child = child;
    await waitFor(() => this.serial().then((serial) => serial !== undefined), 60_000);
  }

  /** The serial that it answers with; undefined: none. */
  async serial(): Promise<number | undefined> {
    try {
      const { answers } = await ask({ host: '127.0.0.1', port: this.port }, this.zone, 'SOA');
      return (answers as readonly { data?: { serial?: number } }[])[0]?.data?.serial;
    } catch {
      return undefined;
    }
  }

  /** What it said of late. */
  get output(): string {
    return this.#output;
  }

  get key(): ForeignKey {
    return this.#key;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
