import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import {
  addNameservers,
  addZone,
  sendQuery,
  FakeClock,
  startProxy,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectEventually } from './support/expect-eventually.js';
import {
  readMetric,
  startLoadedNameserver,
  startNameserver,
} from './support/running-nameserver.js';

const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';
const database = useTestDatabase();
let folder = '';

beforeAll(async () => {
  await addNameservers(database.db);
  await addZone(database.db, 'kept.example.', [
    { name: 'www.kept.example.', type: 'A', data: '192.0.2.10' },
    { name: 'sub.*.deep.kept.example.', type: 'A', data: '192.0.2.12' },
  ]);
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-snapshot-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const file = () => join(folder, 'zones.snapshot');
const settings = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  NAMESERVER_SNAPSHOT_DIR: folder,
  NAMESERVER_SNAPSHOT_INTERVAL_SECONDS: '1',
});
const withDatabase = () => settings(database.urlAs(DATABASE_ROLES.nameserver));

/** Runs a nameserver until it has written a snapshot. */
async function writeSnapshot(): Promise<void> {
  const server = await startLoadedNameserver(withDatabase());
  await waitFor(
    async () =>
      (await readMetric(server, 'zonewright_nameserver_snapshot_written_timestamp_seconds')) > 0,
  );
  await server.stop();
}

/** Returns a snapshot as an earlier version would have written it: complete, but with a different layout. */
function withOlderImage(octets: Buffer): Buffer {
  const imageStart = 16 + octets.readUInt32BE(8);
  octets.writeInt32LE(octets.readInt32LE(imageStart) - 1, imageStart);
  return withChecksum(octets.subarray(0, octets.length - 32));
}

function withChecksum(content: Buffer): Buffer {
  return Buffer.concat([content, createHash('sha256').update(content).digest()]);
}

const answersOf = async (server: { host: string; port: number }, name: string) =>
  (await sendQuery(server, name, 'A')).answers.length;

describe('snapshot', () => {
  it('a start without PostgreSQL answers from the snapshot, and is ready', async () => {
    await writeSnapshot();
    const server = await startNameserver(settings(NOWHERE));
    expect(await answersOf(server, 'www.kept.example')).toBe(1);
    // An asterisk that is not the first label is an ordinary label (RFC 4592, section 2.1.1).
    expect(await answersOf(server, 'sub.*.deep.kept.example')).toBe(1);
    expect((await sendQuery(server, 'sub.any.deep.kept.example', 'A')).rcode).toBe('NOERROR');
    expect((await sendQuery(server, 'missing.kept.example', 'A')).rcode).toBe('NXDOMAIN');
    expect((await sendQuery(server, 'elsewhere.test', 'A')).rcode).toBe('REFUSED');
    expect((await fetch(`${server.operations}/readyz`)).status).toBe(200);
  });

  it('gets all changes since the snapshot when PostgreSQL is available again', async () => {
    await writeSnapshot();
    await addZone(database.db, 'late.example.', [
      { name: 'www.late.example.', type: 'A', data: '192.0.2.11' },
    ]);
    const { proxy, url } = await startProxy(database.urlAs(DATABASE_ROLES.nameserver));
    try {
      proxy.cut();
      const server = await startNameserver(settings(url));
      expect((await sendQuery(server, 'www.late.example', 'A')).rcode).toBe('REFUSED');
      proxy.restore();
      await expectEventually(async () => (await answersOf(server, 'www.late.example')) === 1);
      expect(await answersOf(server, 'www.kept.example')).toBe(1);
    } finally {
      await proxy.stop();
    }
  });

  it.each([
    [
      'an octet is changed',
      (octets: Buffer) => {
        octets[octets.length >> 1]! ^= 1;
        return octets;
      },
      'checksum',
    ],
    ['its image is of another version', (octets: Buffer) => withOlderImage(octets), 'layout'],
    ['it is cut off', (octets: Buffer) => octets.subarray(0, octets.length - 100), 'complete'],
    ['it is another file', () => Buffer.from('; a zone file, say\n'), 'not a snapshot'],
    ['it is empty', () => Buffer.alloc(0), 'complete'],
  ])('refuses a snapshot and uses the earlier one: %s', async (_, damage, reason) => {
    await writeSnapshot();
    const good = readFileSync(file());
    copyFileSync(file(), `${file()}.previous`);
    writeFileSync(file(), damage(Buffer.from(good)));
    const server = await startNameserver(settings(NOWHERE));
    expect(await answersOf(server, 'www.kept.example')).toBe(1);
    const refused = server.logLines.filter(({ msg }) => msg === 'a snapshot was rejected');
    expect(refused).toEqual([
      expect.objectContaining({ path: file(), reason: expect.stringContaining(reason) }),
    ]);
    expect(readFileSync(`${file()}.previous`)).toEqual(good);
  });

  it('a start without any complete snapshot is like one without snapshots: SERVFAIL', async () => {
    writeFileSync(file(), 'no snapshot, and longer than the header of one would be');
    const server = await startNameserver(settings(NOWHERE));
    expect((await sendQuery(server, 'www.kept.example', 'A')).rcode).toBe('SERVFAIL');
  });

  it('the earlier one is kept, and no other files remain', async () => {
    await writeSnapshot();
    await writeSnapshot();
    await expectEventually(() => existsSync(`${file()}.previous`));
    expect(readdirSync(folder).sort()).toEqual(['zones.snapshot', 'zones.snapshot.previous']);
  });

  it('a process that was started earlier never replaces the snapshot of a later one', async () => {
    const later = Date.now() + 3_600_000;
    const first = await startNameserver(withDatabase(), { clock: new FakeClock(later) });
    await waitFor(() => existsSync(file()));
    await first.stop();
    const { ino } = statSync(file());
    const second = await startLoadedNameserver(withDatabase());
    await waitFor(
      async () => (await readMetric(second, 'zonewright_nameserver_snapshot_failures_total')) > 0,
    );
    expect(statSync(file()).ino).toBe(ino);
  });

  it('if it cannot be written, a metric and a log line report this, and answers continue', async () => {
    writeFileSync(join(folder, 'file'), '');
    const server = await startLoadedNameserver({
      ...withDatabase(),
      NAMESERVER_SNAPSHOT_DIR: join(folder, 'file', 'below'),
    });
    await waitFor(
      async () => (await readMetric(server, 'zonewright_nameserver_snapshot_failures_total')) > 0,
    );
    expect(await answersOf(server, 'www.kept.example')).toBe(1);
  });
});
