import { describe } from '@jest/globals';
import { freePort } from '@zonewright/service-kit';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, chmod, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { waitFor } from './wait-for.js';

/** Folder in which Debian's packages install PostgreSQL. The embedded programs do not include pg_basebackup. */
const DEBIAN_VERSIONS = '/usr/lib/postgresql';
const PROGRAMS = ['initdb', 'postgres', 'pg_basebackup'];
const OWNER = 'owner';
const PASSWORD = 'owner-password';

/** Returns the folder of the newest PostgreSQL on this machine that has all needed programs. */
function findPrograms(): string | undefined {
  if (!existsSync(DEBIAN_VERSIONS) || serverUser() === undefined) return undefined;
  return readdirSync(DEBIAN_VERSIONS)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_VERSIONS, version, 'bin'))
    .find((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))));
}

/**
 * Returns the user postgres if this process is root, since PostgreSQL refuses to run as root. Undefined if there is no
 * such user.
 */
export function serverUser(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {};
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [login, , uid, gid] = line.split(':');
    if (login === 'postgres') return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/**
 * Suite that needs a separate PostgreSQL server. If the programs are missing, it is skipped and a line is printed.
 */
export function describeWithPrivatePostgres(title: string, suite: () => void): void {
  if (findPrograms() !== undefined) {
    describe(title, suite);
    return;
  }
  process.stderr.write(`SKIPPED (no ${PROGRAMS.join(', ')} in ${DEBIAN_VERSIONS}): ${title}\n`);
  describe.skip(title, suite);
}

/** File system that only programs started on it can see. */
export interface Disk {
  /** Path for those programs. */
  readonly folder: string;
  /** Path of the same folder for this process. */
  readonly seenFromOutside: string;
  /** Returns the command that must precede that of a program, for one that runs as another user. */
  readonly enter: (user: { uid?: number; gid?: number }) => readonly string[];
}

/** Separate PostgreSQL server for a test, which can be stopped, damaged and copied. It requires passwords. */
export class PrivatePostgres {
  readonly #folder: string;
  readonly #port: number;
  readonly #disk: Disk | undefined;
  #process: ChildProcess | undefined;
  /** Log output of the server. */
  log = '';

  private constructor(folder: string, port: number, disk?: Disk) {
    this.#folder = folder;
    this.#port = port;
    this.#disk = disk;
  }

  /**
   * Starts a new cluster, with additional lines for its postgresql.conf. With a separate disk, everything except its
   * WAL is on it.
   */
  static async start(configuration: readonly string[] = [], disk?: Disk): Promise<PrivatePostgres> {
    const folder = await createFolder();
    if (disk !== undefined) await giveToServer(disk.seenFromOutside);
    const passwordFile = join(folder, 'password');
    await writeFile(passwordFile, PASSWORD);
    await chmod(passwordFile, 0o644);
    const initdb = [
      `--pgdata=${join(disk?.folder ?? folder, 'data')}`,
      `--username=${OWNER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      ...(disk === undefined ? [] : [`--waldir=${join(folder, 'wal')}`]),
    ];
    await run('initdb', initdb, disk);
    const lines = [`listen_addresses = '127.0.0.1'`, 'max_connections = 20', ...configuration];
    const data = join(disk?.seenFromOutside ?? folder, 'data');
    await appendFile(join(data, 'postgresql.conf'), `\n${lines.join('\n')}\n`);
    const server = new PrivatePostgres(folder, await freePort(), disk);
    await server.resume();
    return server;
  }

  /** Starts a server on a data folder that `restore` creates. It runs when it has recovered. */
  static async fromBackup(
    restore: (dataFolder: string) => Promise<void>,
  ): Promise<PrivatePostgres> {
    const folder = await createFolder();
    await restore(join(folder, 'data'));
    const server = new PrivatePostgres(folder, await freePort());
    await server.resume();
    return server;
  }

  /** Starts a streaming standby of this server. */
  async startStandby(): Promise<PrivatePostgres> {
    const folder = await createFolder();
    await run('pg_basebackup', [
      `--dbname=${this.url}`,
      `--pgdata=${join(folder, 'data')}`,
      '--write-recovery-conf',
      '--checkpoint=fast',
      '--no-sync',
    ]);
    const standby = new PrivatePostgres(folder, await freePort());
    await standby.resume();
    return standby;
  }

  get url(): string {
    return `postgres://${OWNER}:${PASSWORD}@127.0.0.1:${this.#port}/postgres`;
  }

  /** Folder of the cluster's files. */
  get dataFolder(): string {
    return join(this.#folder, 'data');
  }

  /** Starts the server (again) on the same port, and waits until it answers. */
  async resume(): Promise<void> {
    const settings = {
      unix_socket_directories: '',
      fsync: 'off',
    };
    const args = [
      '-D',
      join(this.#disk?.folder ?? this.#folder, 'data'),
      '-p',
      String(this.#port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    this.#process = startProgram('postgres', args, this.#disk);
    this.#process.stderr?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    await waitFor(() => this.#answers(), 30_000);
  }

  /**
   * Sends a signal. SIGTERM waits for all sessions, SIGINT ends them, SIGQUIT simulates a crash (PostgreSQL, section
   * 18.5).
   */
  signal(signal: 'SIGTERM' | 'SIGINT' | 'SIGQUIT'): void {
    this.#process?.kill(signal);
  }

  /** Ends all sessions and waits until the server has ended. */
  async halt(): Promise<void> {
    const running = this.#process;
    if (running?.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGINT');
    await exited;
  }

  /** Stops the server permanently. */
  async stop(): Promise<void> {
    await this.halt();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs one statement in the database `postgres`. */
  async query<T>(statement: string): Promise<[T, ...T[]]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query(statement)).rows as [T, ...T[]];
    } finally {
      await client.end();
    }
  }

  async #answers(): Promise<boolean> {
    if (this.#process?.exitCode !== null) throw new Error(`The server ended:\n${this.log}`);
    const client = new pg.Client({ connectionString: this.url });
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  }
}

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-postgres-'));
  await giveToServer(folder);
  return folder;
}

/** Makes PostgreSQL's user the owner of a folder and of everything in it. */
export async function giveToServer(folder: string): Promise<void> {
  const { uid, gid } = serverUser() ?? {};
  if (uid === undefined || gid === undefined) return;
  await chown(folder, uid, gid);
  for (const entry of await readdir(folder, { recursive: true })) {
    await chown(join(folder, entry), uid, gid);
  }
}

/** Returns the folder that contains psql, pg_dump and the other programs. */
export function programsFolder(): string {
  return findPrograms() ?? '';
}

function startProgram(program: string, args: readonly string[], disk?: Disk): ChildProcess {
  const user = serverUser() ?? {};
  const [first = '', ...rest] = [
    ...(disk?.enter(user) ?? []),
    join(findPrograms() ?? '', program),
    ...args,
  ];
  return spawn(first, rest, {
    cwd: tmpdir(),
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...(disk && { PATH: process.env['PATH'] }), LC_ALL: 'C', TZ: 'UTC' },
    // nsenter changes the user itself.
    ...(disk === undefined ? user : {}),
  });
}

async function run(program: string, args: readonly string[], disk?: Disk): Promise<void> {
  const child = startProgram(program, args, disk);
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} failed: ${complaint}`);
}
