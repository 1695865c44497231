import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { BackgroundProgram } from './background-program.js';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { stopLeftover } from './leftover.js';
import {
  canReach,
  createReachableFolder,
  findUnprivilegedUser,
  reachableCopy,
  type UnprivilegedUser,
} from './unprivileged-user.js';
import type { Watchdog } from './watchdog-client.js';

interface EmbeddedPostgresOptions {
  /** Holds the cluster's files; made when it is not there. */
  readonly folder: string;
  readonly logFile: string;
  /** On loopback. */
  readonly port: number;
  /** Of the superuser "zonewright"; the first start sets it. */
  readonly password: string;
  /** Further settings, as for `postgres -c`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly watchdog: Watchdog;
  readonly onUnexpectedExit: () => void;
  /** Told in one sentence when the files had to go elsewhere. */
  readonly onNote: (note: string) => void;
}

const SUPERUSER = 'zonewright';
const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** A PostgreSQL of our own, from npm's binaries, on a port of loopback. */
export class EmbeddedPostgres {
  readonly #program: BackgroundProgram;

  private constructor(program: BackgroundProgram) {
    this.#program = program;
  }

  /** Makes the cluster if needed, ends one that an earlier launcher left running on it, and starts it. */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const user = await findUnprivilegedUser();
    const binaries = await reachableBinaries(user);
    const folder = await prepareFolder(options, user);
    if (!(await isInitialized(folder)))
      await initialize({ binaries, folder, user }, options.password);
    await stopLeftover(join(folder, 'postmaster.pid'), 'postgres');
    const program = BackgroundProgram.start({
      command: binaries.postgres,
      args: ['-D', folder, '-p', String(options.port), ...serverSettings(options.settings)],
      cwd: folder,
      logFile: options.logFile,
      stopSignal: 'SIGINT',
      user,
      watchdog: options.watchdog,
      onUnexpectedExit: options.onUnexpectedExit,
    });
    await waitUntilReady(embeddedPostgresUrl(options.port, options.password), program);
    return new EmbeddedPostgres(program);
  }

  async stop(): Promise<void> {
    await this.#program.stop();
  }
}

/** Where it is reached, as its superuser. */
export function embeddedPostgresUrl(port: number, password: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
}

function serverSettings(more: Readonly<Record<string, string>> = {}): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    // The path of a socket in a deep folder can be longer than the system allows.
    unix_socket_directories: '',
    max_connections: '200',
    ...more,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function reachableBinaries(user: UnprivilegedUser | undefined): Promise<PostgresBinaries> {
  const found = await findPostgresBinaries();
  if (user === undefined) return found;
  // native/{bin,lib,share}: the programs find the other two beside themselves.
  const native = await reachableCopy(user, dirname(dirname(await realpath(found.postgres))));
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/**
 * The folder itself, or, when root owns a project that others cannot enter, one elsewhere to which a
 * symbolic link leads.
 */
async function prepareFolder(
  { folder, onNote }: EmbeddedPostgresOptions,
  user: UnprivilegedUser | undefined,
): Promise<string> {
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  const isLink = await lstat(folder).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
  if (isLink) return await realpath(folder);
  if (user === undefined || (await canReach(user, parent))) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (user !== undefined) await chown(folder, user.uid, user.gid);
    return await realpath(folder);
  }
  const elsewhere = await createReachableFolder(user);
  await symlink(elsewhere, folder);
  onNote(
    `PostgreSQL cannot run as root, and user "${user.name}" cannot enter ${parent}: its files are in ${elsewhere}.`,
  );
  return elsewhere;
}

/** Written when initdb has ended well: a folder without it is the rest of an interrupted one. */
const INITIALIZED_MARK = 'zonewright-initialized';

async function isInitialized(folder: string): Promise<boolean> {
  return await stat(join(folder, INITIALIZED_MARK)).then(
    () => true,
    () => false,
  );
}

async function initialize(
  cluster: { binaries: PostgresBinaries; folder: string; user: UnprivilegedUser | undefined },
  password: string,
): Promise<void> {
  const { binaries, folder, user } = cluster;
  await emptyFolder(folder, user);
  const secretFolder = await mkdtemp(join(tmpdir(), 'zonewright-initdb-'));
  const passwordFile = join(secretFolder, 'password');
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user !== undefined) {
      await chmod(secretFolder, 0o711);
      await chown(passwordFile, user.uid, user.gid);
    }
    const result = spawnSync(
      binaries.initdb,
      [
        `--pgdata=${folder}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
      ],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
        ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
      },
    );
    if (result.status !== 0) {
      throw new Error(`initdb failed: ${result.error?.message ?? result.stderr.trim()}`);
    }
    await writeFile(join(folder, INITIALIZED_MARK), '');
  } finally {
    await rm(secretFolder, { recursive: true, force: true });
  }
}

async function emptyFolder(folder: string, user: UnprivilegedUser | undefined): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  if (user !== undefined) await chown(folder, user.uid, user.gid);
}

async function waitUntilReady(url: string, program: BackgroundProgram): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    // A server that ends right after it let us in says so to nobody's question; the next attempt finds out.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (!program.isRunning) {
        throw new Error(`PostgreSQL did not start:\n${program.lastLines()}`, { cause: error });
      }
      if (Date.now() > end) {
        await program.stop();
        throw new Error(`PostgreSQL did not start in time:\n${program.lastLines()}`, {
          cause: error,
        });
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}
