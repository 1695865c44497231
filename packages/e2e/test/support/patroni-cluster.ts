import {
  endWithThisProcess,
  freePort,
  giveToServer,
  type PrivateHost,
  type PrivateNetwork,
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
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { parse, stringify } from 'yaml';

export const MEMBERS = ['a', 'b', 'c'] as const;
export type MemberName = (typeof MEMBERS)[number];

/**
 * A condition of the shell: Patroni 3.0.3 or newer. One before it, as Debian 12 has, lets a primary that hung for longer than its lease
 * take the lead away from the one that has followed it, and what that one acknowledged is lost: docs/operations/high-availability.md.
 */
export const SOUND_PATRONI = `printf '%s\\n' 'patroni 3.0.3' "$(patroni --version)" | sort --check --version-sort`;

const OPERATORS_FILE = fileURLToPath(
  new URL('../../../../deploy/patroni/patroni.yml', import.meta.url),
);
const PASSWORD = 'cluster-password';
/** Three PostgreSQL servers are made and copied, on a machine that may be busy. */
const START_TIMEOUT_MS = 120_000;
/** Of a server that hangs. */
const ATTEMPT_MS = 500;
/** Of the file that operators use, but for its times: the least that Patroni 3.1 and newer take, in seconds. */
const TIMES = { ttl: 20, loop_wait: 1, retry_timeout: 3 };

/** Patroni's log. */
const REWOUND = 'pg_rewind exit code=0';

interface PatroniSettings {
  readonly bootstrap: { readonly dcs: object };
  readonly postgresql: { readonly parameters: object };
}

interface Member {
  /** Where it runs; undefined on this machine, as all of them without a network. */
  readonly host: PrivateHost | undefined;
  readonly address: string;
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

/** Three PostgreSQL servers under Patroni, with an etcd, all of Debian, on loopback or on hosts of a network. */
export class PatroniCluster {
  readonly #folder: string;
  readonly #members: Readonly<Record<MemberName, Member>>;
  readonly #etcdHost: PrivateHost | undefined;
  #etcd: ChildProcess | undefined;
  #etcdAddress = '';
  #rewinds = 0;

  private constructor(
    folder: string,
    members: Readonly<Record<MemberName, Member>>,
    etcdHost: PrivateHost | undefined,
  ) {
    this.#folder = folder;
    this.#members = members;
    this.#etcdHost = etcdHost;
  }

  /** @param network of four hosts: one for each member, and one for etcd */
  static async start(network?: PrivateNetwork): Promise<PatroniCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'zonewright-patroni-'));
    const hosts = network?.hosts ?? [];
    const member = async (name: MemberName): Promise<Member> => ({
      host: hosts[MEMBERS.indexOf(name)],
      address: hosts[MEMBERS.indexOf(name)]?.address ?? '127.0.0.1',
      port: await freePort(),
      apiPort: await freePort(),
      folder: join(folder, name),
      process: undefined,
    });
    const members = { a: await member('a'), b: await member('b'), c: await member('c') };
    const cluster = new PatroniCluster(folder, members, hosts[MEMBERS.length]);
    for (const name of MEMBERS) await mkdir(cluster.#members[name].folder);
    await giveToServer(folder);
    await cluster.#startEtcd();
    // The first becomes the primary; the others copy it.
    for (const name of MEMBERS) await cluster.resume(name);
    await cluster.settle();
    return cluster;
  }

  /** Of all three, for who wants to write. */
  get url(): string {
    const hosts = Object.values(this.#members).map(serverOf);
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
      members.every(({ state }) => /^(running|streaming)$/.test(state)) &&
      members.every(({ lag }) => lag === undefined || lag === 0)
    );
  }

  /** Waits until it is whole. */
  async settle(): Promise<void> {
    await waitFor(() => this.isWhole(), START_TIMEOUT_MS).catch((error: unknown) => {
      throw new Error(`The cluster does not become whole:\n${this.log}`, { cause: error });
    });
  }

  /** Whether a server commits what is written to it, with a second one that has it: what a failover is waited for. */
  async takesWrites(): Promise<boolean> {
    const attempts = Object.values(this.#members).map((member) => commit(serverOf(member)));
    return await Promise.any(attempts).catch(() => false);
  }

  /** Hands the primary's place over in good order, as for maintenance. */
  async switchOver(): Promise<void> {
    const [leader, candidate] = [await this.primary(), await this.standby()];
    const answer = await fetch(`http://${apiOf(this.#members[leader])}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader, candidate }),
    });
    if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`);
  }

  /** SIGKILL: as a power cut; SIGSTOP: as a machine that hangs, its connections open. Both reach all its processes. */
  signal(name: MemberName, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of this.#processes(name)) sendSignal(pid, signal);
  }

  /** What sends to the host of a member, or is sent by it, is lost from now on. */
  cut(name: MemberName): void {
    this.#members[name].host?.cut();
  }

  /** The member loses etcd and the other members; its clients reach it. */
  cutFromCluster(name: MemberName): void {
    const others = MEMBERS.filter((other) => other !== name).map((other) => this.#members[other]);
    const hosts = [this.#etcdHost, ...others.map(({ host }) => host)];
    this.#members[name].host?.cutFrom(...hosts.filter((host) => host !== undefined));
  }

  mend(name: MemberName): void {
    this.#members[name].host?.mend();
  }

  /** How often a member threw away what it had and the others had not. */
  get rewinds(): number {
    return this.#rewinds;
  }

  /** Starts the member, also after it was killed. */
  async resume(name: MemberName): Promise<void> {
    const file = await this.#configure(name);
    const member = this.#members[name];
    member.process = this.#startProgram(member.host, 'patroni', [file], this.#variables(name));
  }

  async stop(): Promise<void> {
    for (const name of MEMBERS) this.signal(name, 'SIGKILL');
    if (this.#etcd?.exitCode === null && this.#etcd.signalCode === null) {
      const ended = once(this.#etcd, 'exit');
      this.#etcd.kill('SIGKILL');
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #list(): Promise<readonly ListedMember[]> {
    return await Promise.any(
      Object.values(this.#members).map(async (member) => {
        const answer = await fetch(`http://${apiOf(member)}/cluster`, {
          signal: AbortSignal.timeout(2_000),
        });
        return ((await answer.json()) as { members: ListedMember[] }).members;
      }),
    );
  }

  async #startEtcd(): Promise<void> {
    const [clients, peers] = [await freePort(), await freePort()];
    const host = this.#etcdHost;
    this.#etcdAddress = `${host?.address ?? '127.0.0.1'}:${clients}`;
    const args = [
      `--data-dir=${join(this.#folder, 'etcd')}`,
      `--listen-client-urls=http://${this.#etcdAddress}`,
      `--advertise-client-urls=http://${this.#etcdAddress}`,
      `--listen-peer-urls=http://127.0.0.1:${peers}`,
      '--unsafe-no-fsync',
    ];
    this.#etcd = this.#startProgram(host, 'etcd', args);
    await waitFor(
      async () => (await fetch(`http://${this.#etcdAddress}/health`)).ok,
      START_TIMEOUT_MS,
    );
  }

  /** What differs between hosts, as docs/operations/high-availability.md says it. */
  #variables(name: MemberName): Record<string, string> {
    const { folder } = this.#members[name];
    const [server, api] = [serverOf(this.#members[name]), apiOf(this.#members[name])];
    return {
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: `'${this.#etcdAddress}'`,
      PATRONI_RESTAPI_LISTEN: api,
      PATRONI_RESTAPI_CONNECT_ADDRESS: api,
      PATRONI_POSTGRESQL_LISTEN: server,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: server,
      PATRONI_POSTGRESQL_DATA_DIR: join(folder, 'data'),
      PATRONI_POSTGRESQL_BIN_DIR: programsFolder(),
      PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
      PATRONI_REWIND_PASSWORD: PASSWORD,
    };
  }

  async #configure(name: MemberName): Promise<string> {
    const file = join(this.#members[name].folder, 'patroni.yml');
    const settings = parse(readFileSync(OPERATORS_FILE, 'utf8')) as PatroniSettings;
    Object.assign(settings.bootstrap.dcs, TIMES);
    // These machines lose processes here, never what was written.
    Object.assign(settings.postgresql.parameters, {
      fsync: 'off',
      unix_socket_directories: this.#members[name].folder,
      // What is killed leaves its memory; in its folder that goes with it.
      dynamic_shared_memory_type: 'mmap',
    });
    await writeFile(file, stringify(settings));
    return file;
  }

  #startProgram(
    host: PrivateHost | undefined,
    program: string,
    args: readonly string[],
    env: Record<string, string> = {},
  ): ChildProcess {
    const user = serverUser();
    const [command, ...rest] = host?.inside(program, args, user) ?? [program, ...args];
    const child = spawn(command, rest, {
      cwd: this.#folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', HOME: this.#folder, ...env },
      ...(host === undefined ? user : {}),
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        if (chunk.includes(REWOUND)) this.#rewinds += 1;
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

function serverOf({ address, port }: Member): string {
  return `${address}:${port}`;
}

function apiOf({ address, apiPort }: Member): string {
  return `${address}:${apiPort}`;
}

/** Commits something that no table sees. @throws when this server does not. */
async function commit(server: string): Promise<true> {
  const client = new pg.Client({
    connectionString: `postgres://postgres:${PASSWORD}@${server}/postgres`,
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
