import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import {
  RCODE,
  rcodeOf,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  TSIG_ERROR,
  wireToName,
} from '@zonewright/dns-records';
import {
  addNameservers,
  addRecord,
  addZone,
  sendQuery,
  deleteRecords,
  deleteZone,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  addPeer,
  askSigned,
  buildTransferQuery,
  KEYRING_TEXT,
  toText,
  transfer,
} from './support/peer.js';
import {
  readMetric,
  type RunningNameserver,
  startLoadedNameserver,
} from './support/running-nameserver.js';
import { TcpClient } from './support/tcp-client.js';

/** Servers with large zones start in each test, beside other tests. */
jest.setTimeout(180_000);
const database = useTestDatabase();
beforeAll(() => addNameservers(database.db));
// Without this each server would read the zones of all earlier tests.
afterEach(async () => {
  await database.db.raw('delete from dns.domains');
  await database.db.raw('delete from dns.peers');
});

const start = (variables: Record<string, string> = {}) =>
  startLoadedNameserver({
    DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
    TRANSFER_ENCRYPTION_KEYS: KEYRING_TEXT,
    NAMESERVER_FEED_POLL_INTERVAL_MS: '50',
    ...variables,
  });

let zones = 0;
const freshZone = () => `t${++zones}.example.`;
const www = (zone: string, number: number) => ({
  name: `www${number}.${zone}`,
  type: 'A',
  data: `192.0.2.${number % 256}`,
});

const LARGE_IMAGE = String(128 * 1024 * 1024);

/**
 * Adds a zone with this number of TXT records in one statement; each is one string of 255 octets, or several of them.
 */
async function addLargeZone(zone: string, records: number, strings = 1): Promise<string> {
  const id = await addZone(database.db, zone);
  const rdata = Buffer.from(`\xff${'x'.repeat(255)}`.repeat(strings), 'latin1');
  await database.db.raw(
    `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest)
     select cast(:id as uuid), concat('www', n, '.', cast(:zone as text)), 'TXT', 'x', cast(:rdata as bytea),
            sha256(cast(:rdata as bytea))
       from generate_series(1, cast(:records as integer)) as n`,
    { id, zone, records, rdata },
  );
  await database.db.raw('update dns.domains set record_count = ? where id = ?', [records, id]);
  return id;
}

/** Adds a zone with which a test notices that a server knows its peer. */
async function addSmallZone(): Promise<string> {
  const zone = freshZone();
  await addZone(database.db, zone);
  return zone;
}

/** Returns the stored reasons why a peer did not get zones. */
async function problemsOf(peerId: string): Promise<readonly string[]> {
  const { rows } = await database.db.raw<{ rows: { problem: string }[] }>(
    'select s.problem from dns.peer_status as s where s.peer_id = ? and s.problem is not null',
    [peerId],
  );
  return rows.map(({ problem }) => problem);
}

async function waitForSerial(server: RunningNameserver, zone: string, serial: number) {
  await waitFor(async () => {
    const { answers } = await sendQuery(server, zone, 'SOA');
    const [soa] = answers as readonly { data?: { serial?: number } }[];
    return soa?.data?.serial === serial;
  }, 60_000);
}

/** Waits for a transfer, because peers are read only at intervals. */
async function waitForTransfer(...query: Parameters<typeof transfer>) {
  return await waitFor(async () => {
    const result = await transfer(...query);
    return result.rcode === 0 && result;
  }, 60_000);
}

describe('AXFR (RFC 5936)', () => {
  it.each(['hmac-sha1', 'hmac-sha256', 'hmac-sha512'] as const)(
    's2.2: has the SOA first and last and each other record once, each message signed with %s',
    async (algorithm) => {
      const zone = freshZone();
      await addZone(database.db, zone, [
        www(zone, 1),
        { name: zone, type: 'MX', data: `mail.${zone}`, priority: 5 },
        { name: `sub.${zone}`, type: 'NS', data: `ns.sub.${zone}` },
        { name: `ns.sub.${zone}`, type: 'A', data: '192.0.2.9' },
        { name: `*.wild.${zone}`, type: 'TXT', data: '"text"', ttl: 60 },
      ]);
      const peer = await addPeer(database.db, { algorithm });
      const server = await start();
      const { records, messages } = await waitForTransfer(server, zone, { key: peer.key });
      expect(messages[0]?.questions).toHaveLength(1);
      expect(records[0]).toBe(`${zone} 3600 6 serial 100`);
      expect(records.at(-1)).toBe(records[0]);
      const inside = records.slice(1, -1).toSorted();
      expect(inside).toHaveLength(7);
      expect(inside.filter((text) => text.includes(' 6 '))).toEqual([]);
      expect(inside).toContain(`www1.${zone} 3600 1 c0000201`);
      expect(inside).toContain(`ns.sub.${zone} 3600 1 c0000209`);
      expect(inside).toContain(`*.wild.${zone} 60 16 0474657874`);
    },
  );

  it('is available to peers as soon as the nameserver is ready', async () => {
    const zone = freshZone();
    await addZone(database.db, zone, [www(zone, 1)]);
    const peer = await addPeer(database.db);
    const { rcode } = await transfer(await start(), zone, { key: peer.key });
    expect(rcode).toBe(0);
  });

  it('consists of messages of up to 64 KiB; later queries on the connection are answered after it', async () => {
    const zone = freshZone();
    await addLargeZone(zone, 2_000);
    const peer = await addPeer(database.db);
    const server = await start();
    const { records: got, messages } = await waitForTransfer(server, zone, { key: peer.key });
    expect(got).toHaveLength(2_000 + 2 + 2);
    expect(new Set(got).size).toBe(2_000 + 2 + 1);
    expect(messages.length).toBeGreaterThan(3);
    expect(messages.slice(1).every(({ questions }) => questions.length === 0)).toBe(true);

    const client = await TcpClient.connect(server);
    const { message } = buildTransferQuery(zone, { key: peer.key });
    const soa = buildTransferQuery(zone, { qtype: RR_TYPE.SOA }).message;
    client.send(message, soa);
    const all = await client.waitForMessages(messages.length + 1);
    expect(all[messages.length]?.readUInt16BE(4)).toBe(1);
    client.socket.destroy();
  });

  it('has one version, whatever changes in the meantime, and a slow reader delays nobody', async () => {
    const zone = freshZone();
    const id = await addLargeZone(zone, 1_000, 16);
    const peer = await addPeer(database.db);
    const server = await start({ NAMESERVER_IMAGE_BYTES: LARGE_IMAGE });
    await waitForTransfer(server, await addSmallZone(), { key: peer.key });
    const client = await TcpClient.connect(server);
    client.send(buildTransferQuery(zone, { key: peer.key }).message);
    await client.waitForMessages(1);
    client.socket.pause();
    for (let change = 0; change < 3; change++) {
      const name = `new${change}.${zone}`;
      await addRecord(database.db, id, { name, type: 'A', data: '192.0.2.1' });
      await waitForSerial(server, zone, 101 + change);
    }
    client.socket.resume();
    const records = await waitFor(() => {
      const all = client.messages().flatMap((message) => readMessage(message).answers);
      return all.length >= 1_000 + 4 && all.map(toText);
    }, 60_000);
    expect(records).toHaveLength(1_000 + 4);
    expect(records.at(-1)).toBe(`${zone} 3600 6 serial 100`);
    expect(records.filter((text) => text.startsWith('new'))).toEqual([]);
    client.socket.destroy();
  });

  it.each([
    ['without TSIG', {}, RCODE.REFUSED],
    ['of class CH', { qclass: RR_CLASS.CH }, RCODE.REFUSED],
  ])('is refused %s', async (_title, query, rcode) => {
    const zone = freshZone();
    await addZone(database.db, zone);
    const peer = await addPeer(database.db);
    const server = await start();
    await waitForTransfer(server, zone, { key: peer.key });
    const key = 'qclass' in query ? { key: peer.key } : {};
    expect((await transfer(server, zone, { ...query, ...key })).rcode).toBe(rcode);
    expect((await askSigned(server, zone, {})).answer.flags & 0x0f).toBe(RCODE.REFUSED);
  });

  it('is refused to other keys, from other addresses, and for zones of other peers; NOTAUTH without a zone', async () => {
    const [zone, other] = [freshZone(), freshZone()];
    const id = await addZone(database.db, zone);
    const otherId = await addZone(database.db, other);
    await database.db.raw(`update dns.domains set tenant_id = 'another' where id = ?`, [otherId]);
    const ours = await addPeer(database.db, { zoneIds: [id] });
    const all = await addPeer(database.db);
    const elsewhere = await addPeer(database.db, { networks: ['192.0.2.0/24'] });
    const none = await addPeer(database.db, { zoneIds: [] });
    const server = await start();
    await waitForTransfer(server, zone, { key: ours.key });
    const rcodeFor = async (name: string, { key }: typeof ours) =>
      (await transfer(server, name, { key })).rcode;
    expect(await rcodeFor(zone, all)).toBe(RCODE.NOERROR);
    expect(await rcodeFor(zone, elsewhere)).toBe(RCODE.REFUSED);
    expect(await rcodeFor(zone, none)).toBe(RCODE.REFUSED);
    expect(await rcodeFor(other, ours)).toBe(RCODE.REFUSED);
    expect(await rcodeFor(other, all)).toBe(RCODE.REFUSED);
    await waitFor(async () => (await problemsOf(elsewhere.id)).length > 0);
    expect(await problemsOf(elsewhere.id)).toEqual([
      expect.stringMatching(/^the key .* was refused from 127\.0\.0\.1,/),
    ]);
    expect(await rcodeFor('nowhere.example.', ours)).toBe(RCODE.NOTAUTH);
    expect(await rcodeFor(`sub.${zone}`, ours)).toBe(RCODE.NOTAUTH);
  });

  it('records in the database which record fits into no message', async () => {
    const zone = freshZone();
    const data = 'x'.repeat(64_900);
    await addZone(database.db, zone, [{ name: `large.${zone}`, type: 'TXT', data }]);
    const peer = await addPeer(database.db);
    const server = await start({ NAMESERVER_IMAGE_BYTES: LARGE_IMAGE });
    await waitForTransfer(server, await addSmallZone(), { key: peer.key });
    const client = await TcpClient.connect(server);
    client.send(buildTransferQuery(zone, { key: peer.key }).message);
    await waitFor(async () => (await problemsOf(peer.id)).length > 0);
    client.socket.destroy();
    expect(await problemsOf(peer.id)).toEqual([
      expect.stringMatching(
        new RegExp(`^the record large\\.${zone} TXT of \\d+ bytes does not fit into a`),
      ),
    ]);
  });

  it('has a limited number of slots, for which others wait', async () => {
    const zone = freshZone();
    await addLargeZone(zone, 4_000, 16);
    const peer = await addPeer(database.db);
    const server = await start({
      NAMESERVER_MAX_TRANSFERS_PER_PEER: '1',
      NAMESERVER_IMAGE_BYTES: LARGE_IMAGE,
    });
    await waitForTransfer(server, await addSmallZone(), { key: peer.key });
    const slow = await TcpClient.connect(server);
    slow.send(buildTransferQuery(zone, { key: peer.key }).message);
    await slow.waitForMessages(1);
    slow.socket.pause();
    let isDone = false;
    const second = transfer(server, zone, { key: peer.key }).then((result) => {
      isDone = true;
      return result;
    });
    // The first answer does not fit into the kernel's buffers for a reader that does not read, so the second one waits.
    expect((await sendQuery(server, zone, 'SOA')).rcode).toBe('NOERROR');
    const wasDone = isDone;
    slow.socket.destroy();
    expect((await second).rcode).toBe(0);
    expect(wasDone).toBe(false);
  });

  it('is cut off if the client reads nothing', async () => {
    const zone = freshZone();
    await addLargeZone(zone, 4_000, 16);
    const peer = await addPeer(database.db);
    const server = await start({
      NAMESERVER_TCP_IDLE_TIMEOUT_MS: '3000',
      NAMESERVER_IMAGE_BYTES: LARGE_IMAGE,
    });
    await waitForTransfer(server, await addSmallZone(), { key: peer.key });
    const client = await TcpClient.connect(server);
    client.send(buildTransferQuery(zone, { key: peer.key }).message);
    await client.waitForMessages(1);
    client.socket.pause();
    const cut = async () =>
      (await readMetric(server, 'zonewright_nameserver_transfers_total{result="cut"}')) > 0;
    await waitFor(cut, 60_000);
    client.socket.destroy();
  });
});

describe('IXFR (RFC 1995)', () => {
  it('s4: contains all changes, each step from SOA to SOA, and only the SOA for a client that is up to date', async () => {
    const zone = freshZone();
    const id = await addZone(database.db, zone, [www(zone, 1), www(zone, 2)]);
    const peer = await addPeer(database.db);
    const server = await start();
    await waitForTransfer(server, zone, { key: peer.key });
    await addRecord(database.db, id, www(zone, 3));
    await waitForSerial(server, zone, 101);
    await deleteRecords(database.db, id, `www1.${zone}`);
    await waitForSerial(server, zone, 102);
    const soa = (serial: number) => `${zone} 3600 6 serial ${serial}`;
    const { records } = await transfer(server, zone, { key: peer.key, from: 100 });
    expect(records).toEqual([
      ...[soa(102), soa(100), soa(101), `www3.${zone} 3600 1 c0000203`],
      ...[soa(101), `www1.${zone} 3600 1 c0000201`, soa(102), soa(102)],
    ]);
    expect((await transfer(server, zone, { key: peer.key, from: 102 })).records).toEqual([
      soa(102),
    ]);
    const late = await transfer(server, zone, { key: peer.key, from: 50 });
    expect(late.records).toHaveLength(2 + 2 + 2);
    expect(late.records[1]).not.toContain(' 6 ');
  });

  it('of a large zone, which is patched, has the same content', async () => {
    const zone = freshZone();
    const id = await addLargeZone(zone, 3_000);
    const peer = await addPeer(database.db);
    const server = await start();
    await waitForTransfer(server, zone, { key: peer.key });
    await addRecord(database.db, id, { ...www(zone, 7), type: 'A', data: '192.0.2.77' });
    await waitForSerial(server, zone, 101);
    const { records: got } = await transfer(server, zone, { key: peer.key, from: 100 });
    expect(got.slice(1, -1)).toEqual([
      ...[`${zone} 3600 6 serial 100`, `${zone} 3600 6 serial 101`],
      `www7.${zone} 3600 1 c000024d`,
    ]);
  });

  it('s4: over UDP contains the signed SOA, so that the client retries over TCP', async () => {
    const zone = freshZone();
    await addZone(database.db, zone);
    const peer = await addPeer(database.db);
    const server = await start();
    await waitForTransfer(server, zone, { key: peer.key });
    const { answer, fault } = await askSigned(server, zone, { key: peer.key, from: 1 });
    expect(fault).toBeUndefined();
    expect(answer.answers.map(({ type }) => type)).toEqual([RR_TYPE.SOA]);
    expect((await askSigned(server, zone, { key: peer.key })).answer.answers).toEqual([]);
  });
});

describe.each(['dgram', 'batch'])('TSIG (RFC 8945) over UDP by %s', (udp) => {
  it('s5.2: answers are signed; a wrong MAC, a wrong time and an unknown key are NOTAUTH with the reason', async () => {
    const zone = freshZone();
    await addZone(database.db, zone, [www(zone, 1)]);
    const server = await start({ NAMESERVER_UDP_TRANSPORT: udp });
    // Running threads also receive keys that are added later.
    const { key } = await addPeer(database.db);
    await waitForTransfer(server, zone, { key });
    const query = { qtype: RR_TYPE.SOA };
    const right = await askSigned(server, zone, { ...query, key });
    expect([right.fault, right.answer.answers.length]).toEqual([undefined, 1]);
    const wrong = { ...key, secret: Buffer.alloc(32, 1) };
    const forged = await askSigned(server, zone, { ...query, key: wrong });
    expect(forged.answer.tsig).toMatchObject({ error: TSIG_ERROR.BADSIG, mac: new Uint8Array() });
    const late = await askSigned(server, zone, { ...query, key, now: 1_000_000_000 });
    expect(late.answer.tsig).toMatchObject({ error: TSIG_ERROR.BADTIME });
    const unknown = { ...key, name: 'unknown.' };
    const strange = await askSigned(server, zone, { ...query, key: unknown });
    expect(strange.answer.tsig).toMatchObject({ error: TSIG_ERROR.BADKEY });
    for (const { answer } of [forged, late, strange]) {
      expect([rcodeOf(answer), answer.answers]).toEqual([RCODE.NOTAUTH, []]);
    }
  });
});

describe('NOTIFY (RFC 1996)', () => {
  it('is sent to peers at the start, and when they were changed, for zones whose current version they lack', async () => {
    const [zone, taken] = [freshZone(), freshZone()];
    await addZone(database.db, zone);
    const takenId = await addZone(database.db, taken);
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    try {
      await once(socket, 'listening');
      const notify = [{ address: '127.0.0.1', port: socket.address().port }];
      const peer = await addPeer(database.db, { notify });
      await database.db.raw(
        `insert into dns.peer_status (peer_id, domain_id, serial)
         select ?, d.id, d.serial from dns.domains as d where d.id = ?`,
        [peer.id, takenId],
      );
      const told: string[] = [];
      socket.on('message', (octets, { port, address }) => {
        const { questions } = readMessage(octets);
        told.push(wireToName(questions[0]!.name));
        octets[2]! |= 0x80;
        socket.send(octets, port, address);
      });
      await start();
      await waitFor(() => told.length > 0, 60_000);
      expect(told).toEqual([zone]);
      await database.db.raw('update dns.peers set updated_at = clock_timestamp()');
      await waitFor(() => told.length > 1, 60_000);
      expect(told).toEqual([zone, zone]);
    } finally {
      socket.close();
    }
  });
});

describe('A catalog (RFC 9432)', () => {
  it('s4: lists the zones of its peer, which alone can transfer it, and follows them', async () => {
    const [zone, later] = [freshZone(), freshZone()];
    const id = await addZone(database.db, zone);
    const peer = await addPeer(database.db, { hasCatalog: true });
    const other = await addPeer(database.db);
    const server = await start();
    const catalog = `${peer.id}.catalog.invalid.`;
    const { records } = await waitForTransfer(server, catalog, { key: peer.key });
    expect(records).toContain(`${catalog} 0 2 07696e76616c696400`);
    expect(records).toContain(`version.${catalog} 0 16 0132`);
    const memberOf = (zoneId: string) => `${zoneId.replaceAll('-', '')}.zones.${catalog} 0 12`;
    expect(records.filter((text) => text.startsWith(memberOf(id)))).toHaveLength(1);
    expect((await transfer(server, catalog, { key: other.key })).rcode).toBe(RCODE.REFUSED);
    // The catalog's records are not answered to other clients either (RFC 9432, section 6).
    for (const name of [catalog, `version.${catalog}`, `zones.${catalog}`]) {
      expect([name, (await sendQuery(server, name, 'SOA')).rcode]).toEqual([name, 'REFUSED']);
    }
    const soa = async (key: typeof peer.key) =>
      rcodeOf((await askSigned(server, catalog, { key, qtype: RR_TYPE.SOA })).answer);
    expect([await soa(other.key), await soa(peer.key)]).toEqual([RCODE.REFUSED, RCODE.NOERROR]);

    const laterId = await addZone(database.db, later);
    await deleteZone(database.db, id);
    const followed = await waitFor(async () => {
      const { records: now } = await transfer(server, catalog, { key: peer.key });
      const has = (zoneId: string) => now.some((text) => text.startsWith(memberOf(zoneId)));
      return has(laterId) && !has(id) && now;
    }, 60_000);
    expect(followed).not.toBe(false);
    await database.db.raw('delete from dns.peers where id = ?', [peer.id]);
    await waitFor(
      async () => (await sendQuery(server, catalog, 'SOA')).rcode === 'REFUSED',
      60_000,
    );
  });
});
