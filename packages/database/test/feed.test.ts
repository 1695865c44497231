import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import {
  announceZoneChange,
  CHANNELS,
  type Database,
  DATABASE_ROLES,
  FEED_START,
  isAtOrBefore,
  isWithin,
  parseHorizon,
  readFeed,
} from '../src/index.js';
import type { ListeningClient } from './support/listening-client.js';
import { useTestDatabase } from './support/test-database.js';
import { storedZones, type WayToRead, ZoneCopy } from './support/zone-copy.js';
import { changeZone, deleteZone, insertZone } from './support/zones.js';

const database = useTestDatabase();

async function currentTransactionId(trx: Database): Promise<string> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    'select pg_current_xact_id()::text as id',
  );
  return rows[0]!.id;
}

describe('announceZoneChange', () => {
  let listening: ListeningClient;

  beforeAll(async () => {
    listening = await database.listen(CHANNELS.dns);
  });

  it('wakes the readers when the transaction commits, once for each zone', async () => {
    await database.db.transaction(async (trx) => {
      await announceZoneChange(trx, 'zone-1');
      await announceZoneChange(trx, 'zone-1');
      await announceZoneChange(trx, 'zone-2');
      expect(await listening.take()).toEqual([]);
    });

    expect(await listening.take()).toEqual(['zone-1', 'zone-2']);
  });

  it('a rollback wakes nobody', async () => {
    const rollback = new Error('rollback');
    await expect(
      database.db.transaction(async (trx) => {
        await announceZoneChange(trx, 'zone-1');
        throw rollback;
      }),
    ).rejects.toBe(rollback);

    expect(await listening.take()).toEqual([]);
  });
});

const WAYS: readonly WayToRead[] = ['in a transaction', 'in one statement'];

describe.each(WAYS)('the change feed, read %s', (way) => {
  beforeEach(async () => {
    await database.db.raw('delete from dns.domains');
  });

  it('the horizon of a reading shows committed changes, regardless of transactions in progress', async () => {
    const early = await database.db.transaction();
    const earlyId = BigInt(await currentTransactionId(early));
    const late = await database.db.transaction();
    const lateId = BigInt(await currentTransactionId(late));
    await late.commit();
    const readHorizon = () =>
      readFeed(database.db, FEED_START, ({ horizon }) => Promise.resolve(parseHorizon(horizon)));
    const whileUnderWay = await readHorizon();
    expect(isWithin(whileUnderWay, earlyId)).toBe(false);
    expect(isWithin(whileUnderWay, lateId)).toBe(true);
    await early.commit();
    expect(isWithin(await readHorizon(), earlyId)).toBe(true);
  });

  it('misses no change when the transaction with the lower id commits last', async () => {
    const copy = new ZoneCopy(way);
    const early = await database.db.transaction();
    const late = await database.db.transaction();
    await insertZone(early, { name: 'early.example.', records: 1 });
    await insertZone(late, { name: 'late.example.', records: 1 });
    const earlyId = await currentTransactionId(early);
    const lateId = await currentTransactionId(late);
    expect(isAtOrBefore(lateId, earlyId)).toBe(false);

    await late.commit();
    expect(await copy.read(database.db)).toContain('late.example.');
    expect(copy.zones).not.toHaveProperty(['early.example.']);
    // The position stays before the transaction that is in progress, regardless of how much has been read after it.
    expect(isAtOrBefore(copy.position, earlyId)).toBe(true);

    await early.commit();
    expect(await copy.read(database.db)).toContain('early.example.');
    expect(copy.zones).toEqual(await storedZones(database.db));
  });

  it('misses no change of a zone that two transactions change in the opposite order of their ids', async () => {
    const id = await insertZone(database.db, { name: 'twice.example.' });
    const copy = new ZoneCopy(way);
    const early = await database.db.transaction();
    await currentTransactionId(early);
    await database.db.transaction((trx) => changeZone(trx, id));
    await copy.read(database.db);
    // The zone's changed_in now goes back to an earlier id than the one that was read.
    await changeZone(early, id);
    await early.commit();
    await copy.read(database.db);

    expect(copy.zones['twice.example.']?.serial).toBe(3);
    expect(copy.zones).toEqual(await storedZones(database.db));
  });

  it('does not show changes that were rolled back', async () => {
    const copy = new ZoneCopy(way);
    const trx = await database.db.transaction();
    await insertZone(trx, { name: 'never.example.' });
    await copy.read(database.db);
    await trx.rollback();
    await copy.read(database.db);

    expect(copy.zones).not.toHaveProperty(['never.example.']);
    expect(copy.zones).toEqual(await storedZones(database.db));
  });

  it('shows a deleted zone as a name without a zone, and as the new zone after it was created again', async () => {
    const copy = new ZoneCopy(way);
    const first = await insertZone(database.db, { name: 'again.example.', records: 3 });
    await copy.read(database.db);
    expect(copy.zones['again.example.']?.records).toHaveLength(3);

    await database.db.transaction((trx) => deleteZone(trx, first));
    expect(await copy.read(database.db)).toContain('again.example.');
    expect(copy.zones).not.toHaveProperty(['again.example.']);

    await insertZone(database.db, { name: 'again.example.', records: 1 });
    expect(await copy.read(database.db)).toContain('again.example.');
    expect(copy.zones['again.example.']?.records).toHaveLength(1);

    // One reading shows both: a tombstone and a living row with the same name are one change.
    const fromStart = new ZoneCopy(way);
    const names = await fromStart.read(database.db);
    expect(names.filter((name) => name === 'again.example.')).toHaveLength(1);
    expect(fromStart.zones).toEqual(copy.zones);
  });

  it('shows a zone that was restored', async () => {
    const copy = new ZoneCopy(way);
    const id = await insertZone(database.db, { name: 'undelete.example.', records: 2 });
    await database.db.transaction((trx) => deleteZone(trx, id));
    await copy.read(database.db);
    await database.db.transaction(async (trx) => {
      await trx.raw('update dns.domains set deleted_at = null where id = ?', [id]);
      await changeZone(trx, id);
    });
    await copy.read(database.db);

    expect(copy.zones['undelete.example.']?.records).toHaveLength(3);
  });

  it('FEED_START shows every zone; a later position shows only changes, once no older transaction is in progress', async () => {
    const id = await insertZone(database.db, { name: 'position.example.' });
    const { rows } = await database.db.raw<{ rows: { names: number }[] }>(
      'select count(distinct name) as names from dns.domains',
    );
    const copy = new ZoneCopy(way);
    expect(copy.position).toBe(FEED_START);
    expect(await copy.read(database.db)).toHaveLength(rows[0]!.names);

    // Transactions of other databases on the server also hold the position back for a while.
    await waitFor(async () => (await copy.read(database.db)).length === 0);
    const quiet = copy.position;
    await database.db.transaction((trx) => changeZone(trx, id));
    expect(await copy.read(database.db)).toEqual(['position.example.']);
    expect(isAtOrBefore(quiet, copy.position)).toBe(true);
  });

  it('reveals by its position that another server answers, which is further behind', async () => {
    const copy = new ZoneCopy(way);
    await copy.read(database.db);
    const ahead = (BigInt(copy.position) + 1_000_000n).toString();
    copy.position = ahead;
    await copy.read(database.db);

    expect(isAtOrBefore(ahead, copy.position)).toBe(false);
  });

  it('shows one snapshot: changes that are committed while it is applied are in the next reading', async () => {
    const id = await insertZone(database.db, { name: 'snapshot.example.', records: 1 });
    const counts = await readFeed(database.db, FEED_START, async ({ changes, records }) => {
      await database.db.transaction((trx) => changeZone(trx, id));
      const zone = changes.find(({ name }) => name === 'snapshot.example.')?.zone;
      let seen = 0;
      for await (const batch of records([id])) seen += batch.length;
      return { counted: zone?.recordCount, seen };
    });

    expect(counts).toEqual({ counted: 1, seen: 1 });
  });

  it('returns each zone and record in the form that the nameserver reads', async () => {
    const id = await insertZone(database.db, { name: 'form.example.', records: 1 });
    await readFeed(database.db, FEED_START, async ({ changes, records }) => {
      expect(changes.find(({ name }) => name === 'form.example.')).toEqual({
        name: 'form.example.',
        zone: {
          domainId: id,
          name: 'form.example.',
          email: 'a@example.com',
          ttl: 3600,
          serial: 1,
          recordCount: 1,
          isSigned: false,
          apex: {
            servers: [],
            soa: {
              refreshSeconds: 14_400,
              retrySeconds: 3_600,
              expireSeconds: 1_209_600,
              minimumSeconds: 300,
            },
          },
        },
      });
      for await (const batch of records([id])) {
        expect(batch).toEqual([
          {
            domainId: id,
            name: 'r1.form.example.',
            type: 'A',
            ttl: null,
            rdata: Buffer.from([192, 0, 2, 1]),
          },
        ]);
      }
    });
  });

  it('can be read with the rights of the nameserver, and writes nothing', async () => {
    const db = database.open({ role: DATABASE_ROLES.nameserver });
    const copy = new ZoneCopy(way);
    await copy.read(db);

    expect(copy.zones).toEqual(await storedZones(database.db));
    await expect(
      readFeed(database.db, FEED_START, () =>
        Promise.reject(new Error('the error of the reader comes through')),
      ),
    ).rejects.toThrow('the error of the reader comes through');
  });
});

describe('records of the change feed', () => {
  /** Returns the batches of the given zones, each as pairs of [zone, number of records] in order. */
  async function batchesOf(ids: readonly string[]): Promise<[string, number][][]> {
    return await readFeed(database.db, FEED_START, async ({ records }) => {
      const batches: [string, number][][] = [];
      for await (const batch of records(ids)) {
        const zones: [string, number][] = [];
        for (const { domainId } of batch) {
          const last = zones.at(-1);
          if (last?.[0] === domainId) last[1]++;
          else zones.push([domainId, 1]);
        }
        batches.push(zones);
      }
      return batches;
    });
  }

  it('come in batches of bounded size, zone after zone', async () => {
    const sizes = [700, 700, 700, 2_500, 0, 1, 1_000];
    const ids: string[] = [];
    for (const [index, records] of sizes.entries()) {
      ids.push(await insertZone(database.db, { name: `batch${index}.example.`, records }));
    }
    const batches = await batchesOf(ids);

    const totals = batches.map((zones) => zones.reduce((sum, [, count]) => sum + count, 0));
    expect(Math.max(...totals)).toBeLessThanOrEqual(1_000);
    expect(totals.reduce((sum, count) => sum + count, 0)).toBe(5_601);
    const met: string[] = [];
    const counts: Record<string, number> = {};
    for (const [id, count] of batches.flat()) {
      if (met.at(-1) !== id) met.push(id);
      counts[id] = (counts[id] ?? 0) + count;
    }
    // Each zone occurs once, so its records are contiguous, even across batches.
    expect(met).toHaveLength(6);
    const expected = ids.map((id, index) => [id, sizes[index]]).filter(([, size]) => size !== 0);
    expect(counts).toEqual(Object.fromEntries(expected));
  });

  it('can be abandoned before the end', async () => {
    const id = await insertZone(database.db, { name: 'left.example.', records: 3_000 });
    const first = await readFeed(database.db, FEED_START, async ({ records }) => {
      for await (const batch of records([id])) return batch.length;
      return 0;
    });

    expect(first).toBe(1_000);
    expect(await batchesOf([id])).toHaveLength(3);
  });

  it('belong only to the requested zones, if there are any', async () => {
    const id = await insertZone(database.db, { name: 'few.example.', records: 2 });

    expect(await batchesOf([])).toEqual([]);
    expect(await batchesOf(['00000000-0000-4000-8000-000000000000'])).toEqual([]);
    expect(await batchesOf([id])).toEqual([[[id, 2]]]);
  });
});

describe.each(WAYS)('a reader during many concurrent writes, %s', (way) => {
  beforeEach(async () => {
    await database.db.raw('delete from dns.domains');
  });

  it('ends with the same content as the database', async () => {
    const writers = database.open({ role: DATABASE_ROLES.dnsApi, maxConnections: 6 });
    const copy = new ZoneCopy(way);
    const write = async (writer: number) => {
      for (let round = 0; round < 12; round++) {
        const name = `w${writer % 4}-${round % 3}.example.`;
        await writers.transaction(async (trx) => {
          // Some transactions get their id long before they commit.
          if (writer % 2 === 0) await currentTransactionId(trx);
          await trx.raw('select pg_advisory_xact_lock(hashtext(?))', [name]);
          const { rows } = await trx.raw<{ rows: { id: string }[] }>(
            'select id from dns.domains where name = ? and deleted_at is null',
            [name],
          );
          const [zone] = rows;
          if (zone === undefined) await insertZone(trx, { name, records: round });
          else if (round % 5 === 4) await deleteZone(trx, zone.id);
          else await changeZone(trx, zone.id);
        });
      }
    };

    const progress = { isDone: false };
    const writing = Promise.all([0, 1, 2, 3, 4, 5].map(write)).finally(
      () => (progress.isDone = true),
    );
    while (!progress.isDone) await copy.read(database.db);
    await writing;
    await copy.read(database.db);

    expect(copy.zones).toEqual(await storedZones(database.db));
  });
});
