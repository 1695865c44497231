import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithPrivatePostgres, PrivatePostgres, waitFor } from '@zonewright/testkit';
import {
  type Database,
  DATABASE_ROLES,
  databaseUrl,
  FEED_START,
  isWithin,
  migrate,
  NotificationListener,
  openDatabase,
  parseHorizon,
  readFeed,
  withRole,
} from '../src/index.js';
import { createEmptyDatabase } from './support/test-database.js';
import { storedZones, ZoneCopy } from './support/zone-copy.js';
import { changeZone, deleteZone, insertZone } from './support/zones.js';

describeWithPrivatePostgres('the change feed, read on a streaming standby', () => {
  let primary: PrivatePostgres;
  let standby: PrivatePostgres;
  let db: Database;
  let replica: Database;
  let replicaUrl: string;

  beforeAll(async () => {
    primary = await PrivatePostgres.start();
    const { url } = await createEmptyDatabase(primary.url);
    const open = (databaseUrl: string) =>
      openDatabase({ url: databaseUrl, applicationName: 'zonewright-test', maxConnections: 6 });
    db = open(url);
    await migrate(db);
    standby = await primary.startStandby();
    replicaUrl = withRole(
      databaseUrl(standby.url, new URL(url).pathname.slice(1)),
      DATABASE_ROLES.nameserver,
    );
    replica = open(replicaUrl);
  }, 60_000);
  afterAll(async () => {
    await Promise.all([db.destroy(), replica.destroy()]);
    await standby.stop();
    await primary.stop();
  });

  /** Waits until the standby shows everything that the primary has committed. */
  async function standbyHasCaughtUp(): Promise<void> {
    const { rows } = await db.raw<{ rows: { lsn: string }[] }>(
      'select pg_current_wal_insert_lsn()::text as lsn',
    );
    await waitFor(async () => {
      const replayed = await replica.raw<{ rows: { done: boolean }[] }>(
        'select pg_last_wal_replay_lsn() >= ?::pg_lsn as done',
        [rows[0]?.lsn ?? ''],
      );
      return replayed.rows[0]?.done === true;
    });
  }

  it('works on a server that only replicates another', async () => {
    await expect(replica.raw('select pg_current_xact_id()')).rejects.toThrow(
      'cannot execute pg_current_xact_id() during recovery',
    );
  });

  it('a reader misses nothing if the transaction with the lower id commits last', async () => {
    const copy = new ZoneCopy();
    const early = await db.transaction();
    const late = await db.transaction();
    await insertZone(early, { name: 'early.example.', records: 1 });
    await insertZone(late, { name: 'late.example.', records: 1 });
    await late.commit();
    await standbyHasCaughtUp();
    expect(await copy.read(replica)).toContain('late.example.');

    // Many transactions later, the early one is still in progress, on the primary only.
    for (let index = 0; index < 20; index++) {
      await insertZone(db, { name: `between${index}.example.` });
    }
    await standbyHasCaughtUp();
    await copy.read(replica);
    expect(copy.zones).not.toHaveProperty(['early.example.']);
    // On a standby, PostgreSQL's snapshots omit the transactions in progress.
    const { rows } = await early.raw<{ rows: { id: string }[] }>(
      'select pg_current_xact_id()::text as id',
    );
    const earlyId = BigInt(rows[0]!.id);
    const isShown = () =>
      readFeed(replica, FEED_START, ({ horizon }) =>
        Promise.resolve(isWithin(parseHorizon(horizon), earlyId)),
      );
    expect(await isShown()).toBe(false);

    await early.commit();
    await standbyHasCaughtUp();
    await copy.read(replica);
    expect(copy.zones).toHaveProperty(['early.example.']);
    await waitFor(isShown);
    expect(copy.zones).toEqual(await storedZones(db));
  });

  it('a reader during many concurrent writes, with savepoints and rollbacks, ends with the same content', async () => {
    const copies = [new ZoneCopy('in one statement'), new ZoneCopy('in a transaction')];
    const write = async (writer: number) => {
      for (let round = 0; round < 25; round++) {
        const name = `w${writer}-${round % 4}.example.`;
        const trx = await db.transaction();
        const { rows } = await trx.raw<{ rows: { id: string }[] }>(
          'select id from dns.domains where name = ? and deleted_at is null',
          [name],
        );
        const [zone] = rows;
        await trx.transaction(async (savepoint) => {
          if (zone === undefined) await insertZone(savepoint, { name, records: round });
          else if (round % 5 === 4) await deleteZone(savepoint, zone.id);
          else await changeZone(savepoint, zone.id);
        });
        if (round % 7 === 6) await trx.rollback();
        else await trx.commit();
      }
    };

    const progress = { isDone: false };
    const writing = Promise.all([0, 1, 2, 3].map(write)).finally(() => (progress.isDone = true));
    while (!progress.isDone) for (const copy of copies) await copy.read(replica);
    await writing;
    await standbyHasCaughtUp();
    for (const copy of copies) {
      await copy.read(replica);
      expect(copy.zones).toEqual(await storedZones(db));
      expect(Object.keys(copy.zones).length).toBeGreaterThan(10);
    }
  });

  it('LISTEN is refused by the standby, and the listener reports this once', async () => {
    const errors: Error[] = [];
    const listener = new NotificationListener({
      url: replicaUrl,
      applicationName: 'zonewright-test-listener',
      channel: 'zonewright_dns',
      onNotify: () => undefined,
      onError: (error) => errors.push(error),
    });
    listener.start();
    await waitFor(() => errors.length > 0);
    await listener.stop();

    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: '25006' });
    expect(listener.isListening).toBe(false);
  });
});
