import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { type Database, migrate, type Migration, MIGRATIONS } from '../src/index.js';
import { useTestDatabase } from './support/test-database.js';
import { insertZone } from './support/zones.js';

/** A migration as a later release may have it. */
const LATER: Migration = {
  name: '9001-record-colors',
  sql: `
    alter table dns.records add column color text;
    create table dns.colors (name text primary key);
    grant select on dns.colors to zonewright_dns_api;`,
  indexes: [
    { name: 'records_color', on: 'dns.records (domain_id, color) where color is not null' },
  ],
};
const LATER_LIST = [...MIGRATIONS, LATER];

const database = useTestDatabase();
async function readIndex(): Promise<unknown> {
  const { rows } = await database.db.raw<{ rows: unknown[] }>(
    `select i.indisvalid as "isValid", i.indisunique as "isUnique" from pg_index as i
      where i.indexrelid = to_regclass('dns.records_color')`,
  );
  return rows[0];
}

async function insertRecord(db: Database, domainId: string, data: string): Promise<void> {
  await db.raw(
    `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest)
     values (?, 'www.later.example.', 'TXT', ?, '\\x00', convert_to(?, 'UTF8'))`,
    [domainId, data, data],
  );
}

describe('a migration of a later release', () => {
  it('is applied alone, keeps rows, and builds its indexes while other programs write', async () => {
    const { db } = database;
    const domainId = await insertZone(db, { name: 'later.example.' });
    await insertRecord(db, domainId, 'before');
    const migrating = database.open();

    const withoutIndexes = [...MIGRATIONS, { ...LATER, indexes: [] }];
    expect(await migrate(migrating, { migrations: withoutIndexes })).toEqual([LATER.name]);

    // The index waits for this transaction, but later writers do not wait for the index.
    const older = await db.transaction();
    await insertRecord(older, domainId, 'older');
    const building = migrate(migrating, { migrations: LATER_LIST });
    await waitFor(async () => (await readIndex()) !== undefined);
    await insertRecord(db, domainId, 'meanwhile');
    expect(await readIndex()).toMatchObject({ isValid: false });
    await older.commit();

    expect(await building).toEqual([]);
    expect(await readIndex()).toEqual({ isValid: true, isUnique: false });
    const { rows } = await db.raw<{ rows: unknown[] }>(
      'select data, color from dns.records order by data',
    );
    expect(rows).toEqual(['before', 'meanwhile', 'older'].map((data) => ({ data, color: null })));
  });

  it('rebuilds an index that an interrupted run left invalid', async () => {
    const { db } = database;
    await migrate(db, { migrations: LATER_LIST });
    await insertZone(db, { name: 'interrupted.example.', records: 2 });
    await db.raw('drop index dns.records_color');
    await expect(
      db.raw('create unique index concurrently records_color on dns.records (domain_id)'),
    ).rejects.toMatchObject({ code: '23505' });
    expect(await readIndex()).toEqual({ isValid: false, isUnique: true });

    await migrate(db, { migrations: LATER_LIST });
    expect(await readIndex()).toEqual({ isValid: true, isUnique: false });
  });
});
