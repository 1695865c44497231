import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHANNELS, DATABASE_ROLES, FEED_START, readFeed } from '../src/index.js';
import type { ListeningClient } from './support/listening-client.js';
import { useTestDatabase } from './support/test-database.js';

const database = useTestDatabase();
let listening: ListeningClient;

beforeAll(async () => {
  listening = await database.listen(CHANNELS.dns);
});

async function readDomain(): Promise<{ serial: number; changedIn: string }> {
  return await readFeed(database.db, FEED_START, ({ servers }) => {
    if (servers.domain === undefined) throw new Error('There is no nameserver domain.');
    return Promise.resolve(servers.domain);
  });
}

describe('the nameserver domain follows its servers (D-NS)', () => {
  it('servers can exist before the domain, and are announced', async () => {
    await database.db.raw(
      `insert into dns.servers (name, position) values ('ns1-1.ns.example.', 1)`,
    );

    expect(await listening.take()).toEqual(['servers']);
    await expect(
      readFeed(database.db, FEED_START, ({ servers }) => Promise.resolve(servers)),
    ).resolves.toMatchObject({
      domain: undefined,
      servers: [{ name: 'ns1-1.ns.example.', ipv4: null, ipv6: null }],
    });
  });

  it.each([
    [
      'a new server',
      `insert into dns.servers (name, position, ipv4) values ('ns1-2.ns.example.', 2, '192.0.2.2')`,
    ],
    ['a changed address', `update dns.servers set ipv6 = '2001:db8::2' where position = 2`],
    ['a removed server', `delete from dns.servers where position = 2`],
    ['no remaining server', `truncate dns.servers`],
  ])('%s increases its serial, updates its position, and is announced', async (_, statement) => {
    await database.db.raw(
      `insert into dns.nameserver_domain (name, email, serial)
       values ('ns.example.', 'a@ns.example', 4000000000) on conflict do nothing`,
    );
    const before = await readDomain();
    const operator = database.open({ role: DATABASE_ROLES.operator, maxConnections: 1 });
    // Only the owner may TRUNCATE.
    await (statement.startsWith('truncate') ? database.db : operator).raw(statement);
    const after = await readDomain();

    expect(after.serial).toBe(before.serial + 1);
    expect(BigInt(after.changedIn)).toBeGreaterThan(BigInt(before.changedIn));
    expect(await listening.take()).toEqual(['servers']);
  });

  it('D-ZONE: a serial that is behind the clock becomes the current time in seconds', async () => {
    await database.db.raw(`update dns.nameserver_domain set serial = 1`);
    await database.db.raw(
      `insert into dns.servers (name, position) values ('ns1-3.ns.example.', 3)`,
    );

    const { serial } = await readDomain();
    expect(Math.abs(serial - Date.now() / 1000)).toBeLessThan(60);
  });

  it('the feed lists the servers in order, with addresses without a mask', async () => {
    await database.db.raw(`delete from dns.servers`);
    await database.db.raw(
      `insert into dns.servers (name, position, ipv4, ipv6) values
         ('ns1-2.ns.example.', 2, '192.0.2.2', null),
         ('ns1-1.ns.example.', 1, '192.0.2.1', '2001:db8::1')`,
    );
    const servers = await readFeed(database.db, FEED_START, (reading) =>
      Promise.resolve(reading.servers.servers),
    );

    expect(servers).toEqual([
      { name: 'ns1-1.ns.example.', ipv4: '192.0.2.1', ipv6: '2001:db8::1' },
      { name: 'ns1-2.ns.example.', ipv4: '192.0.2.2', ipv6: null },
    ]);
  });
});
