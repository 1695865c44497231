import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, endWithThisProcess, freePort, readCodeBlocks, waitFor } from '@zonewright/testkit';
import { run } from './foreign-programs.js';
import { PROJECT } from './running-platform.js';

/** What the answer to the creation of a peer has of its key. */
export interface PeerBody {
  readonly id: string;
  /** Null: it wants none. */
  readonly catalog_zone: string | null;
  readonly key: { readonly name: string; readonly algorithm: string; readonly secret: string };
}

/** Somebody else's nameserver that is a secondary of ours, run as docs/recipes has it. */
export interface SecondaryKind {
  readonly name: string;
  readonly program: string;
  readonly versionArgs: readonly string[];
  readonly algorithm: string;
  readonly hasCatalogs: boolean;
  readonly language: string;
  /** What a test needs beside the recipe. */
  readonly adapt: (config: string) => string;
  readonly args: (folder: string, config: string) => readonly string[];
  /** It transfers to who signs with this key. */
  readonly isSigned: boolean;
}

export const KINDS: readonly SecondaryKind[] = [
  {
    name: 'bind',
    program: '/usr/sbin/named',
    versionArgs: ['-v'],
    algorithm: 'hmac-sha256',
    hasCatalogs: true,
    language: 'bind',
    adapt: (config) =>
      `controls { };\n${config.replace('recursion no;', 'recursion no; pid-file none; lock-file none; session-keyfile none;')}`,
    args: (_folder, config) => ['-g', '-n', '1', '-c', config],
    isSigned: true,
  },
  {
    name: 'knot',
    program: '/usr/sbin/knotd',
    versionArgs: ['-V'],
    algorithm: 'hmac-sha512',
    hasCatalogs: true,
    language: 'yaml',
    adapt: (config) => config.replace('action: [notify]', 'action: [notify, transfer]'),
    args: (_folder, config) => ['-c', config],
    isSigned: true,
  },
  {
    name: 'nsd',
    program: '/usr/sbin/nsd',
    versionArgs: ['-v'],
    algorithm: 'hmac-sha256',
    hasCatalogs: false,
    language: 'nsd',
    adapt: (config) =>
      `${config.replace('database: ""', 'database: ""\n    username: ""\n    server-count: 1')}    provide-xfr: 127.0.0.1 NOKEY\n`,
    args: (folder, config) => ['-d', '-c', config, '-P', join(folder, 'nsd.pid')],
    isSigned: false,
  },
  {
    name: 'powerdns',
    program: '/usr/sbin/pdns_server',
    versionArgs: ['--version'],
    algorithm: 'hmac-sha1',
    hasCatalogs: true,
    language: 'ini',
    adapt: (config) =>
      `${config}allow-axfr-ips=127.0.0.1\nsocket-dir=/var/lib/powerdns\nsetuid=\nsetgid=\n`,
    args: (folder) => [`--config-dir=${folder}`, '--daemon=no', '--guardian=no'],
    isSigned: false,
  },
];

const CONFIG_FILE = 'pdns.conf';
const FOLDERS = /\/(?:var\/cache\/bind|run\/knot|var\/lib\/(?:knot|nsd|powerdns))/g;

export class Secondary {
  readonly kind: SecondaryKind;
  readonly port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'zonewright-secondary-'));
  #child: ChildProcess | undefined;
  #output = '';

  private constructor(kind: SecondaryKind, port: number) {
    this.kind = kind;
    this.port = port;
  }

  static async prepare(kind: SecondaryKind): Promise<Secondary> {
    return new Secondary(kind, await freePort());
  }

  /** Writes the recipe's configuration, and does what else it says. */
  configure(zone: string, peer: PeerBody, primaryPort: number): void {
    const { name, language, adapt } = this.kind;
    const page = readFileSync(join(PROJECT, `docs/recipes/secondary-${name}.md`), 'utf8');
    const [config = ''] = readCodeBlocks(page, language);
    const fill = (text: string) =>
      text
        .replaceAll('192.0.2.1 port 53', `127.0.0.1 port ${primaryPort}`)
        .replaceAll('192.0.2.1@53', `127.0.0.1@${primaryPort}`)
        .replaceAll('192.0.2.1:53', `127.0.0.1:${primaryPort}`)
        .replaceAll('192.0.2.1', '127.0.0.1')
        .replaceAll('198.51.100.5@53', `127.0.0.1@${this.port}`)
        .replaceAll('listen-on port 53', `listen-on port ${this.port}`)
        .replaceAll('local-port=53', `local-port=${this.port}`)
        .replaceAll('198.51.100.5', '127.0.0.1')
        .replaceAll('example.com', zone.slice(0, -1))
        .replaceAll('CATALOG', peer.catalog_zone?.slice(0, -1) ?? '')
        .replaceAll('KEY_NAME', peer.key.name.slice(0, -1))
        .replaceAll('ALGORITHM', peer.key.algorithm)
        .replaceAll('SECRET', peer.key.secret)
        .replaceAll(FOLDERS, this.#folder);
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, CONFIG_FILE), fill(adapt(config)));
    const [commands] = readCodeBlocks(page, 'sh');
    if (commands === undefined) return;
    const script = fill(commands).replaceAll('pdnsutil ', `pdnsutil --config-dir=${this.#folder} `);
    const { status, stdout, stderr } = run('sh', ['-e', '-c', script]);
    if (status !== 0) throw new Error(`the commands of the recipe for ${name}: ${stdout}${stderr}`);
  }

  start(): void {
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
  }

  /** What it said of late. */
  get output(): string {
    return this.#output;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The serial that it answers with; undefined: none. */
  async serialOf(zone: string): Promise<number | undefined> {
    try {
      const { answers } = await ask({ host: '127.0.0.1', port: this.port }, zone, 'SOA');
      return (answers as readonly { data?: { serial?: number } }[])[0]?.data?.serial;
    } catch {
      return undefined;
    }
  }

  async waitForSerial(zone: string, serial: number, deadlineMs: number): Promise<void> {
    try {
      await waitFor(async () => (await this.serialOf(zone)) === serial, deadlineMs);
    } catch (error) {
      const has = await this.serialOf(zone);
      const message = `${this.kind.name} has ${String(has)}, not ${serial}:\n${this.#output}`;
      throw new Error(message, { cause: error });
    }
  }

  /** All of the zone as it has it. */
  dump(zone: string, peer: PeerBody): string {
    return dumpZone(this.port, zone, this.kind.isSigned ? peer : undefined);
  }
}

/** A zone in text, by transfer. */
export function dumpZone(port: number, zone: string, peer: PeerBody | undefined): string {
  const key = peer && `${peer.key.algorithm}:${peer.key.name}:${peer.key.secret}`;
  const args = ['@127.0.0.1', '-p', String(port), '+onesoa', '+nocomments', '+nocmd', '+nostats'];
  const { stdout, stderr } = run('dig', [...args, ...(key ? ['-y', key] : []), zone, 'AXFR']);
  const lines = stdout
    .split('\n')
    .filter((line) => !line.startsWith(';') && !line.includes('TSIG'));
  if (lines.length < 3) throw new Error(`no transfer of ${zone}: ${stdout}${stderr}`);
  return lines.join('\n');
}
