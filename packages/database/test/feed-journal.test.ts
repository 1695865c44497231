import { describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES, FEED_START, readFeed } from '../src/index.js';
import { useTestDatabase } from './support/test-database.js';
import { insertZone } from './support/zones.js';

const database = useTestDatabase();

interface Row {
  readonly before: number | null;
  readonly after: number;
  readonly action: string;
  readonly images: readonly [before: object | null, after: object | null];
}

const create = (before: number, after: number, name: string): Row => ({
  before,
  after,
  action: 'record-create',
  images: [null, { name, type: 'A' }],
});

async function writeJournal(zoneId: string, rows: readonly Row[]): Promise<void> {
  for (const { before, after, action, images } of rows) {
    await database.db.raw(
      `insert into dns.zone_changes
              (domain_id, serial_before, serial_after, action, before, after, user_id, request_id)
       values (?, ?, ?, ?, cast(? as jsonb), cast(? as jsonb), 'user', 'request')`,
      [
        zoneId,
        before,
        after,
        action,
        ...images.map((each) => each && JSON.stringify(each)),
      ] as string[],
    );
  }
}

let made = 0;

/** The forms of names in signed zones, which these tests do not have. */
const NO_FORMS = { toKey: () => Buffer.alloc(0), toName: () => '' };

/**
 * Returns the changes that the feed shows of a new zone with two records and this journal, from serial 10 to
 * `toSerial`.
 */
async function changesOf(rows: readonly Row[], toSerial: number) {
  const name = `journal${++made}.example.`;
  const id = await insertZone(database.db, { name, records: 2 });
  await database.db.raw('update dns.domains set serial = ? where id = ?', [toSerial, id]);
  await writeJournal(id, rows);
  // The nameserver's role must be able to read the journal.
  const db = database.open({ role: DATABASE_ROLES.nameserver });
  return await readFeed(db, FEED_START, async ({ changes, recordChanges }) => {
    const zone = changes.find((change) => change.name === name)?.zone;
    if (zone === undefined) throw new Error('The zone is missing.');
    const found = await recordChanges(zone, 10, NO_FORMS);
    if (found === undefined) return undefined;
    const names = [...found.names].map((each) => each.replace(name, '@')).sort();
    const records = found.records.map((record) => record.name.replace(name, '@'));
    return { names, records };
  });
}

describe("what changed of a zone, by the zone's journal", () => {
  it('contains the names of all records before and after, the apex, and the current records', async () => {
    const rows: Row[] = [
      create(9, 10, 'old.x.'),
      create(10, 11, 'a.x.'),
      create(10, 11, 'b.x.'),
      { before: 11, after: 15, action: 'record-delete', images: [{ name: 'c.x.' }, null] },
      {
        before: 15,
        after: 16,
        action: 'record-update',
        images: [{ name: 'd.x.' }, { name: 'e.x.' }],
      },
      { before: 16, after: 17, action: 'domain-update', images: [{ ttl: 60 }, { ttl: 60 }] },
    ];
    expect(await changesOf(rows, 17)).toEqual({
      names: ['@', 'a.x.', 'b.x.', 'c.x.', 'd.x.', 'e.x.'],
      records: [],
    });
    expect(await changesOf([create(10, 11, `r1.journal${made + 1}.example.`)], 11)).toEqual({
      names: ['@', 'r1.@'],
      records: ['r1.@'],
    });
  });

  it.each<[string, readonly Row[], number]>([
    ['begins later', [create(11, 12, 'a.x.')], 12],
    ['ends earlier', [create(10, 11, 'a.x.')], 12],
    ['ends later', [create(10, 11, 'a.x.'), create(11, 12, 'a.x.')], 11],
    ['has a gap', [create(10, 11, 'a.x.'), create(12, 13, 'a.x.')], 13],
    ['is empty', [], 11],
    [
      "has a change of the zone's TTL",
      [{ before: 10, after: 11, action: 'domain-update', images: [{ ttl: 60 }, { ttl: 61 }] }],
      11,
    ],
    [
      'has more than changes of records',
      [{ before: 10, after: 11, action: 'domain-undelete', images: [{}, {}] }],
      11,
    ],
    [
      'has an image without a name',
      [{ before: 10, after: 11, action: 'record-delete', images: [null, null] }],
      11,
    ],
    ['has very many rows', Array.from({ length: 1_025 }, () => create(10, 11, 'a.x.')), 11],
  ])('is unavailable if the journal %s', async (_what, rows, toSerial) => {
    expect(await changesOf(rows, toSerial)).toBeUndefined();
  });
});
