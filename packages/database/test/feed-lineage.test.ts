import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithPrivatePostgres, PrivatePostgres, waitFor } from '@zonewright/testkit';
import {
  type Database,
  DATABASE_ROLES,
  databaseUrl,
  FEED_START,
  isAtOrBefore,
  migrate,
  openDatabase,
  readFeed,
  withRole,
} from '../src/index.js';
import { createEmptyDatabase } from './support/test-database.js';
import { insertZone } from './support/zones.js';

describeWithPrivatePostgres('the lineage of the feed', () => {
  let primary: PrivatePostgres;
  let standby: PrivatePostgres;
  let db: Database;
  let replica: Database;

  beforeAll(async () => {
    primary = await PrivatePostgres.start();
    const { url } = await createEmptyDatabase(primary.url);
    const open = (databaseUrl: string) =>
      openDatabase({ url: databaseUrl, applicationName: 'zonewright-test', maxConnections: 2 });
    db = open(url);
    await migrate(db);
    standby = await primary.startStandby();
    const { nameserver } = DATABASE_ROLES;
    replica = open(withRole(databaseUrl(standby.url, new URL(url).pathname.slice(1)), nameserver));
  }, 60_000);
  afterAll(async () => {
    await Promise.all([db.destroy(), replica.destroy()]);
    await standby.stop();
    await primary.stop();
  });

  const look = (server: Database) =>
    readFeed(server, FEED_START, ({ position, lineage, database, changes }) =>
      Promise.resolve({
        position,
        lineage,
        identity: database?.id,
        names: changes.map(({ name }) => name),
      }),
    );

  it("is the primary's on a standby, too", async () => {
    const { lineage, identity } = await look(db);
    expect(lineage).toMatch(/^\d+\/00000001\/\d+$/);
    expect(await look(replica)).toMatchObject({ lineage, identity });
    expect(identity).toMatch(/^[\da-f-]{36}$/);
  });

  it('changes when the standby is promoted, which positions alone do not show', async () => {
    const { rows } = await db.raw<{ rows: { lsn: string }[] }>(
      'select pg_current_wal_insert_lsn()::text as lsn',
    );
    await waitFor(async () => {
      const replayed = await replica.raw<{ rows: { done: boolean }[] }>(
        'select pg_last_wal_replay_lsn() >= ?::pg_lsn as done',
        [rows[0]!.lsn],
      );
      return replayed.rows[0]?.done === true;
    });
    // From now on the standby receives no changes, so the primary's later changes are lost with it.
    const promoter = openDatabase({
      url: standby.url,
      applicationName: 'zonewright-test',
      maxConnections: 1,
    });
    await promoter.raw('select pg_promote()');
    await promoter.destroy();
    await insertZone(db, { name: 'lost.example.' });
    const before = await look(db);
    const owner = openDatabase({
      url: databaseUrl(standby.url, await databaseName(replica)),
      applicationName: 'zonewright-test',
      maxConnections: 1,
    });
    for (let count = 0; count < 3; count++) {
      await insertZone(owner, { name: `kept${count}.example.` });
    }
    await owner.destroy();

    const after = await look(replica);
    expect(before.names).toContain('lost.example.');
    expect(after.names).not.toContain('lost.example.');
    expect(isAtOrBefore(before.position, after.position)).toBe(true);
    expect(after.lineage).toBe(before.lineage?.replace('00000001', '00000002'));
    // The database is still the one that nameservers answered from (ADR 0020).
    expect(after.identity).toBe(before.identity);
  });
});

async function databaseName(db: Database): Promise<string> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>('select current_database() as name');
  return rows[0]!.name;
}
