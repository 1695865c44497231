import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type Database,
  migrate,
  type Migration,
  MIGRATIONS,
  openDatabase,
} from '@zonewright/database';
import {
  sendQuery,
  type NameserverAddress,
  readTestEnvironment,
  waitFor,
} from '@zonewright/testkit';
import { randomUUID } from 'node:crypto';
import { call } from './support/clients.js';
import { Installation } from './support/installation.js';
import { type Addresses, ServicesHere } from './support/services-here.js';

/** Migration of a later release: it changes tables that every program uses. */
const LATER: Migration = {
  name: '9001-later',
  sql: ['dns.domains', 'dns.records', 'dns.zone_changes', 'dns.idempotency_keys', 'identity.users']
    .concat('identity.access_keys', 'dns.nameserver_status')
    .map((table) => `alter table ${table} add column later text, add column sooner int default 1;`)
    .join('\n'),
  indexes: [{ name: 'records_later', on: 'dns.records (later) where later is not null' }],
};
/** Built checkout of an earlier release (docs/design/faults.md). */
const EARLIER_RELEASE = process.env['ZONEWRIGHT_EARLIER_RELEASE'];
const itWithEarlierRelease = EARLIER_RELEASE === undefined ? it.skip : it;
const TENANT = 'upgrader';
const READY_WITHIN_MS = 20_000;

let installation: Installation;

const here = new ServicesHere();

afterEach(async () => {
  await here.stop();
  await installation.stop();
});

async function asOwner<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({
    url: installation.databaseUrl,
    applicationName: 'zonewright-test',
    maxConnections: 1,
    statementTimeoutMs: 0,
  });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

const migrateToLater = () => asOwner((db) => migrate(db, { migrations: [...MIGRATIONS, LATER] }));

const renameMigration = (name: string, to: string) =>
  asOwner(async (db) => await db('zonewright_migrations').where({ name }).update({ name: to }));

/** The three services, and the requests of a client. */
class Services {
  readonly #identity: string;
  readonly #dns: string;
  readonly #nameserver: NameserverAddress;

  private constructor(identity: string, dns: string, nameserver: NameserverAddress) {
    this.#identity = identity;
    this.#dns = dns;
    this.#nameserver = nameserver;
  }

  /** Starts the services of this code in this process. */
  static async start(): Promise<Services> {
    return await Services.whenReady(await here.start(installation));
  }

  /** Starts the services of another release as processes. */
  static async startProcesses(): Promise<Services> {
    const identity = (await installation.startIdentity({})).addresses['http'] ?? '';
    const dns = await installation.startDnsApi({ IDENTITY_URL: identity });
    const nameserver = await installation.startNameserver('ns1-1');
    return await Services.whenReady({
      identity,
      dns: dns.addresses['http'] ?? '',
      nameserver: nameserver.addresses['dns'] ?? '',
    });
  }

  static async whenReady({ identity, dns, nameserver }: Addresses): Promise<Services> {
    const [host = '', port] = nameserver.split(':');
    const services = new Services(identity, dns, { host, port: Number(port) });
    await waitFor(() => services.#logIn(), READY_WITHIN_MS);
    return services;
  }

  /** Performs every kind of request once and checks the responses. */
  async doEverything(): Promise<void> {
    const token = await this.#logIn();
    const zone = `${randomUUID()}.example.`;
    const created = await this.#createOnce(token, '/v1/domains', {
      name: zone,
      email: 'hostmaster@upgrade.example',
    });
    const records = `/v1/domains/${created}/records`;
    const record = await this.#createOnce(token, records, {
      name: zone,
      type: 'A',
      data: '192.0.2.1',
    });
    await this.#answers(zone, '192.0.2.1');
    const change = { method: 'PUT', token, body: { data: '192.0.2.2' } } as const;
    const headers = { prefer: 'wait=1' };
    expect((await this.#call(`${records}/${record}`, { ...change, headers })).status).toBe(200);
    await this.#answers(zone, '192.0.2.2');
    for (const path of ['/v1/domains', records, `/v1/domains/${created}`]) {
      expect([path, (await this.#call(path, { token })).status]).toEqual([path, 200]);
    }
    const { body } = await this.#call(`/v1/domains/${created}`, { token });
    const { serial } = body as { serial: number };
    const publication = await fetch(`${this.#dns}/v1/domains/${created}/changes/${serial}`, {
      headers: { 'x-auth-token': token },
    });
    // The first release does not have the path.
    expect([200, ...(installation.isOtherRelease ? [404] : [])]).toContain(publication.status);
    expect((await this.#call(`/v1/domains/${created}`, { method: 'DELETE', token })).status).toBe(
      200,
    );
    await this.#expectRevoked(token);
  }

  /** Sends the same request twice, as after a lost response: it creates only one object. */
  async #createOnce(token: string, path: string, body: object): Promise<string> {
    const headers = { 'idempotency-key': randomUUID() };
    const request = { method: 'POST', token, body, headers } as const;
    const first = await this.#call(path, request);
    const second = await this.#call(path, request);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    return (first.body as { id: string }).id;
  }

  async #expectRevoked(token: string): Promise<void> {
    const url = `${this.#identity}/v2.0/tokens/${token}`;
    expect((await call(url, { method: 'DELETE', token })).status).toBe(204);
    expect((await call(`${this.#identity}/v2.0/tenants`, { token })).status).toBe(401);
    await waitFor(async () => (await this.#call('/v1/domains', { token })).status === 401);
  }

  #call(path: string, request: Parameters<typeof call>[1]) {
    return call(this.#dns + path, request);
  }

  async #answers(name: string, address: string): Promise<void> {
    await waitFor(async () => {
      const { answers } = await sendQuery(this.#nameserver, name.slice(0, -1), 'A');
      return answers.length === 1 && answers[0]?.type === 'A' && answers[0].data === address;
    }, READY_WITHIN_MS);
  }

  async #logIn(): Promise<string> {
    const { body } = await call(`${this.#identity}/v2.0/tokens`, {
      method: 'POST',
      body: {
        auth: { passwordCredentials: { username: TENANT, password: TENANT }, tenantName: TENANT },
      },
    });
    return (body as { access: { token: { id: string } } }).access.token.id;
  }
}

async function install(release?: string): Promise<void> {
  installation = new Installation(readTestEnvironment().postgresUrl, release);
  await installation.prepare();
  installation.addTenant(TENANT);
}

const expectAllWorks = (services: Services) => services.doEverything();

describe('rolling upgrade', () => {
  it('this code continues to work while a later schema is created', async () => {
    await install();
    const services = await Services.start();
    await expectAllWorks(services);
    const [applied] = await Promise.all([migrateToLater(), expectAllWorks(services)]);
    expect(applied).toEqual([LATER.name]);
    await expectAllWorks(services);
  }, 120_000);

  it('services that start before migrate wait for their schema', async () => {
    await install();
    const last = MIGRATIONS.at(-1)?.name ?? '';
    await renameMigration(last, 'not-yet');
    const addresses = await here.start(installation);
    const { identity, dns } = addresses;
    expect((await call(`${identity}/v2.0/tenants`, { token: 'any' })).status).toBe(503);
    expect((await call(`${dns}/v1/domains`, { token: 'any' })).status).toBe(503);
    await renameMigration('not-yet', last);
    await expectAllWorks(await Services.whenReady(addresses));
  }, 120_000);

  itWithEarlierRelease(
    'the code of an earlier release works on this schema',
    async () => {
      await install(EARLIER_RELEASE);
      await expectAllWorks(await Services.startProcesses());
    },
    120_000,
  );

  itWithEarlierRelease(
    'an identity-service of an earlier release beside one of this: each takes the tokens of the other, and revokes them for both',
    async () => {
      await install();
      const services = [
        await installation.startIdentity({}),
        await installation.startIdentity({}, EARLIER_RELEASE),
      ];
      const urls = services.map(({ addresses }) => addresses['http'] ?? '');
      const statuses = (token: string) =>
        Promise.all(urls.map(async (url) => (await call(`${url}/v2.0/tenants`, { token })).status));
      const logIn = (url = '') =>
        call(`${url}/v2.0/tokens`, {
          method: 'POST',
          body: { auth: { passwordCredentials: { username: TENANT, password: TENANT } } },
        });
      const derive = (url = '', id = '') =>
        call(`${url}/v3/auth/tokens`, {
          method: 'POST',
          body: { auth: { identity: { methods: ['token'], token: { id } } } },
        });
      for (const url of urls) await waitFor(async () => (await logIn(url)).status === 200);
      for (const [issuer, revoker] of [urls, urls.toReversed()]) {
        const { body } = await logIn(issuer);
        const { id } = (body as { access: { token: { id: string } } }).access.token;
        const derived = await derive(issuer, id);
        expect(await statuses(id)).toEqual([200, 200]);
        expect(await statuses(derived.headers.get('x-subject-token') ?? '')).toEqual([200, 200]);
        const deletion = { method: 'DELETE', token: id } as const;
        expect((await call(`${revoker ?? ''}/v2.0/tokens/${id}`, deletion)).status).toBe(204);
        await waitFor(async () => (await statuses(id)).every((status) => status === 401));
      }
      installation.operate('user', 'revoke-all', TENANT);
    },
    120_000,
  );
});
