import { endWithThisProcess, freePort, type NameserverAddress, waitFor } from '@zonewright/testkit';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyPreparedFolder } from './prepared-folder.js';

export const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url));

/** A fresh machine makes a database cluster first; two cores may be busy with other tests. */
const START_TIMEOUT_MS = 90_000;

export const LAUNCHER = [process.execPath, 'scripts/start.mjs'];

export const PLATFORM_PARTS = [
  'postgres',
  'redis-server',
  'identity-service',
  'dns-api',
  'nameserver',
] as const;
export type PlatformPart = (typeof PLATFORM_PARTS)[number];

/** Without one `npm start` goes without Redis. */
export const hasRedisServer =
  spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;

/** `npm start` as a user runs it, on ports and in a folder of its own. */
export class RunningPlatform {
  readonly dataFolder: string;
  readonly ports: Readonly<Record<'identity' | 'dns' | 'nameserver' | 'console', number>>;
  #launcher: ChildProcess | undefined;
  #output = '';

  private constructor(dataFolder: string, ports: RunningPlatform['ports']) {
    this.dataFolder = dataFolder;
    this.ports = ports;
  }

  /** A folder that an earlier start has left, as after Ctrl-C, and ports; with nothing running yet. */
  static async prepare(): Promise<RunningPlatform> {
    const platform = await RunningPlatform.prepareEmpty();
    await copyPreparedFolder(platform.dataFolder, async () => {
      await platform.start();
      await platform.signal('SIGINT');
    });
    return platform;
  }

  /** For a first start: with the making of a database it takes twice as long as a later one. */
  static async prepareEmpty(): Promise<RunningPlatform> {
    const folder = await mkdtemp(join(tmpdir(), 'zonewright-e2e-'));
    // The launcher itself closes what is secret; PostgreSQL's user must be able to walk through.
    await chmod(folder, 0o755);
    return new RunningPlatform(join(folder, 'data'), {
      identity: await freePort(),
      dns: await freePort(),
      nameserver: await freePort(),
      console: await freePort(),
    });
  }

  /** Starts the launcher and returns at once: the process that `npm start` becomes, or npm itself. */
  launch(env: Record<string, string> = {}, command = LAUNCHER): ChildProcess {
    this.#output = '';
    const inherited = { ...process.env };
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'NODE_OPTIONS']) {
      Reflect.deleteProperty(inherited, name);
    }
    const [program = '', ...args] = command;
    const launcher = spawn(program, args, {
      cwd: PROJECT,
      // A process group of its own, as a terminal gives to each command.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...inherited,
        ZONEWRIGHT_IDENTITY_PORT: String(this.ports.identity),
        ZONEWRIGHT_DNS_PORT: String(this.ports.dns),
        ZONEWRIGHT_NAMESERVER_PORT: String(this.ports.nameserver),
        ZONEWRIGHT_CONSOLE_PORT: String(this.ports.console),
        ZONEWRIGHT_DATA_DIR: this.dataFolder,
        // Tests that need more start them themselves, to end them as they like.
        ZONEWRIGHT_NAMESERVER_COUNT: '1',
        ZONEWRIGHT_CONSOLE: 'false',
        ...env,
      },
    });
    for (const stream of [launcher.stdout, launcher.stderr]) {
      stream.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    }
    endWithThisProcess(launcher, 'INT');
    this.#launcher = launcher;
    return launcher;
  }

  /** Starts it and waits until it says that it is ready. */
  async start(env: Record<string, string> = {}, command = LAUNCHER): Promise<void> {
    const launcher = this.launch(env, command);
    await waitFor(
      () => launcher.exitCode !== null || this.#output.includes('Ctrl-C stops everything'),
      START_TIMEOUT_MS,
    );
    if (launcher.exitCode !== null) throw new Error(`npm start ended:\n${this.#output}`);
  }

  /** Starts it where it does not run. */
  async ensureStarted(): Promise<void> {
    const launcher = this.#launcher;
    if (launcher?.exitCode !== null || launcher.signalCode !== null) await this.start();
  }

  /** Closes the pipes that it writes to, as the end of `npm start | head` does. */
  stopReading(): void {
    this.#launcher?.stdout?.destroy();
    this.#launcher?.stderr?.destroy();
  }

  /** All that it printed since it was launched. */
  get output(): string {
    return this.#output;
  }

  get nameserver(): NameserverAddress {
    return { host: '127.0.0.1', port: this.ports.nameserver };
  }

  /** The facts that the pasted commands use. */
  async readDemoEnvironment(): Promise<Record<string, string>> {
    const text = await readFile(join(this.dataFolder, 'demo.env'), 'utf8');
    return Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }

  /** Kills one part of the platform with SIGKILL, as a crash would. @throws Error when it is not running. */
  kill(part: PlatformPart | 'signer'): void {
    process.kill(this.pidOf(part), 'SIGKILL');
  }

  /** @throws Error when it is not running. */
  pidOf(part: PlatformPart | 'signer'): number {
    return part === 'postgres' ? this.#postmaster() : this.#program(part);
  }

  /** The number of the process that ends the databases when the launcher is gone. */
  get watchdog(): number {
    const pid = this.#launcher?.pid ?? 0;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const watchdog = children.find((child) => commandLineOf(child).includes('watchdog.js'));
    return Number(watchdog);
  }

  /** The processes of this platform: all of them write their logs into its folder. Only Linux shows that. */
  get processes(): number[] {
    if (!existsSync('/proc')) return [];
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => openFiles(pid).some((file) => file.startsWith(this.dataFolder)))
      .map(Number);
  }

  #postmaster(): number {
    return Number.parseInt(
      readFileSync(join(this.dataFolder, 'postgres', 'postmaster.pid'), 'utf8'),
      10,
    );
  }

  #program(name: string): number {
    const program = name === 'redis-server' ? name : join('packages', name, 'dist', 'main.js');
    const pid = this.processes.find((candidate) => commandLineOf(candidate).includes(program));
    if (pid === undefined) throw new Error(`${name} is not running.`);
    return pid;
  }

  /** Sends a signal to the launcher alone; resolves when it has ended. */
  async signal(signal: NodeJS.Signals): Promise<number | null> {
    const launcher = this.#launcher;
    if (launcher === undefined || launcher.exitCode !== null || launcher.signalCode !== null) {
      return launcher?.exitCode ?? null;
    }
    const exited = once(launcher, 'exit') as Promise<[number | null]>;
    launcher.kill(signal);
    return (await exited)[0];
  }

  /** Ends it if it runs, and removes its data. */
  async remove(): Promise<void> {
    await this.signal('SIGINT');
    await rm(join(this.dataFolder, '..'), { recursive: true, force: true });
  }
}

function openFiles(pid: string): string[] {
  const folder = `/proc/${pid}/fd`;
  return readOrNothing(() => readdirSync(folder)).flatMap((fd) =>
    readOrNothing(() => [readlinkSync(join(folder, fd))]),
  );
}

function commandLineOf(pid: number | string): string {
  return readOrNothing(() => [readFileSync(`/proc/${pid}/cmdline`, 'utf8')]).join('');
}

/** A process, or one of its connections, ends meanwhile, or belongs to somebody else. */
function readOrNothing(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
