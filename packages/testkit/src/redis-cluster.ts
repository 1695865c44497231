import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@zonewright/service-kit';
import { Redis } from 'ioredis';
import { generate } from 'selfsigned';
import { endWithThisProcess } from './end-with-this-process.js';
import type { PrivateHost } from './private-network.js';
import { waitFor } from './wait-for.js';

const PASSWORD = 'of-a-test';
/** Redis users: the services as in docs/operations/high-availability.md, and an administrator. */
const USERS = `user default off
user admin on >${PASSWORD} ~* &* +@all
user zonewright on >${PASSWORD} ~zonewright:* &zonewright:* -@all +@read +@write +@stream +@scripting +@pubsub +@connection +info +time +cluster|nodes
`;
const SLOTS = 16_384;

interface Node {
  /** Undefined for this machine. */
  readonly host: PrivateHost | undefined;
  readonly address: string;
  readonly port: number;
  readonly busPort: number;
  process: ChildProcess;
  readonly admin: Redis;
}

/** Separate Redis Cluster for a test with three primaries and a replica each, with TLS and users. */
export class PrivateRedisCluster {
  readonly #folder: string;
  readonly #files: CertificateFiles;
  readonly #nodes: Node[] = [];

  private constructor(folder: string, files: CertificateFiles) {
    this.#folder = folder;
    this.#files = files;
  }

  /** @param hosts one for each node; if undefined, all are on this machine and cannot be separated */
  static async start(hosts?: readonly PrivateHost[]): Promise<PrivateRedisCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'zonewright-redis-cluster-'));
    writeFileSync(join(folder, 'users.acl'), USERS);
    const addresses = hosts?.map(({ address }) => address) ?? [];
    const files = await writeCertificate(folder, 'node', ...addresses);
    const cluster = new PrivateRedisCluster(folder, files);
    for (let place = 0; place < 6; place += 1) await cluster.#startNode(place, hosts?.[place]);
    await cluster.#join();
    return cluster;
  }

  /** Certificate, which is its own authority. */
  get authorityFile(): string {
    return this.#files.certificate;
  }

  /** URL with which the services log in. */
  get url(): string {
    const hosts = this.#nodes.map(({ address, port }) => `${address}:${port}`).join(',');
    return `rediss+cluster://zonewright:${PASSWORD}@${hosts}?sslrootcert=${this.authorityFile}`;
  }

  /** Returns the administrator's connection to the primary of a slot. */
  async ownerOf(slot: number): Promise<Redis> {
    return (await this.#find(slot)).admin;
  }

  /** Kills or suspends the primary of a slot, until its replica has taken over. */
  async failOver(slot: number, signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
    const before = await this.#find(slot);
    before.process.kill(signal);
    await waitFor(async () => (await this.#find(slot, before)) !== before, 60_000);
  }

  /**
   * Separates the primary of a slot from all other nodes, but not from its clients, until its replica has taken over.
   */
  async divide(slot: number): Promise<void> {
    const before = await this.#find(slot);
    const others = this.#nodes.flatMap(({ host }) => (host === before.host ? [] : (host ?? [])));
    before.host?.cutFrom(...others);
    await waitFor(async () => (await this.#find(slot, before)) !== before, 60_000);
  }

  /** Restores all nodes that were killed, suspended or separated. */
  async bringBack(): Promise<void> {
    for (const [place, node] of this.#nodes.entries()) {
      node.host?.mend();
      node.process.kill('SIGCONT');
      if (node.process.exitCode !== null || node.process.signalCode !== null)
        node.process = this.#spawn(place, node);
    }
    await waitFor(() => this.#agrees(), 60_000);
  }

  /** Moves a slot with its keys to the next primary. @param halfway called while the keys are on both */
  async moveSlot(slot: number, halfway: () => Promise<void>): Promise<void> {
    const from = await this.#find(slot);
    const to = (await this.#primaries()).find((node) => node !== from);
    if (to === undefined) throw new Error('there is no other primary');
    const [fromId, toId] = await Promise.all([from, to].map(({ admin }) => admin.cluster('MYID')));
    await to.admin.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId as string);
    await from.admin.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId as string);
    const count = Number(await from.admin.call('CLUSTER', 'COUNTKEYSINSLOT', slot));
    for (let moved = 0; ; moved += 1) {
      const keys = (await from.admin.call('CLUSTER', 'GETKEYSINSLOT', slot, 1)) as string[];
      if (keys.length === 0) break;
      const login = ['AUTH2', 'admin', PASSWORD];
      await from.admin.call(
        'MIGRATE',
        to.address,
        to.port,
        '',
        0,
        5_000,
        ...login,
        'KEYS',
        ...keys,
      );
      if (moved === count >> 1) await halfway();
    }
    for (const { admin } of [to, from])
      await admin.call('CLUSTER', 'SETSLOT', slot, 'NODE', toId as string);
  }

  async stop(): Promise<void> {
    for (const { admin, process } of this.#nodes) {
      admin.disconnect();
      if (process.exitCode !== null || process.signalCode !== null) continue;
      const exited = once(process, 'exit');
      process.kill('SIGKILL');
      await exited;
    }
    rmSync(this.#folder, { recursive: true });
  }

  async #startNode(place: number, host: PrivateHost | undefined): Promise<void> {
    const address = host?.address ?? '127.0.0.1';
    const at = { host, address, port: await freePort(), busPort: await freePort() };
    const { port } = at;
    const admin = new Redis({
      host: address,
      port,
      username: 'admin',
      password: PASSWORD,
      tls: { ca: readFileSync(this.authorityFile) },
      commandTimeout: 2_000,
      maxRetriesPerRequest: 0,
      disconnectTimeout: 1,
      retryStrategy: () => 50,
      // A single node does not serve data, but can still be queried.
      enableReadyCheck: false,
    });
    admin.on('error', () => undefined);
    this.#nodes.push({ ...at, admin, process: this.#spawn(place, at) });
    await waitFor(() => admin.ping().then(() => true));
  }

  #spawn(
    place: number,
    { host, address, port, busPort }: Omit<Node, 'admin' | 'process'>,
  ): ChildProcess {
    const settings = {
      bind: address,
      port: 0,
      'tls-port': port,
      'tls-cluster': 'yes',
      'tls-replication': 'yes',
      'tls-auth-clients': 'no',
      'tls-cert-file': this.authorityFile,
      'tls-key-file': this.#files.key,
      'tls-ca-cert-file': this.authorityFile,
      aclfile: join(this.#folder, 'users.acl'),
      masteruser: 'admin',
      masterauth: PASSWORD,
      'cluster-enabled': 'yes',
      'cluster-port': busPort,
      'cluster-config-file': `nodes-${place}.conf`,
      'cluster-node-timeout': 1_000,
      dir: this.#folder,
      dbfilename: `dump-${place}.rdb`,
      save: '',
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const [command, ...rest] = host?.inside('redis-server', args) ?? ['redis-server', ...args];
    const server = spawn(command, rest, { stdio: 'ignore' });
    endWithThisProcess(server, 'TERM');
    return server;
  }

  async #join(): Promise<void> {
    const primaries = this.#nodes.slice(0, 3);
    const [first] = primaries as [Node];
    for (const [place, { admin, address, port, busPort }] of this.#nodes.entries()) {
      await admin.call('CLUSTER', 'SET-CONFIG-EPOCH', place + 1);
      await first.admin.call('CLUSTER', 'MEET', address, port, busPort);
    }
    for (const [place, { admin }] of primaries.entries()) {
      const [from, to] = [place, place + 1].map((part) => Math.ceil((SLOTS * part) / 3));
      await admin.call('CLUSTER', 'ADDSLOTSRANGE', from ?? 0, (to ?? 0) - 1);
    }
    for (const [place, { admin }] of primaries.entries()) {
      const id = await admin.cluster('MYID');
      const replica = this.#nodes[place + 3]?.admin;
      await waitFor(async () => replica?.call('CLUSTER', 'REPLICATE', id).then(() => true));
    }
    await waitFor(() => this.#agrees(), 60_000);
  }

  /** Whether all nodes know and reach each other, and each primary has a replica that is up to date. */
  async #agrees(): Promise<boolean> {
    const answers = await Promise.all(
      this.#nodes.map(async ({ admin }) => [
        await admin.cluster('INFO'),
        String(await admin.cluster('NODES')),
        await admin.info('replication'),
      ]),
    );
    return answers.every(([info = '', nodes = '', replication = '']) => {
      const isWhole =
        nodes.trim().split('\n').length === 6 && !/fail|handshake|disconnected/.test(nodes);
      // A former primary may still have a replica although it does not follow its own primary yet.
      const isFollowed =
        /role:slave[^]*master_link_status:up|role:master[^]*slave\d+:.*state=online/.test(
          replication,
        );
      return /cluster_state:ok/.test(info) && isWhole && isFollowed;
    });
  }

  async #primaries(): Promise<Node[]> {
    const roles = await Promise.all(
      this.#nodes.map(async ({ admin }) => String(((await admin.call('ROLE')) as unknown[])[0])),
    );
    return this.#nodes.filter((_, place) => roles[place] === 'master');
  }

  /**
   * Finds the primary of a slot according to most nodes.
   *
   * @param except node to skip, because it does not answer or has an old view
   */
  async #find(slot: number, except?: Node): Promise<Node> {
    const votes = new Map<Node, number>();
    for (const asked of this.#nodes) {
      if (asked === except) continue;
      const ranges = (await asked.admin.call('CLUSTER', 'SLOTS').catch(() => [])) as [
        number,
        number,
        [string, number],
      ][];
      const [ip, port] = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2] ?? [];
      const owner = this.#nodes.find((node) => node.address === ip && node.port === port);
      if (owner !== undefined) votes.set(owner, (votes.get(owner) ?? 0) + 1);
    }
    const [most] = [...votes].toSorted(([, a], [, b]) => b - a);
    if (most === undefined) throw new Error(`no node has slot ${slot}`);
    return most[0];
  }
}

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

/** Writes a self-signed certificate for hosts and its key into `folder`, as `name`.pem and `name`.key. */
export async function writeCertificate(
  folder: string,
  name: string,
  ...hosts: readonly string[]
): Promise<CertificateFiles> {
  const files = { certificate: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  const altNames = (hosts.length === 0 ? ['127.0.0.1'] : hosts).map((host) =>
    isIP(host) === 0 ? ({ type: 2, value: host } as const) : ({ type: 7, ip: host } as const),
  );
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  writeFileSync(files.certificate, made.cert);
  writeFileSync(files.key, made.private, { mode: 0o600 });
  return files;
}
