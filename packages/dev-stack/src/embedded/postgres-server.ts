import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { BackgroundProgram } from './background-program.js';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.js';
import { stopLeftover } from './leftover.js';
import { findCluster, initializeCluster, SUPERUSER } from './postgres-cluster.js';
import {
  findOwner,
  findUnprivilegedUser,
  reachableCopy,
  type UnprivilegedUser,
} from './unprivileged-user.js';
import type { Watchdog } from './watchdog-client.js';

interface EmbeddedPostgresOptions {
  /** Folder with the files of the cluster. Created if it does not exist. */
  readonly folder: string;
  readonly logFile: string;
  /** Port on loopback. */
  readonly port: number;
  /** Password of the superuser "zonewright". The first start sets it. */
  readonly password: string;
  /** Additional settings, as for `postgres -c`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly watchdog: Watchdog;
  readonly onUnexpectedExit: () => void;
  /** Called with a sentence if the files had to be placed elsewhere. */
  readonly onNote: (note: string) => void;
}

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;
/** SQLSTATE for an invalid password. */
const WRONG_PASSWORD = '28P01';

/** PostgreSQL server of the launcher, from npm's binaries, on a loopback port. */
export class EmbeddedPostgres {
  readonly #program: BackgroundProgram;

  private constructor(program: BackgroundProgram) {
    this.#program = program;
  }

  /** Creates the cluster if needed, ends a server that an earlier launcher left running on it, and starts it. */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const existing = await findCluster(options.folder);
    const user = await (existing
      ? findOwner(existing.version)
      : findUnprivilegedUser(dirname(options.folder)));
    const binaries = await reachableBinaries(user);
    const folder = existing?.folder ?? (await initializeCluster({ ...options, binaries, user }));
    await stopLeftover(join(folder, 'postmaster.pid'), { program: 'postgres', folder });
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
    await waitUntilReady(embeddedPostgresUrl(options.port, options.password), program, folder);
    return new EmbeddedPostgres(program);
  }

  async stop(): Promise<void> {
    await this.#program.stop();
  }
}

/** Returns the URL of the server for its superuser. */
export function embeddedPostgresUrl(port: number, password: string): string {
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
}

function serverSettings(more: Readonly<Record<string, string>> = {}): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    // The path of a socket in a deep folder can exceed the limit of the system.
    unix_socket_directories: '',
    max_connections: '200',
    ...more,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function reachableBinaries(user: UnprivilegedUser | undefined): Promise<PostgresBinaries> {
  const found = await findPostgresBinaries();
  if (user === undefined) return found;
  // The programs in native/bin find native/lib and native/share relative to themselves.
  const native = await reachableCopy(user, dirname(dirname(await realpath(found.postgres))));
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

async function waitUntilReady(
  url: string,
  program: BackgroundProgram,
  folder: string,
): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    // A server that ends just after accepting the connection emits an error on the client. The next attempt detects it.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      const isRefused = (error as { code?: unknown }).code === WRONG_PASSWORD;
      if (isRefused && (await isReady(folder))) {
        await program.stop();
        throw new Error(
          `PostgreSQL runs on ${folder}, but rejects the password in secrets.json, which does not belong to this database. Restore the right file; nothing was changed.`,
          { cause: error },
        );
      }
      if (!program.isRunning) {
        throw new Error(
          `PostgreSQL did not start on ${folder} (nothing was deleted; to start with an empty database, move this folder away):\n${program.lastLines()}`,
          { cause: error },
        );
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

/** Whether the server of this cluster accepts connections. Until then, another server may answer on its port. */
async function isReady(folder: string): Promise<boolean> {
  const pidFile = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  return pidFile.trimEnd().endsWith('ready');
}
