import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, openDatabase } from '@zonewright/database';
import {
  sendQuery,
  FAULT_ROUNDS,
  faultSeed,
  type NameserverAddress,
  readTestEnvironment,
  seededRandom,
  waitFor,
} from '@zonewright/testkit';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { call } from './support/clients.js';
import { Installation, type RunningService } from './support/installation.js';

const IS_LONG = FAULT_ROUNDS >= 200;
const ZONES = IS_LONG ? 10_000 : 300;
/** Pause between the queries of two rounds. In the short form, other tests share the processors. */
const SAMPLING_PAUSE_MS = IS_LONG ? 0 : 10;
/** Number of zones per second, slow enough for everything that happens in the meantime. */
const ZONES_PER_SECOND = IS_LONG ? 200 : 40;
const ROLLOUT_WITHIN_MS = (ZONES / ZONES_PER_SECOND) * 10_000 + 60_000;
const STARTED_WITHIN_MS = 60_000;
const TENANT = 'roller';

/** Nameserver as a process, which can be killed and restarted on its port. */
class Server {
  readonly name: string;
  readonly #env: Readonly<Record<string, string>>;
  address: NameserverAddress = { host: '127.0.0.1', port: 0 };
  #service: RunningService | undefined;

  constructor(name: string, env: Readonly<Record<string, string>> = {}) {
    this.name = name;
    this.#env = env;
  }

  async start(): Promise<void> {
    const { port } = this.address;
    this.#service = await installation.startNameserver(this.name, {
      NAMESERVER_PORT: String(port),
      ...this.#env,
    });
    const [host = '', given] = (this.#service.addresses['dns'] ?? '').split(':');
    this.address = { host, port: Number(given) };
  }

  async restart(): Promise<void> {
    await killed(this.#service);
    await this.start();
  }
}

async function killed(service: RunningService | undefined): Promise<void> {
  if (service === undefined) return;
  const exited = once(service.process, 'exit');
  service.process.kill('SIGKILL');
  await exited;
}

let installation: Installation;
let db: Database;
let folder: string;
let servers: Server[];
let apis: RunningService[];
let identity: string;
let random: () => number;

beforeAll(async () => {
  random = seededRandom(faultSeed());
  folder = mkdtempSync(join(tmpdir(), 'zonewright-by-serial-'));
  installation = new Installation(readTestEnvironment().postgresUrl);
  await installation.prepare();
  installation.addTenant(TENANT);
  db = openDatabase({
    url: installation.databaseUrl,
    applicationName: 'zonewright-test',
    maxConnections: 2,
  });
  await db.raw(
    `insert into dns.domains (tenant_id, name, email, ttl, serial)
     select 'nobody', 'z' || n || '.rollout.example.', 'a@example.com', 3600, 1000 from generate_series(1, ?::integer) as n`,
    [ZONES],
  );
  identity = (await installation.startIdentity({})).addresses['http'] ?? '';
  const env = {
    IDENTITY_URL: identity,
    DNS_API_APEX_ZONES_PER_SECOND: String(ZONES_PER_SECOND),
  };
  apis = [await installation.startDnsApi(env), await installation.startDnsApi(env)];
  const snapshots = { NAMESERVER_SNAPSHOT_DIR: folder, NAMESERVER_SNAPSHOT_INTERVAL_SECONDS: '1' };
  servers = [new Server('ns1-1'), new Server('ns1-2', snapshots), new Server('ns1-3')];
  for (const server of servers) await server.start();
  for (const server of servers) await waitFor(() => isLoaded(server), STARTED_WITHIN_MS);
}, 240_000);

afterAll(async () => {
  await installation.stop();
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function isLoaded({ address }: Server): Promise<boolean> {
  const { rcode } = await sendQuery(address, `z${ZONES}.rollout.example`, 'SOA');
  return rcode === 'NOERROR';
}

const countOutdated = async () => {
  const { rows } = await db.raw<{ rows: { zones: number }[] }>(
    `select count(*) as zones from dns.domains as d
      where d.apex_version < (select max(v.version) from dns.apex_versions as v)`,
  );
  return Number(rows[0]?.zones);
};

interface Shown {
  readonly serial: number;
  readonly soa: string;
}

async function askSoa(server: Server, zone: string): Promise<Shown | undefined> {
  const { rcode, answers } = await sendQuery(server.address, zone, 'SOA');
  const [soa] = answers;
  // An empty nameserver answers SERVFAIL, or does not know zones, until it has read them.
  if (rcode !== 'NOERROR' || soa?.type !== 'SOA') return undefined;
  return { serial: Number(soa.data.serial), soa: JSON.stringify(soa.data) };
}

/** Contents of a zone for each serial, at any nameserver. */
class Contents {
  readonly #bySerial = new Map<string, string>();
  readonly differences: string[] = [];
  samples = 0;

  /** NS is used only between two equal SOA answers. Otherwise the serial has increased, or another process answered. */
  async sample(server: Server, zone: string): Promise<void> {
    const before = await askSoa(server, zone);
    const ns = await sendQuery(server.address, zone, 'NS');
    const after = await askSoa(server, zone);
    if (before === undefined) return;
    this.#compare(`${zone} ${before.serial} SOA`, before.soa, server);
    if (before.soa !== after?.soa) return;
    const names = ns.answers.map((answer) => ('data' in answer ? JSON.stringify(answer.data) : ''));
    this.#compare(`${zone} ${before.serial} NS`, names.sort().join(' '), server);
    this.samples++;
  }

  #compare(key: string, content: string, { name }: Server): void {
    const known = this.#bySerial.get(key);
    if (known === undefined) this.#bySerial.set(key, content);
    else if (known !== content)
      this.differences.push(`${key} at ${name}: ${content}, not ${known}`);
  }
}

/** Queries all nameservers for random zones until `isOver`. Queries to a restarting one are lost. */
async function sampleUntil(contents: Contents, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const zone = `z${1 + Math.floor(random() * ZONES)}.rollout.example`;
    const asked = [...servers.map((server) => [server, zone] as const)];
    asked.push(...servers.map((server) => [server, 'ns.zonewright.test'] as const));
    await Promise.allSettled(asked.map(([server, name]) => contents.sample(server, name)));
    await delay(SAMPLING_PAUSE_MS);
  }
}

async function createDomainThroughApi(zone: string, api: RunningService): Promise<string | null> {
  const login = await call(`${identity}/v2.0/tokens`, {
    method: 'POST',
    body: {
      auth: { passwordCredentials: { username: TENANT, password: TENANT }, tenantName: TENANT },
    },
  });
  const token = (login.body as { access: { token: { id: string } } }).access.token.id;
  const answer = await call(`${api.addresses['http'] ?? ''}/v1/domains`, {
    method: 'POST',
    token,
    headers: { prefer: 'wait=30' },
    body: { name: zone, email: 'a@rollout.example' },
  });
  expect(answer.status).toBe(200);
  return answer.headers.get('x-zonewright-publication');
}

/** Expects that every nameserver has the final version of every zone. */
async function expectAllShow(minimum: number, count: number): Promise<void> {
  const { rows } = await db.raw<{ rows: { name: string; serial: number }[] }>(
    `select d.name, d.serial from dns.domains as d where d.tenant_id = 'nobody' order by d.id`,
  );
  expect(rows).toHaveLength(ZONES);
  for (const server of servers) {
    for (const { name, serial } of rows) {
      const zone = name.slice(0, -1);
      await waitFor(async () => (await askSoa(server, zone))?.serial === serial, 20_000);
      expect((await askSoa(server, zone))?.soa).toContain(`"minimum":${minimum}`);
      expect((await sendQuery(server.address, zone, 'NS')).answers).toHaveLength(count);
    }
  }
}

async function rollOut(change: () => void, meanwhile: () => Promise<void>): Promise<Contents> {
  const contents = new Contents();
  let isOver = false;
  const sampling = sampleUntil(contents, () => isOver);
  try {
    change();
    await meanwhile();
    await waitFor(async () => (await countOutdated()) === 0, ROLLOUT_WITHIN_MS);
  } finally {
    isOver = true;
    await sampling;
  }
  return contents;
}

describe('a zone is what its serial says (ADR 0025)', () => {
  it(
    'while SOA times change in all zones; other changes proceed in the meantime, and so does the work of a killed dns-api',
    async () => {
      const contents = await rollOut(
        () => {
          installation.operate('nameserver', 'set-soa', '--minimum', '600');
        },
        async () => {
          await waitFor(async () => (await countOutdated()) < ZONES);
          const publication = await createDomainThroughApi('meanwhile.example.', apis[1]!);
          expect(publication).toMatch(/^published/);
          await killed(apis[0]);
          expect(await countOutdated()).toBeGreaterThan(0);
        },
      );
      expect(contents.differences).toEqual([]);
      expect(contents.samples).toBeGreaterThan(0);
      await expectAllShow(600, 6);
    },
    ROLLOUT_WITHIN_MS + 300_000,
  );

  it(
    'while a nameserver is added; others start in the meantime, with and without a snapshot',
    async () => {
      const contents = await rollOut(
        () => {
          installation.operate('nameserver', 'add', 'ns1-7', '--ipv4', '192.0.2.7');
        },
        async () => {
          await waitFor(async () => (await countOutdated()) < ZONES);
          await servers[1]!.restart();
          await servers[2]!.restart();
          expect(await countOutdated()).toBeGreaterThan(0);
        },
      );
      expect(contents.differences).toEqual([]);
      expect(contents.samples).toBeGreaterThan(0);
      await expectAllShow(600, 7);
    },
    ROLLOUT_WITHIN_MS + 300_000,
  );
});
