import { describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import {
  addNameservers,
  addRecord,
  addZone,
  sendQuery,
  deleteZone,
  type DnsResponse,
  increaseSerial,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { startLoadedNameserver } from './support/running-nameserver.js';

const database = useTestDatabase();

const startLoaded = () =>
  startLoadedNameserver({ DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver) });

const dataOf = ({ answers }: DnsResponse) =>
  answers.map((answer) => ('data' in answer ? answer.data : undefined)).sort();

// The tests run in this order: each one continues with the servers that the one before has left.
describe('the servers table', () => {
  it('before bootstrap zones are answered without nameservers', async () => {
    await addZone(database.db, 'zone.example.', [
      { name: 'www.zone.example.', type: 'A', data: '192.0.2.1' },
    ]);
    const server = await startLoaded();
    expect(dataOf(await sendQuery(server, 'www.zone.example', 'A'))).toEqual(['192.0.2.1']);
    expect((await sendQuery(server, 'zone.example', 'NS')).answers).toEqual([]);
    expect((await sendQuery(server, 'zone.example', 'SOA')).answers[0]).toMatchObject({
      data: { mname: '.' },
    });
  });

  it('D-NS: when the servers change, a zone shows this with its next serial, and not earlier', async () => {
    const server = await startLoaded();
    const serversShown = async () => (await sendQuery(server, 'zone.example', 'NS')).answers.length;
    await addNameservers(database.db, 'ns.example.');
    await waitFor(async () => (await sendQuery(server, 'ns.example', 'NS')).answers.length === 2);
    expect(await serversShown()).toBe(0);
    await increaseSerial(database.db, 'zone.example.');
    await waitFor(async () => (await serversShown()) === 2);
    await database.db.raw(
      `insert into dns.servers (name, position, ipv4) values ('ns1-3.ns.example.', 3, '192.0.2.3')`,
    );
    await waitFor(async () => (await sendQuery(server, 'ns.example', 'NS')).answers.length === 3);
    expect(await serversShown()).toBe(2);
    await increaseSerial(database.db, 'zone.example.');
    await waitFor(async () => (await serversShown()) === 3);
  });

  it('D-NS: SOA times behave in the same way; the nameserver domain shows them and its TTL at once', async () => {
    const server = await startLoaded();
    const minimumOf = async (name: string) => {
      const [soa] = (await sendQuery(server, name, 'SOA')).answers;
      return soa?.type === 'SOA' ? soa.data.minimum : undefined;
    };
    await database.db.raw(
      'update dns.service_settings set soa_minimum = 77, nameserver_domain_ttl = 78',
    );
    await waitFor(async () => (await minimumOf('ns.example')) === 77);
    expect((await sendQuery(server, 'ns1-1.ns.example', 'A')).answers[0]).toMatchObject({
      ttl: 78,
    });
    expect(await minimumOf('zone.example')).toBe(300);
    await increaseSerial(database.db, 'zone.example.');
    await waitFor(async () => (await minimumOf('zone.example')) === 77);
  });

  it('D-NS-8: the nameserver domain is answered, with addresses for each server', async () => {
    const server = await startLoaded();
    expect(dataOf(await sendQuery(server, 'ns1-1.ns.example', 'A'))).toEqual(['192.0.2.1']);
    expect(dataOf(await sendQuery(server, 'ns1-1.ns.example', 'AAAA'))).toEqual(['2001:db8::1']);
    expect(await sendQuery(server, 'ns1-2.ns.example', 'AAAA')).toMatchObject({
      rcode: 'NOERROR',
      answers: [],
    });
    expect((await sendQuery(server, 'ns.example', 'SOA')).answers[0]).toMatchObject({
      data: { mname: 'ns1-1.ns.example', rname: 'hostmaster.ns.example' },
    });
    expect((await sendQuery(server, 'ns1-9.ns.example', 'A')).rcode).toBe('NXDOMAIN');
  });

  it('D-NS: addresses of the servers are sent as additional data', async () => {
    const server = await startLoaded();
    const { additionals } = await sendQuery(server, 'zone.example', 'NS');
    expect(additionals.map(({ name, type }) => `${name} ${type}`)).toEqual(
      expect.arrayContaining(['ns1-1.ns.example A', 'ns1-1.ns.example AAAA', 'ns1-2.ns.example A']),
    );
  });

  it("our choice: a user's zone with the same name is answered too, but not in place of the servers table", async () => {
    const server = await startLoaded();
    const id = await addZone(database.db, 'ns.example.', [
      { name: 'www.ns.example.', type: 'A', data: '192.0.2.99' },
      { name: 'ns1-1.ns.example.', type: 'TXT', data: '"not for users"' },
      { name: 'ns1-2.ns.example.', type: 'A', data: '203.0.113.66' },
    ]);
    await waitFor(
      async () => (await sendQuery(server, 'www.ns.example', 'A')).answers.length === 1,
    );
    expect(dataOf(await sendQuery(server, 'ns1-1.ns.example', 'A'))).toEqual(['192.0.2.1']);
    expect(dataOf(await sendQuery(server, 'ns1-2.ns.example', 'A'))).toEqual(['192.0.2.2']);
    expect((await sendQuery(server, 'ns1-1.ns.example', 'TXT')).answers).toEqual([]);
    expect((await sendQuery(server, 'ns.example', 'NS')).answers).toHaveLength(3);

    await addRecord(database.db, id, { name: 'b.ns.example.', type: 'A', data: '192.0.2.98' });
    await waitFor(async () => (await sendQuery(server, 'b.ns.example', 'A')).answers.length === 1);

    await deleteZone(database.db, id);
    await waitFor(
      async () => (await sendQuery(server, 'www.ns.example', 'A')).rcode === 'NXDOMAIN',
    );
    expect(dataOf(await sendQuery(server, 'ns1-1.ns.example', 'A'))).toEqual(['192.0.2.1']);
  });

  it('when the nameserver domain is renamed, the old one is REFUSED', async () => {
    const server = await startLoaded();
    await database.db.raw(
      `update dns.nameserver_domain set name = 'other.example.', serial = serial + 1, changed_in = pg_current_xact_id()`,
    );
    await waitFor(
      async () => (await sendQuery(server, 'other.example', 'SOA')).rcode === 'NOERROR',
    );
    expect((await sendQuery(server, 'ns.example', 'SOA')).rcode).toBe('REFUSED');
  });
});
