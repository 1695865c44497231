import {
  endWithThisProcess,
  freePort,
  giveToServer,
  programsFolder,
  serverUser,
  waitFor,
} from '@zonewright/testkit';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const NAMES = ['a', 'b', 'c'] as const;
export type MemberName = (typeof NAMES)[number];

const PASSWORD = 'cluster-password';
/** Three PostgreSQL servers are made and copied, on a machine that may be busy. */
const START_TIMEOUT_MS = 120_000;
/** How long the cluster goes on believing in a primary that is silent; a failover cannot take less. */
export const LEASE_SECONDS = 6;
/** Of a server that hangs. */
const ATTEMPT_MS = 500;
/** A write is acknowledged when a second server has it, as an operator who may lose nothing sets it. */
const CLUSTER_SETTINGS = {
  ttl: LEASE_SECONDS,
  loop_wait: 1,
  retry_timeout: 2,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_log_hints: 'on' } },
};

interface Member {
  readonly port: number;
  readonly apiPort: number;
  readonly folder: string;
  process: ChildProcess | undefined;
}

interface ListedMember {
  readonly name: MemberName;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
  readonly lag?: number | 'unknown';
}

/** Three PostgreSQL servers under Patroni, with an etcd, all of Debian, on loopback. */
export class PatroniCluster {
  readonly #folder: string;
  readonly #members: Readonly<Record<MemberName, Member>>;
  #etcd: ChildProcess | undefined;

  private constructor(folder: string, members: Readonly<Record<MemberName, Member>>) {
    this.#folder = folder;
    this.#members = members;
  }

  static async start(): Promise<PatroniCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'zonewright-patroni-'));
    const member = async (name: MemberName): Promise<Member> => ({
      port: await freePort(),
      apiPort: await freePort(),
      folder: join(folder, name),
      process: undefined,
    });
    const cluster = new PatroniCluster(folder, {
      a: await member('a'),
      b: await member('b'),
      c: await member('c'),
    });
    await cluster.#startEtcd();
    for (const name of NAMES) await mkdir(cluster.#members[name].folder);
    await giveToServer(folder);
    // The first becomes the primary; the others copy it.
    for (const name of NAMES) await cluster.resume(name);
    await waitFor(() => cluster.isWhole(), START_TIMEOUT_MS).catch((error: unknown) => {
      throw new Error(`The cluster did not start:\n${cluster.log}`, { cause: error });
    });
    return cluster;
  }

  /** Of all three, for who wants to write. */
  get url(): string {
    const hosts = Object.values(this.#members).map(({ port }) => `127.0.0.1:${port}`);
    return `postgres://postgres:${PASSWORD}@${hosts.join(',')}/postgres?target_session_attrs=read-write`;
  }

  /** The last lines of what the members printed. */
  get log(): string {
    const file = join(this.#folder, 'patroni.log');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(-60).join('\n') : '';
  }

  /** Who is the primary by the word of the members that answer. @throws Error when there is none. */
  async primary(): Promise<MemberName> {
    const leader = (await this.#list()).find(({ role }) => role === 'leader');
    if (leader === undefined) throw new Error('no primary');
    return leader.name;
  }

  async standby(): Promise<MemberName> {
    const standby = (await this.#list()).find(({ role }) => role === 'sync_standby');
    if (standby === undefined) throw new Error('no synchronous standby');
    return standby.name;
  }

  /** A primary and two standbys that have all of it. */
  async isWhole(): Promise<boolean> {
    const members = await this.#list().catch(() => []);
    const timelines = new Set(members.map(({ timeline }) => timeline));
    const roles = members.map(({ role }) => role).toSorted();
    return (
      roles.join() === 'leader,replica,sync_standby' &&
      timelines.size === 1 &&
      members.every(({ state }) => state === 'running') &&
      members.every(({ lag }) => lag === undefined || lag === 0)
    );
  }

  /** Whether a server commits what is written to it, with a second one that has it: what a failover is waited for. */
  async takesWrites(): Promise<boolean> {
    const attempts = Object.values(this.#members).map(({ port }) => commit(port));
    return await Promise.any(attempts).catch(() => false);
  }

  /** Hands the primary's place over in good order, as for maintenance. */
  async switchOver(): Promise<void> {
    const [leader, candidate] = [await this.primary(), await this.standby()];
    const { apiPort } = this.#members[leader];
    const answer = await fetch(`http://127.0.0.1:${apiPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader, candidate }),
    });
    if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`);
  }

  /** SIGKILL: as a power cut; SIGSTOP: as a machine that hangs, its connections open. Both reach all its processes. */
  signal(name: MemberName, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of this.#processes(name)) sendSignal(pid, signal);
  }

  /** Starts the member, also after it was killed. */
  async resume(name: MemberName): Promise<void> {
    const member = this.#members[name];
    const file = join(member.folder, 'patroni.json');
    if (!existsSync(file)) await writeFile(file, JSON.stringify(this.#configuration(name)));
    member.process = this.#startProgram('patroni', [file]);
  }

  async stop(): Promise<void> {
    for (const name of NAMES) this.signal(name, 'SIGKILL');
    if (this.#etcd?.exitCode === null && this.#etcd.signalCode === null) {
      const ended = once(this.#etcd, 'exit');
      this.#etcd.kill('SIGKILL');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #list(): Promise<readonly ListedMember[]> {
    const ports = Object.values(this.#members).map(({ apiPort }) => apiPort);
    return await Promise.any(
      ports.map(async (port) => {
        const answer = await fetch(`http://127.0.0.1:${port}/cluster`, {
          signal: AbortSignal.timeout(2_000),
        });
        return ((await answer.json()) as { members: ListedMember[] }).members;
      }),
    );
  }

  async #startEtcd(): Promise<void> {
    const [clients, peers] = [await freePort(), await freePort()];
    this.#etcdPort = clients;
    const urlOf = (port: number) => `http://127.0.0.1:${port}`;
    this.#etcd = this.#startProgram('etcd', [
      `--data-dir=${join(this.#folder, 'etcd')}`,
      `--listen-client-urls=${urlOf(clients)}`,
      `--advertise-client-urls=${urlOf(clients)}`,
      `--listen-peer-urls=${urlOf(peers)}`,
      '--unsafe-no-fsync',
    ]);
    await giveToServer(this.#folder);
    await waitFor(async () => (await fetch(`${urlOf(clients)}/health`)).ok, START_TIMEOUT_MS);
  }

  #etcdPort = 0;

  #configuration(name: MemberName): object {
    const { port, apiPort, folder } = this.#members[name];
    const login = (username: string) => ({ username, password: PASSWORD });
    const api = `127.0.0.1:${apiPort}`;
    return {
      scope: 'zonewright',
      name,
      restapi: { listen: api, connect_address: api },
      etcd3: { host: `127.0.0.1:${this.#etcdPort}` },
      bootstrap: {
        dcs: CLUSTER_SETTINGS,
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'no-sync', 'data-checksums'],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: join(folder, 'data'),
        bin_dir: programsFolder(),
        pgpass: join(folder, 'pgpass'),
        authentication: {
          superuser: login('postgres'),
          replication: login('replicator'),
          rewind: login('rewinder'),
        },
        pg_hba: [
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication all 127.0.0.1/32 scram-sha-256',
        ],
        parameters: {
          password_encryption: 'scram-sha-256',
          unix_socket_directories: folder,
          // These machines lose processes here, never what was written.
          fsync: 'off',
        },
      },
    };
  }

  #startProgram(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, {
      cwd: this.#folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: this.#folder },
      ...serverUser(),
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        if (existsSync(this.#folder)) appendFileSync(join(this.#folder, 'patroni.log'), chunk);
      });
    }
    endWithThisProcess(child, 'TERM');
    return child;
  }

  /** Patroni, and every process of the server that it started. */
  #processes(name: MemberName): number[] {
    const { folder, process: patroni } = this.#members[name];
    const servers = readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry) && workingFolder(entry) === join(folder, 'data'))
      .map(Number);
    const isRunning = patroni?.exitCode === null && patroni.signalCode === null;
    return isRunning && patroni.pid !== undefined ? [patroni.pid, ...servers] : servers;
  }
}

/** Commits something that no table sees. @throws when this server does not. */
async function commit(port: number): Promise<true> {
  const client = new pg.Client({
    connectionString: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    connectionTimeoutMillis: ATTEMPT_MS,
    query_timeout: ATTEMPT_MS,
  });
  // A server that goes meanwhile has refused.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`select pg_logical_emit_message(true, 'test', '')`);
    return true;
  } finally {
    void client.end().catch(() => undefined);
  }
}

function workingFolder(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** It may have ended since it was listed. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone.
  }
}
