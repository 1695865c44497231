import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Database,
  DATABASE_ROLES,
  FEED_START,
  type ReaderPosition,
  type FeedReading,
  type FeedRecord,
  readFeed,
  readFeedChanges,
} from '../src/index.js';
import { useTestDatabase } from './support/test-database.js';
import { changeZone, deleteZone, insertZone } from './support/zones.js';

const database = useTestDatabase();
let db: Database;

beforeAll(() => {
  db = database.open({ role: DATABASE_ROLES.nameserver, plansOnce: true });
});

const toPlace = ({ position, horizon, lineage = '' }: FeedReading): ReaderPosition => ({
  position,
  horizon,
  lineage,
});

/** Returns the position of a reader that has read everything that is committed now. */
async function here(): Promise<ReaderPosition> {
  return await readFeed(database.db, FEED_START, (reading) => Promise.resolve(toPlace(reading)));
}

/**
 * Returns the names that one statement shows after this position; undefined if it leaves the reading to a transaction.
 */
async function newsSince(place: ReaderPosition): Promise<string[] | undefined> {
  return (await readFeedChanges(db, place))?.changes.map(({ name }) => name);
}

async function recordsOf({ changes, records }: FeedReading): Promise<FeedRecord[]> {
  const ids = changes.flatMap(({ zone }) => (zone === undefined ? [] : [zone.domainId]));
  const all: FeedRecord[] = [];
  for await (const batch of records(ids)) all.push(...batch);
  return all;
}

describe('what changed, read in one statement', () => {
  it('is equal to the result of a transaction, in the same form and order', async () => {
    const place = await here();
    await insertZone(database.db, { name: 'empty.news.' });
    const id = await insertZone(database.db, { name: 'full.news.', records: 12 });
    const gone = await insertZone(database.db, { name: 'gone.news.', records: 1 });
    await database.db.transaction((trx) => changeZone(trx, id));
    await database.db.transaction((trx) => deleteZone(trx, gone));
    const news = await readFeedChanges(db, place);
    if (news === undefined) throw new Error('There is little to read.');
    expect(news.changes.find(({ name }) => name === 'gone.news.')?.zone).toBeUndefined();
    await readFeed(db, place.position, async (reading) => {
      const since = reading.changes.filter(({ name }) => name.endsWith('.news.'));
      expect(news.changes).toEqual(since);
      expect(await recordsOf(news)).toEqual(await recordsOf({ ...reading, changes: since }));
      expect(news.servers).toEqual(reading.servers);
      expect(news.lineage).toEqual(reading.lineage);
    });
  });

  it('shows no zone twice while an older transaction is in progress, and misses none of its changes', async () => {
    const before = await here();
    const early = await database.db.transaction();
    const id = await insertZone(early, { name: 'early.news.' });
    await insertZone(database.db, { name: 'late.news.' });
    const first = await readFeedChanges(db, before);
    expect(first?.changes.map(({ name }) => name)).toEqual(['late.news.']);
    const place = toPlace(first!);
    expect(await newsSince(place)).toEqual([]);
    await early.commit();
    expect(await newsSince(place)).toEqual(['early.news.']);
    await database.db.transaction((trx) => deleteZone(trx, id));
    await insertZone(database.db, { name: 'early.news.', records: 2 });
    const again = await readFeedChanges(db, place);
    expect(again?.changes).toMatchObject([{ name: 'early.news.', zone: { recordCount: 2 } }]);
  });

  it('ADR 0020: trusts the horizon only within its own lineage; positions are valid everywhere', async () => {
    const early = await database.db.transaction();
    await insertZone(early, { name: 'under-way.news.' });
    await insertZone(database.db, { name: 'seen.news.' });
    const place = await here();
    await early.rollback();
    expect(await newsSince(place)).toEqual([]);
    // Other transactions on the server may hold the position further back.
    expect(await newsSince({ ...place, lineage: 'other/00000001' })).toContain('seen.news.');
  });

  it.each([
    { zones: [999], isLittle: true },
    { zones: [1_000], isLittle: false },
    { zones: [500, 500], isLittle: false },
    { zones: Array<number>(100).fill(0), isLittle: true },
    { zones: Array<number>(101).fill(0), isLittle: false },
  ])('leaves many changes to a transaction: $zones.length zones', async (much) => {
    const place = await here();
    await database.db.transaction(async (trx) => {
      for (const records of much.zones) {
        await insertZone(trx, { name: `${crypto.randomUUID()}.news.`, records });
      }
    });
    const news = await readFeedChanges(db, place);
    expect(news?.changes.length).toBe(much.isLittle ? much.zones.length : undefined);
    if (news !== undefined) {
      expect(await recordsOf(news)).toHaveLength(much.zones.reduce((sum, each) => sum + each));
    }
  });

  it('leaves a wrong count of records to a transaction', async () => {
    const place = await here();
    const id = await insertZone(database.db, { name: 'wrong.news.', records: 2 });
    await database.db.raw('update dns.domains set record_count = 1 where id = ?', [id]);
    expect(await readFeedChanges(db, place)).toBeUndefined();
  });

  it('ADR 0004: has a plan that suits tables of any size', async () => {
    const one = database.open({ maxConnections: 1, plansOnce: true });
    await readFeedChanges(one, await here());
    const { rows } = await one.raw<{ rows: Record<'QUERY PLAN', string>[] }>(
      `explain execute "feed-news" ('1', '1/00000001', '1:1:', '[]')`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan using domains_changed_in .*\n.*Index Cond: \(changed_in >= /);
    expect(plan).toMatch(/Index Scan using domains_name\S* .*\n.*Index Cond: \(name = /);
    expect(plan).toMatch(/Index Scan using records_\S* .*\n.*Index Cond: \(domain_id = /);
    expect(plan).not.toMatch(/Seq Scan on (domains|records)|Bitmap|Hash .*Join/);
  });

  it('ADR 0020: leaves the reading to a transaction if the server does not report its lineage', async () => {
    const place = await here();
    await database.db.raw('revoke execute on function pg_control_system() from public');
    try {
      expect(await readFeedChanges(db, place)).toBeUndefined();
    } finally {
      await database.db.raw('grant execute on function pg_control_system() to public');
    }
    expect(await newsSince(place)).toEqual([]);
  });
});
