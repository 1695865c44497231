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

/**
 * Time limit of a start. A new machine first creates a database cluster, and two cores may be busy with other tests.
 */
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

/** Without redis-server, `npm start` runs without Redis. */
export const hasRedisServer =
  spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;

/** `npm start` as run by a user, with separate ports and a separate folder. */
export class RunningPlatform {
  readonly dataFolder: string;
  readonly ports: Readonly<Record<'identity' | 'dns' | 'nameserver' | 'console', number>>;
  #launcher: ChildProcess | undefined;
  #output = '';

  private constructor(dataFolder: string, ports: RunningPlatform['ports']) {
    this.dataFolder = dataFolder;
    this.ports = ports;
  }

  /** Prepares the folder of an earlier start, as after Ctrl-C, and ports. Nothing is running yet. */
  static async prepare(): Promise<RunningPlatform> {
    const platform = await RunningPlatform.prepareEmpty();
    await copyPreparedFolder(platform.dataFolder, async () => {
      await platform.start();
      await platform.signal('SIGINT');
    });
    return platform;
  }

  /** Prepares a first start. It creates a database and takes twice as long as a later one. */
  static async prepareEmpty(): Promise<RunningPlatform> {
    const folder = await mkdtemp(join(tmpdir(), 'zonewright-e2e-'));
    // The launcher itself protects secrets; PostgreSQL's user must be able to enter the folder.
    await chmod(folder, 0o755);
    return new RunningPlatform(join(folder, 'data'), {
      identity: await freePort(),
      dns: await freePort(),
      nameserver: await freePort(),
      console: await freePort(),
    });
  }

  /** Starts the launcher and returns at once. It is the process of `npm start`, or npm itself. */
  launch(env: Record<string, string> = {}, command = LAUNCHER): ChildProcess {
    this.#output = '';
    const inherited = { ...process.env };
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'NODE_OPTIONS']) {
      Reflect.deleteProperty(inherited, name);
    }
    const [program = '', ...args] = command;
    const launcher = spawn(program, args, {
      cwd: PROJECT,
      // Separate process group, as a terminal gives to each command.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...inherited,
        ZONEWRIGHT_IDENTITY_PORT: String(this.ports.identity),
        ZONEWRIGHT_DNS_PORT: String(this.ports.dns),
        ZONEWRIGHT_NAMESERVER_PORT: String(this.ports.nameserver),
        ZONEWRIGHT_CONSOLE_PORT: String(this.ports.console),
        ZONEWRIGHT_DATA_DIR: this.dataFolder,
        // Tests that need more nameservers start them themselves, so that they can end them.
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

  /** Starts the platform and waits until it is ready. */
  async start(env: Record<string, string> = {}, command = LAUNCHER): Promise<void> {
    const launcher = this.launch(env, command);
    await waitFor(
      () => launcher.exitCode !== null || this.#output.includes('Ctrl-C stops everything'),
      START_TIMEOUT_MS,
    );
    if (launcher.exitCode !== null) throw new Error(`npm start ended:\n${this.#output}`);
  }

  /** Starts the platform if it is not running. */
  async ensureStarted(): Promise<void> {
    const launcher = this.#launcher;
    if (launcher?.exitCode !== null || launcher.signalCode !== null) await this.start();
  }

  /** Closes its output pipes, as the end of `npm start | head` does. */
  stopReading(): void {
    this.#launcher?.stdout?.destroy();
    this.#launcher?.stderr?.destroy();
  }

  /** Output since the launch. */
  get output(): string {
    return this.#output;
  }

  get nameserver(): NameserverAddress {
    return { host: '127.0.0.1', port: this.ports.nameserver };
  }

  /** Reads the variables of the pasted commands. */
  async readDemoEnvironment(): Promise<Record<string, string>> {
    const text = await readFile(join(this.dataFolder, 'demo.env'), 'utf8');
    return Object.fromEntries(
      text
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }

  /** Kills one part of the platform with SIGKILL, as a crash would. @throws Error if it is not running */
  kill(part: PlatformPart | 'signer'): void {
    process.kill(this.pidOf(part), 'SIGKILL');
  }

  /** @throws Error if it is not running */
  pidOf(part: PlatformPart | 'signer'): number {
    return part === 'postgres' ? this.#postmaster() : this.#program(part);
  }

  /** Id of the process that ends the databases when the launcher has died. */
  get watchdog(): number {
    const pid = this.#launcher?.pid ?? 0;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const watchdog = children.find((child) => commandLineOf(child).includes('watchdog.js'));
    return Number(watchdog);
  }

  /** Processes of this platform, found by their log files in its folder. Works only on Linux. */
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

  /** Sends a signal to the launcher only. Resolves when it has ended. */
  async signal(signal: NodeJS.Signals): Promise<number | null> {
    const launcher = this.#launcher;
    if (launcher === undefined || launcher.exitCode !== null || launcher.signalCode !== null) {
      return launcher?.exitCode ?? null;
    }
    const exited = once(launcher, 'exit') as Promise<[number | null]>;
    launcher.kill(signal);
    return (await exited)[0];
  }

  /** Stops the platform if it is running, and removes its data. */
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

/** Returns nothing if a process, or one of its connections, has ended or belongs to another user. */
function readOrNothing(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
