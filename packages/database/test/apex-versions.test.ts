import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Database,
  DATABASE_ROLES,
  FEED_START,
  findServiceSettings,
  migrate,
  openDatabase,
  readFeed,
  type TestDatabase,
} from '../src/index.js';
import { createEmptyDatabase, useTestDatabase } from './support/test-database.js';

const database = useTestDatabase();

async function valueOf<T>(db: Database, expression: string): Promise<T> {
  const { rows } = await db.raw<{ rows: { value: T }[] }>(`select ${expression} as value`);
  return rows[0]!.value;
}

const latest = () => valueOf<number>(database.db, '(select max(version) from dns.apex_versions)');
const domainSerial = () =>
  valueOf<number>(database.db, '(select serial from dns.nameserver_domain)');

const INSERT_ZONE = `insert into dns.domains (tenant_id, name, email, ttl, serial)
  values ('tenant', ?, 'a@example.com', 3600, ?)`;

describe('what the service provides at the apex of zones (ADR 0025)', () => {
  beforeEach(async () => {
    await database.db.raw('delete from dns.domains; delete from dns.servers');
    await database.db.raw(
      `insert into dns.nameserver_domain (name, email, serial) values ('ns.example.', 'a@ns.example', 1)
       on conflict do nothing`,
    );
    await database.db.raw(
      `insert into dns.servers (name, position) values ('ns1.ns.example.', 1), ('ns2.ns.example.', 2)`,
    );
  });

  it.each([
    ['a new server', `insert into dns.servers (name, position) values ('ns3.ns.example.', 3)`, 1],
    ['another name', `update dns.servers set name = 'other.' where position = 2`, 1],
    ['another order', `update dns.servers set position = 3 where position = 1`, 1],
    ['an address', `update dns.servers set ipv4 = '192.0.2.1'`, 0],
    ['an SOA time', 'update dns.service_settings set soa_retry = soa_retry + 1', 1],
    [
      'the TTL of the nameserver domain',
      'update dns.service_settings set nameserver_domain_ttl = 1',
      0,
    ],
    ['nothing', 'update dns.service_settings set soa_retry = soa_retry', 0],
  ])(
    '%s makes a version if zones show it, and always a new serial of the nameserver domain',
    async (_what, statement, versions) => {
      const operator = database.open({ role: DATABASE_ROLES.operator, maxConnections: 1 });
      const [version, serial] = [await latest(), await domainSerial()];
      await operator.raw(statement);
      expect(await latest()).toBe(version + versions);
      expect(await domainSerial()).toBeGreaterThan(serial);
    },
  );

  it('belongs to the serial of a zone, whichever program writes it, and the feed returns both together', async () => {
    const api = database.open({ role: DATABASE_ROLES.dnsApi, maxConnections: 1 });
    const shown = () =>
      readFeed(database.db, FEED_START, ({ changes }) =>
        Promise.resolve(changes[0]?.zone?.apex?.servers),
      );
    await api.raw(INSERT_ZONE, ['zone.example.', 1]);
    await database.db.raw(`delete from dns.servers where position = 1`);
    expect(await shown()).toEqual(['ns1.ns.example.', 'ns2.ns.example.']);
    await api.raw(`update dns.domains set description = 'no serial'`);
    expect(await shown()).toEqual(['ns1.ns.example.', 'ns2.ns.example.']);
    await api.raw('update dns.domains set serial = serial + 1');
    expect(await shown()).toEqual(['ns2.ns.example.']);
  });

  it("each change of a user's zone with the same name increases the nameserver domain's serial, and no other zone does", async () => {
    const api = database.open({ role: DATABASE_ROLES.dnsApi, maxConnections: 1 });
    const before = await domainSerial();
    await api.raw(INSERT_ZONE, ['other.example.', 4_000_000_000]);
    expect(await domainSerial()).toBe(before);
    await api.raw(INSERT_ZONE, ['ns.example.', 4_000_000_000]);
    expect(await domainSerial()).toBe(4_000_000_000);
    await api.raw(`update dns.domains set serial = 5 where name = 'ns.example.'`);
    expect(await domainSerial()).toBe(4_000_000_001);
  });
});

describe('the first settings', () => {
  let empty: TestDatabase;
  let db: Database;

  beforeEach(async () => {
    empty = await createEmptyDatabase();
    db = openDatabase({
      url: empty.url,
      applicationName: 'zonewright-test',
      maxConnections: 1,
      statementTimeoutMs: 0,
    });
  });

  afterEach(async () => {
    await db.destroy();
    await empty.drop();
  });

  it('come from migrate once; zones show them from the beginning', async () => {
    const soa = { refreshSeconds: 1, retrySeconds: 2, expireSeconds: 3, minimumSeconds: 4 };
    const first = { soa, nameserverDomainTtlSeconds: 5 };
    await migrate(db, { first });
    await migrate(db, { first: { ...first, nameserverDomainTtlSeconds: 6 } });
    expect(await findServiceSettings(db)).toEqual(first);
    expect(await valueOf(db, '(select array_agg(soa_minimum) from dns.apex_versions)')).toEqual([
      4,
    ]);
  });
});
