import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type NameserverAddress,
  readTestEnvironment,
  sendQuery,
  startProxy,
  type TcpProxy,
  waitFor,
} from '@zonewright/testkit';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { call } from './support/clients.js';
import { HeldPrimary } from './support/held-primary.js';
import { Installation, type RunningService } from './support/installation.js';

const TENANT = 'follower';
const ZONE = 'kills.example.';
/** Number of names. Nameservers read only the changes of such a zone, not the whole zone. */
const NAMES = 1_500;
/** Number of names. A change of this many has no entries, so nameservers read the whole zone. */
const LARGE_NAMES = 12_000;
const SOON_MS = 60_000;
/** Bytes from PostgreSQL after which the transfer is interrupted: a part of what a nameserver reads in both cases. */
const IN_THE_MIDDLE = 100_000;

/** Queries records of the zone all the time, and records answers that no version contains. */
class VersionWatch {
  readonly #address: NameserverAddress;
  readonly #asking: Promise<void>;
  #isOver = false;
  /** Version of the last answer. */
  latest = 0;
  readonly faults: string[] = [];

  constructor(address: NameserverAddress) {
    this.#address = address;
    this.#asking = this.#askOn();
  }

  /** A restarted nameserver may answer with its last snapshot. */
  forget(): void {
    this.latest = 0;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#asking;
  }

  async #askOn(): Promise<void> {
    for (let round = 0; !this.#isOver; round++) {
      const name = `h${round % 2 === 0 ? 0 : NAMES - 1}.${ZONE}`;
      const version = round % 3 === 0 ? await this.#askSerial() : await this.#askVersion(name);
      // Versions must not decrease.
      if (version !== undefined && version < this.latest) {
        this.faults.push(`${name} has ${version} after ${this.latest}`);
      }
      this.latest = version ?? this.latest;
      await setImmediate();
    }
  }

  async #askSerial(): Promise<number | undefined> {
    return this.#ask(ZONE, 'SOA', (data) => (data as { serial: number }).serial);
  }

  async #askVersion(name: string): Promise<number | undefined> {
    return this.#ask(name, 'TXT', (data) => Number(String(data)));
  }

  /** Returns undefined if nobody answers, since the nameserver was killed. */
  async #ask(
    name: string,
    type: 'SOA' | 'TXT',
    read: (data: unknown) => number,
  ): Promise<number | undefined> {
    const options = { timeoutMs: 500 };
    const answer = await sendQuery(this.#address, name.slice(0, -1), type, options).catch(
      () => undefined,
    );
    if (answer === undefined) return undefined;
    const [found] = answer.answers as readonly { data?: unknown }[];
    if (answer.rcode === 'NOERROR' && found !== undefined) return read(found.data);
    this.faults.push(`${name} ${type}: ${answer.rcode}`);
    return undefined;
  }
}

describe('kill -9 in the middle of a transfer: the old version is answered, then the new one as a whole', () => {
  const snapshots = mkdtempSync(join(tmpdir(), 'zonewright-kills-'));
  const primary = new HeldPrimary(ZONE);
  let installation: Installation;
  let owner: pg.Client;
  let proxy: TcpProxy;
  let proxiedUrl = '';
  let identityUrl = '';
  let dnsApi: RunningService;
  let nameserver: RunningService;
  let address: NameserverAddress;
  let watch: VersionWatch;

  beforeAll(async () => {
    installation = new Installation(readTestEnvironment().postgresUrl);
    await installation.prepare();
    installation.addTenant(TENANT);
    installation.operate('quota', 'set', TENANT, '--max-records', '100000');
    owner = new pg.Client({ connectionString: installation.databaseUrl });
    await owner.connect();
    const through = await startProxy(installation.loginUrl('nameserver'));
    ({ proxy, url: proxiedUrl } = through);
    const identity = await installation.startIdentity({});
    identityUrl = identity.addresses['http'] ?? '';
    dnsApi = await startDnsApi();
    nameserver = await startNameserver(0);
    const [host = '', port] = (nameserver.addresses['dns'] ?? '').split(':');
    address = { host, port: Number(port) };
    primary.names = NAMES;
    await follow();
    await answers(1);
    watch = new VersionWatch(address);
  }, 120_000);

  afterEach(() => {
    expect(watch.faults).toEqual([]);
  });

  afterAll(async () => {
    await watch.stop();
    await installation.stop();
    await proxy.stop();
    await owner.end();
    primary.stop();
    rmSync(snapshots, { recursive: true, force: true });
  });

  const startDnsApi = async () =>
    await installation.startDnsApi({
      IDENTITY_URL: identityUrl,
      DNS_API_PRIVATE_PRIMARIES: 'true',
      DNS_API_DATABASE_CONNECTIONS: '6',
    });

  const startNameserver = async (port: number) =>
    await installation.startNameserver('ns1-1', {
      DATABASE_URL: proxiedUrl,
      NAMESERVER_PORT: String(port),
      NAMESERVER_SNAPSHOT_DIR: snapshots,
      NAMESERVER_SNAPSHOT_INTERVAL_SECONDS: '1',
      NAMESERVER_RATE_LIMIT: 'false',
    });

  async function follow(): Promise<void> {
    const login = { username: TENANT, password: TENANT };
    const token = await call(`${identityUrl}/v2.0/tokens`, {
      method: 'POST',
      body: { auth: { passwordCredentials: login, tenantName: TENANT } },
    });
    const { id } = (token.body as { access: { token: { id: string } } }).access.token;
    const domains = `${dnsApi.addresses['http'] ?? ''}/v1/domains`;
    const made = await call(domains, {
      method: 'POST',
      token: id,
      body: { name: ZONE, email: 'a@b.example' },
    });
    const set = await call(`${domains}/${(made.body as { id: string }).id}/primaries`, {
      method: 'PUT',
      token: id,
      body: { primaries: [await primary.start()] },
    });
    expect([set.status, set.body]).toMatchObject([200, {}]);
  }

  /** Waits until the nameserver answers with a version. */
  async function answers(version: number): Promise<void> {
    await waitFor(async () => {
      const query = sendQuery(address, ZONE.slice(0, -1), 'SOA', { timeoutMs: 500 });
      const found = (await query.catch(() => undefined))?.answers[0];
      return found?.type === 'SOA' && found.data.serial === version;
    }, SOON_MS);
  }

  /** Requests a refresh from the primary now, and releases the claim of a killed process. */
  async function ask(): Promise<void> {
    await owner.query(
      'update dns.secondaries set next_at = now(), held_by = null, held_until = null',
    );
  }

  async function kill({ process: child }: RunningService): Promise<void> {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async function restartDnsApi(): Promise<void> {
    await kill(dnsApi);
    dnsApi = await startDnsApi();
  }

  const isWatched = (version: number) => waitFor(() => watch.latest === version, SOON_MS);

  /** Returns the stored versions, except for those of uncommitted transactions. */
  async function storedVersions(): Promise<string[]> {
    const { rows } = await owner.query<{ data: string }>(
      `select distinct data from dns.records where type = 'TXT'`,
    );
    return rows.map(({ data }) => data);
  }

  /** Whether a transaction that has written records waits for a lock. */
  async function isWriterWaiting(): Promise<boolean> {
    const { rows } = await owner.query(
      `select from pg_locks as waiting join pg_locks as held on held.pid = waiting.pid
        where not waiting.granted and held.granted and held.mode = 'RowExclusiveLock'
          and held.relation = cast('dns.records' as regclass)`,
    );
    return rows.length > 0;
  }

  it.each(['AXFR', 'IXFR'] as const)(
    'of dns-api, when half of the octets of an %s have arrived',
    async (type) => {
      const { version } = primary;
      if (type === 'AXFR') await owner.query('update dns.secondaries set serial = null');
      const isHeld = primary.holdNext(type);
      primary.version++;
      await ask();
      await isHeld;
      await restartDnsApi();
      expect(await storedVersions()).toEqual([`"${version}"`]);
      expect(watch.latest).toBe(version);
      primary.sent.length = 0;
      await ask();
      await isWatched(version + 1);
      expect(primary.sent).toContain(type);
      expect(await storedVersions()).toEqual([`"${version + 1}"`]);
    },
    2 * SOON_MS,
  );

  it.each(['AXFR', 'IXFR'] as const)(
    'of dns-api, when all of an %s has been written and not committed',
    async (type) => {
      const { version } = primary;
      if (type === 'AXFR') await owner.query('update dns.secondaries set serial = null');
      const isHeld = primary.holdNext(type);
      primary.version++;
      await ask();
      await isHeld;
      // The last statement of the transaction waits for this row.
      await owner.query('begin');
      try {
        await owner.query('select from dns.secondaries for update');
        primary.release();
        await waitFor(isWriterWaiting, SOON_MS);
        await kill(dnsApi);
      } finally {
        await owner.query('rollback');
      }
      expect(await storedVersions()).toEqual([`"${version}"`]);
      expect(watch.latest).toBe(version);
      dnsApi = await startDnsApi();
      await ask();
      await isWatched(version + 1);
      expect(await storedVersions()).toEqual([`"${version + 1}"`]);
    },
    2 * SOON_MS,
  );

  it.each([
    ['the changes of a zone', NAMES],
    ['a large zone', LARGE_NAMES],
  ])(
    'of the nameserver, while %s is being read',
    async (_what, names) => {
      const { version } = primary;
      await waitFor(() => readdirSync(snapshots).includes('zones.snapshot'), SOON_MS);
      if (names !== primary.names) await owner.query('update dns.secondaries set serial = null');
      primary.names = names;
      const isStalled = proxy.stallAfter(IN_THE_MIDDLE);
      primary.version++;
      await ask();
      await isStalled;
      expect(watch.latest).toBe(version);
      await kill(nameserver);
      watch.forget();
      nameserver = await startNameserver(address.port);
      await waitFor(() => watch.latest > 0, SOON_MS);
      expect(watch.latest).toBeLessThanOrEqual(version);
      proxy.restore();
      await isWatched(version + 1);
    },
    2 * SOON_MS,
  );
});
