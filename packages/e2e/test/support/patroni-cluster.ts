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
 * Shell condition for Patroni 3.0.3 or newer. An earlier one, as in Debian 12, lets a primary that hung for longer than
 * its lease take over from its successor, and acknowledged writes are lost (docs/operations/high-availability.md).
 */
export const SOUND_PATRONI = `printf '%s\\n' 'patroni 3.0.3' "$(patroni --version)" | sort --check --version-sort`;

const OPERATORS_FILE = fileURLToPath(
  new URL('../../../../deploy/patroni/patroni.yml', import.meta.url),
);
const PASSWORD = 'cluster-password';
/** Time limit for creating three PostgreSQL servers on a busy machine. */
const START_TIMEOUT_MS = 120_000;
/** Time limit for a server that hangs. */
const ATTEMPT_MS = 500;
/** Times that replace those of the operator's file: the minimum of Patroni 3.1 and newer, in seconds. */
const TIMES = { ttl: 20, loop_wait: 1, retry_timeout: 3 };

/** Text in Patroni's log. */
const REWOUND = 'pg_rewind exit code=0';

interface PatroniSettings {
  readonly bootstrap: { readonly dcs: object };
  readonly postgresql: { readonly parameters: object };
}

interface Member {
  /** Host of the member. Undefined if all members run on this machine. */
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

/** Three PostgreSQL servers under Patroni with etcd, all from Debian, on loopback or on hosts of a network. */
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

  /** @param network network with four hosts: one for each member, and one for etcd */
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
    // The first one becomes the primary; the others copy it.
    for (const name of MEMBERS) await cluster.resume(name);
    await cluster.settle();
    return cluster;
  }

  /** URL of all three for writes. */
  get url(): string {
    const hosts = Object.values(this.#members).map(serverOf);
    return `postgres://postgres:${PASSWORD}@${hosts.join(',')}/postgres?target_session_attrs=read-write`;
  }

  /** Last lines of the members' output. */
  get log(): string {
    const file = join(this.#folder, 'patroni.log');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(-60).join('\n') : '';
  }

  /** Returns the primary according to the members that answer. @throws Error if there is none */
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

  /** Whether there is a primary and two standbys that are up to date. */
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

  /** Waits until the cluster is complete. */
  async settle(): Promise<void> {
    await waitFor(() => this.isWhole(), START_TIMEOUT_MS).catch((error: unknown) => {
      throw new Error(`The cluster does not become whole:\n${this.log}`, { cause: error });
    });
  }

  /** Returns whether a server commits writes and a second one has them, which completes a failover. */
  async takesWrites(): Promise<boolean> {
    const attempts = Object.values(this.#members).map((member) => commit(serverOf(member)));
    return await Promise.any(attempts).catch(() => false);
  }

  /** Switches the primary over in an orderly way, as for maintenance. */
  async switchOver(): Promise<void> {
    const [leader, candidate] = [await this.primary(), await this.standby()];
    const answer = await fetch(`http://${apiOf(this.#members[leader])}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader, candidate }),
    });
    if (!answer.ok) throw new Error(`switchover: ${answer.status} ${await answer.text()}`);
  }

  /**
   * Sends a signal to all processes of a member. SIGKILL simulates a power cut, SIGSTOP a machine that hangs with open
   * connections.
   */
  signal(name: MemberName, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of this.#processes(name)) sendSignal(pid, signal);
  }

  /** Drops all packets from and to the host of a member. */
  cut(name: MemberName): void {
    this.#members[name].host?.cut();
  }

  /** Separates a member from etcd and the other members. Its clients can still reach it. */
  cutFromCluster(name: MemberName): void {
    const others = MEMBERS.filter((other) => other !== name).map((other) => this.#members[other]);
    const hosts = [this.#etcdHost, ...others.map(({ host }) => host)];
    this.#members[name].host?.cutFrom(...hosts.filter((host) => host !== undefined));
  }

  mend(name: MemberName): void {
    this.#members[name].host?.mend();
  }

  /** Number of times that a member discarded writes that the others did not have. */
  get rewinds(): number {
    return this.#rewinds;
  }

  /** Starts the member, even after it was killed. */
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

  /** Returns the values that differ between hosts, from docs/operations/high-availability.md. */
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
    // These machines lose processes, but no written data.
    Object.assign(settings.postgresql.parameters, {
      fsync: 'off',
      unix_socket_directories: this.#members[name].folder,
      // A killed server leaves shared memory behind. Files in its folder are removed with the folder.
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

  /** Returns the processes of Patroni and of its server. */
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

/** Commits something that is in no table. @throws if this server does not commit */
async function commit(server: string): Promise<true> {
  const client = new pg.Client({
    connectionString: `postgres://postgres:${PASSWORD}@${server}/postgres`,
    connectionTimeoutMillis: ATTEMPT_MS,
    query_timeout: ATTEMPT_MS,
  });
  // A server that stops in the meantime has refused.
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

/** Sends a signal. The process may have ended since it was listed. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended.
  }
}
