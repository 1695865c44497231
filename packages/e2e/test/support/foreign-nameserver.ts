import {
  sendQuery,
  endWithThisProcess,
  readCodeBlocks,
  readSection,
  waitFor,
} from '@zonewright/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './foreign-programs.js';
import { PROJECT } from './running-platform.js';

/** Programs of the recipes. */
const PROGRAMS = {
  bind: {
    title: 'BIND',
    program: '/usr/sbin/named',
    language: 'bind',
    args: (_folder: string, config: string) => ['-g', '-n', '1', '-c', config],
  },
  knot: {
    title: 'Knot DNS',
    program: '/usr/sbin/knotd',
    language: 'yaml',
    args: (_folder: string, config: string) => ['-c', config],
  },
  nsd: {
    title: 'NSD',
    program: '/usr/sbin/nsd',
    language: 'nsd',
    args: (folder: string, config: string) => ['-d', '-c', config, '-P', join(folder, 'nsd.pid')],
  },
  powerdns: {
    title: 'PowerDNS',
    program: '/usr/sbin/pdns_server',
    language: 'ini',
    args: (folder: string) => [`--config-dir=${folder}`, '--daemon=no', '--guardian=no'],
  },
} as const;

/** Files of Debian's pdns-backend-sqlite3 and sqlite3, in which the recipes store zones. */
const POWERDNS_BACKEND = [
  '/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql',
  '/usr/bin/sqlite3',
];

export type ForeignName = keyof typeof PROGRAMS;

/** Returns the kinds whose program is installed, and prints a line for missing ones. */
export function listPresent<K extends { readonly name: ForeignName }>(kinds: readonly K[]): K[] {
  return kinds.filter(({ name }) => {
    const { program } = PROGRAMS[name];
    const needed = name === 'powerdns' ? [program, ...POWERDNS_BACKEND] : [program];
    const missing = needed.filter((path) => !existsSync(path));
    if (missing.length === 0) return true;
    process.stderr.write(`SKIPPED: ${missing.join(', ')} is not here\n`);
    return false;
  });
}

/** Runs NSD as this user, and without the control port, which a machine has only once. */
export function adaptNsd(config: string): string {
  const own = 'database: ""\n    username: ""\n    server-count: 1';
  return `remote-control:\n    control-enable: no\n${config.replace('database: ""', own)}`;
}

/** File name that PowerDNS requires. The others accept any name. */
const CONFIG_FILE = 'pdns.conf';
const FOLDERS = /\/(?:var\/cache\/bind|run\/knot|var\/lib\/(?:knot|nsd|powerdns))/g;

export interface Recipe {
  /** Page of docs/recipes without the extension. */
  readonly page: 'primaries' | 'secondaries';
  /** Placeholders for the reader's values, and their replacements. */
  readonly values: Readonly<Record<string, string>>;
  readonly nameserverPort: number;
  /** Changes of the configuration that a test needs. */
  readonly adapt: (config: string) => string;
}

/**
 * External nameserver that runs as on a page of docs/recipes. There, 192.0.2.1 is this service and 198.51.100.5 the
 * external nameserver.
 */
export class ForeignNameserver {
  readonly name: ForeignName;
  readonly port: number;
  readonly folder = mkdtempSync(join(tmpdir(), 'zonewright-foreign-'));
  #child: ChildProcess | undefined;
  #output = '';

  protected constructor(name: ForeignName, port: number) {
    this.name = name;
    this.port = port;
  }

  /** Writes the configuration of the recipe. `runCommands` performs the other steps. */
  configure({ page, values, nameserverPort, adapt }: Recipe): { runCommands: () => void } {
    const recipes = readFileSync(join(PROJECT, `docs/recipes/${page}.md`), 'utf8');
    const text = readSection(recipes, PROGRAMS[this.name].title);
    const [config = ''] = readCodeBlocks(text, PROGRAMS[this.name].language);
    const fill = (given: string) => this.#fill(given, values, nameserverPort);
    writeFileSync(this.#config, fill(adapt(`${config}\n`)));
    const [commands] = readCodeBlocks(text, 'sh');
    return {
      runCommands: () => {
        if (commands !== undefined) this.run(fill(commands));
      },
    };
  }

  #fill(text: string, values: Recipe['values'], nameserverPort: number): string {
    const filled = text
      .replaceAll('192.0.2.1 port 53', `127.0.0.1 port ${nameserverPort}`)
      .replaceAll('192.0.2.1@53', `127.0.0.1@${nameserverPort}`)
      .replaceAll('192.0.2.1:53', `127.0.0.1:${nameserverPort}`)
      .replaceAll('192.0.2.1', '127.0.0.1')
      .replaceAll('198.51.100.5@53', `127.0.0.1@${this.port}`)
      .replaceAll('listen-on port 53', `listen-on port ${this.port}`)
      .replaceAll('local-port=53', `local-port=${this.port}`)
      .replaceAll('198.51.100.5', '127.0.0.1')
      .replaceAll(FOLDERS, this.folder);
    return Object.entries(values).reduce((done, [from, to]) => done.replaceAll(from, to), filled);
  }

  /** Runs a command of the recipe. */
  run(script: string): void {
    const all = script.replaceAll('pdnsutil ', `pdnsutil --config-dir=${this.folder} `);
    const { status, stdout, stderr } = run('sh', ['-e', '-c', all]);
    if (status !== 0) throw new Error(`${this.name}: ${script}: ${stdout}${stderr}`);
  }

  start(): void {
    const { program, args } = PROGRAMS[this.name];
    const child = spawn(program, args(this.folder, this.#config), {
      cwd: this.folder,
      // Separate process group, since the children of NSD keep the port for a moment longer.
      detached: true,
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

  /** Recent output. */
  get output(): string {
    return this.#output;
  }

  get #config(): string {
    return join(this.folder, CONFIG_FILE);
  }

  get #hasEnded(): boolean {
    return this.#child?.exitCode !== null || this.#child.signalCode !== null;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.#hasEnded) return;
    const exited = once(child, 'exit');
    process.kill(-child.pid!, 'SIGKILL');
    await exited;
    // The next server uses the same port, which the children of NSD keep until they have released their memory.
    await waitFor(() => isFree(this.port));
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Returns the serial that it answers with. Undefined if there is none. */
  async serialOf(zone: string): Promise<number | undefined> {
    try {
      const { answers } = await sendQuery({ host: '127.0.0.1', port: this.port }, zone, 'SOA');
      return (answers as readonly { data?: { serial?: number } }[])[0]?.data?.serial;
    } catch {
      return undefined;
    }
  }

  async waitForSerial(zone: string, serial: number, deadlineMs: number): Promise<void> {
    try {
      let isThere: boolean | undefined;
      await waitFor(async () => {
        isThere = (await this.serialOf(zone)) === serial;
        return isThere || this.#hasEnded;
      }, deadlineMs);
      if (isThere !== true) throw new Error('it has ended');
    } catch (error) {
      const has = await this.serialOf(zone);
      const message = `${this.name} has ${String(has)}, not ${serial}:\n${this.output}`;
      throw new Error(message, { cause: error });
    }
  }
}

async function isFree(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  const bound = once(socket, 'listening').then(
    () => true,
    () => false,
  );
  socket.bind(port, '127.0.0.1');
  const isBound = await bound;
  socket.close();
  return isBound;
}
