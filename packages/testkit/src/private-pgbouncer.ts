import { describe } from '@jest/globals';
import { freePort } from '@zonewright/service-kit';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { endWithThisProcess } from './end-with-this-process.js';
import { giveToServer, serverUser } from './private-postgres.js';
import { waitFor } from './wait-for.js';

const PAGE = new URL('../../../docs/operations/high-availability.md', import.meta.url);

/** Returns the query that the documentation tells operators to run at the start of each session. */
function readConnectQuery(): string {
  const [, query = ''] = /connect_query='([^']+)'/.exec(readFileSync(PAGE, 'utf8')) ?? [];
  return query;
}

/** Suite that needs pgbouncer. Without it, the suite is skipped and a line is printed. */
export function describeWithPgbouncer(title: string, suite: () => void): void {
  const { status } = spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' });
  if (status === 0 && serverUser() !== undefined) {
    describe(title, suite);
    return;
  }
  process.stderr.write(`SKIPPED (no pgbouncer on PATH): ${title}\n`);
  describe.skip(title, suite);
}

/**
 * pgbouncer in transaction mode in front of a database, as configured in docs/operations/high-availability.md, with two
 * sessions for all clients.
 */
export class PrivatePgbouncer {
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly url: string;

  private constructor(folder: string, process: ChildProcess, url: string) {
    this.#folder = folder;
    this.#process = process;
    this.url = url;
  }

  /**
   * @param role role of its sessions, which in production have their own login
   * @param ignored parameters that clients may send without effect; others are rejected
   */
  static async start(databaseUrl: string, role: string, ignored = ''): Promise<PrivatePgbouncer> {
    const { hostname, port, username, password, pathname } = new URL(databaseUrl);
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-pgbouncer-'));
    const own = await freePort();
    const parameters = {
      host: hostname,
      port,
      dbname: pathname.slice(1),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      connect_query: `'${readConnectQuery()}; set role ${role}'`,
    };
    const given = Object.entries(parameters).filter(([, value]) => value !== '');
    const configuration = `[databases]
zonewright = ${given.map(([name, value]) => `${name}=${value}`).join(' ')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 200
ignore_startup_parameters = ${ignored}
`;
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(file, configuration);
    await giveToServer(folder);
    const child = spawn('pgbouncer', ['--quiet', file], { stdio: 'ignore', ...serverUser() });
    endWithThisProcess(child, 'TERM');
    const bouncer = new PrivatePgbouncer(
      folder,
      child,
      `postgres://zonewright@127.0.0.1:${own}/zonewright`,
    );
    await waitFor(() => bouncer.#answers());
    return bouncer;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null) {
      const exited = once(this.#process, 'exit');
      this.#process.kill('SIGKILL');
      await exited;
    }
    rmSync(this.#folder, { recursive: true });
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 1_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      return true;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
