import {
  type PrivateHost,
  PrivateNetwork,
  readCodeBlocks,
  type NameserverAddress,
} from '@zonewright/testkit';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from './running-platform.js';

const PAGE = join(PROJECT, 'docs/operations/high-availability.md');
const PROGRAMS = ['identity-service', 'dns-api', 'nameserver', 'database', 'admin-cli'];
const ADDRESSES_OF_PAGE = '10.0.0.1,10.0.0.2,10.0.0.3';
const SYSTEM_FOLDERS = ['etc', 'var', 'opt'];

/** Three hosts that are installed with the commands of docs/operations/high-availability.md. */
export class ThreeHosts {
  readonly hosts: readonly PrivateHost[];
  readonly #network: PrivateNetwork;
  readonly #folder: string;

  private constructor(network: PrivateNetwork, folder: string) {
    this.#network = network;
    this.hosts = network.hosts;
    this.#folder = folder;
  }

  static async start(): Promise<ThreeHosts> {
    const folder = await mkdtemp(join(tmpdir(), 'zonewright-hosts-'));
    chmodSync(folder, 0o755);
    const three = new ThreeHosts(await PrivateNetwork.start(3), folder);
    three.#provideSystems();
    return three;
  }

  /** Performs all steps that do not need the cluster. */
  async prepare(): Promise<void> {
    const { prepare, archive, extract, start } = readPage();
    const addresses = this.hosts.map(({ address }) => address).join(',');
    this.#runHere(prepare.replace(ADDRESSES_OF_PAGE, addresses));
    for (const number of [1, 2, 3]) this.#keepMemoryInFolder(number);
    this.#runHere(archive);
    for (const [at, host] of this.hosts.entries()) {
      mkdirSync(join(this.#folder, `at-${at + 1}`));
      const file = `host-${at + 1}.tar.gz`;
      cpSync(join(this.#folder, file), join(this.#folder, `at-${at + 1}`, file));
      await this.runAt(host, `cd ${this.#folder}/at-${at + 1}\n${extract}`);
    }
    for (const host of this.hosts) await this.runAt(host, start);
  }

  /** Installs the database and the services. */
  async install(): Promise<void> {
    const { database, services } = readPage();
    const [first] = this.hosts as [PrivateHost];
    await this.runAt(first, database);
    for (const host of this.hosts) await this.runAt(host, services);
  }

  /** Runs admin-cli. */
  async operate(command: string): Promise<void> {
    const [host] = this.hosts as [PrivateHost];
    const { doctor } = readPage();
    await this.runAt(host, doctor.replace(/doctor$/, command));
  }

  /** Returns the role of each member of the PostgreSQL cluster as reported by a host, by number of the host. */
  async roles(asked: PrivateHost): Promise<ReadonlyMap<number, string>> {
    const listed = await this.runAt(
      asked,
      'set -o allexport; . /etc/patroni/env; patronictl -c /etc/patroni/config.yml list --format json',
    );
    const members = JSON.parse(listed) as { Member: string; Role: string; State: string }[];
    return new Map(
      members
        .filter(({ State }) => /^(running|streaming)$/.test(State))
        .map(({ Member, Role }) => [Number(Member.slice('host-'.length)), Role]),
    );
  }

  /**
   * Whether any host may fail now: etcd runs on all three, and PostgreSQL has a primary, an up-to-date standby, and a
   * third member.
   */
  async isWhole(): Promise<boolean> {
    const [first] = this.hosts as [PrivateHost];
    const files = '--cacert ca.pem --cert host.pem --key host-key.pem';
    for (const host of this.hosts) {
      const health = `cd /etc/etcd; curl ${files} --fail --silent --max-time 2 https://${host.address}:2379/health`;
      await this.runAt(host, health);
    }
    const roles = [...(await this.roles(first)).values()].toSorted();
    return roles.join() === 'Leader,Replica,Sync Standby';
  }

  /** Whether PostgreSQL on a host is the primary, according to itself and to etcd. */
  async isPrimary(host: PrivateHost): Promise<boolean> {
    const url = `https://${host.address}:8008/primary`;
    const status = `curl --cacert /etc/zonewright/ca.pem --silent --output /dev/null --write-out '%{http_code}' ${url} || true`;
    return (await this.runAt(host, status)) === '200';
  }

  /** Whether PostgreSQL on a host commits writes, with a second one that has them. */
  async takesWrites(host: PrivateHost): Promise<boolean> {
    const commit = `select pg_logical_emit_message(true, 'test', '')`;
    const server = `host=${host.address} user=postgres sslmode=require connect_timeout=2`;
    const command = `. /etc/patroni/env; PGPASSWORD=$PATRONI_SUPERUSER_PASSWORD timeout 2 psql "${server}" --quiet --command "${commit}"`;
    return await this.runAt(host, command).then(
      () => true,
      () => false,
    );
  }

  /** Simulates a power cut: all processes of the host end, and it does not answer. */
  kill(host: PrivateHost): void {
    host.cut();
    host.signal('SIGKILL');
  }

  async boot(host: PrivateHost): Promise<void> {
    host.mend();
    await this.runAt(
      host,
      'rm --recursive --force /run/*; install --directory --owner=postgres /run/postgresql; systemctl start',
    );
  }

  nameserverOf({ address }: PrivateHost): NameserverAddress {
    return { host: address, port: 53 };
  }

  /** Returns the last lines of all logs, without messages of standbys that nobody can listen to them. */
  async readLogs(): Promise<string> {
    const tail = `for log in /var/log/{etcd,patroni,redis-*,zonewright*}.log; do
  echo "$log"
  grep --invert-match --ignore-case --extended-regexp 'listen|STATEMENT' "$log" | tail --lines=25
done || true`;
    return (await Promise.all(this.hosts.map((host) => this.runAt(host, tail)))).join('\n');
  }

  /** Runs commands on a host as root in a shell. */
  async runAt(host: PrivateHost, commands: string): Promise<string> {
    return await host.runAside(
      'bash',
      '-ec',
      `export PATH="${this.#folder}/bin:$PATH"\n${commands}`,
    );
  }

  async stop(): Promise<void> {
    await this.#network.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs commands in the folder of the sources. Only what the page builds there is linked. */
  #runHere(commands: string): void {
    execFileSync('bash', ['-ec', commands], { cwd: this.#folder });
  }

  /**
   * Keeps shared memory in the folder: that of a killed process belongs to this machine, and is removed with the
   * folder.
   */
  #keepMemoryInFolder(number: number): void {
    const file = join(this.#folder, `installation/host-${number}/etc/patroni/config.yml`);
    appendFileSync(file, '    dynamic_shared_memory_type: mmap\n');
  }

  #provideSystems(): void {
    mkdirSync(join(this.#folder, 'bin'));
    mkdirSync(join(this.#folder, 'programs'));
    mkdirSync(join(this.#folder, 'disk'));
    symlinkSync(join(PROJECT, 'deploy'), join(this.#folder, 'deploy'));
    for (const program of PROGRAMS)
      symlinkSync(join(PROJECT, 'packages', program), join(this.#folder, 'programs', program));
    const systemctl = join(PROJECT, 'packages/e2e/test/support/systemctl.mjs');
    const command = `#!/bin/sh\nexec "${process.execPath}" "${systemctl}" "$@"\n`;
    writeFileSync(join(this.#folder, 'bin/systemctl'), command, { mode: 0o755 });
    for (const host of this.hosts) host.run('bash', '-ec', systemFolders(`${this.#folder}/disk`));
  }
}

/** Mounts a separate disk over the system folders, so that a host writes to it and not to this machine. */
function systemFolders(disk: string): string {
  const overlays = SYSTEM_FOLDERS.map(
    (name) => `mkdir ${disk}/${name} ${disk}/${name}.work
mount -t overlay overlay -o lowerdir=/${name},upperdir=${disk}/${name},workdir=${disk}/${name}.work /${name}`,
  );
  return [
    `mount -t tmpfs tmpfs ${disk}`,
    ...overlays,
    'mount -t tmpfs -o mode=755 tmpfs /run',
    'install --directory --owner=postgres /run/postgresql',
  ].join('\n');
}

type Part = 'prepare' | 'archive' | 'extract' | 'start' | 'database' | 'services' | 'doctor';

/**
 * Returns the blocks of the page by a command that only each of them contains. The other two build the programs and
 * fetch Debian packages.
 */
function readPage(): Record<Part, string> {
  const blocks = readCodeBlocks(readFileSync(PAGE, 'utf8'), 'sh');
  const find = (part: string) => {
    const found = blocks.filter((block) => block.includes(part));
    if (found.length !== 1) throw new Error(`${PAGE}: ${found.length} blocks with ${part}`);
    return found[0] ?? '';
  };
  return {
    prepare: find('prepare.mjs'),
    archive: find('tar --create'),
    extract: find('tar --extract'),
    start: find('enable --now etcd'),
    database: find('create database'),
    services: find('zonewright@identity-service'),
    doctor: find(' doctor'),
  };
}
