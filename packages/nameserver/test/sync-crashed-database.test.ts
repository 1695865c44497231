import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type Database,
  DATABASE_ROLES,
  migrate,
  openDatabase,
  withRole,
} from '@zonewright/database';
import { nameToWire } from '@zonewright/dns-records';
import { createLogger, readSettings, systemClock } from '@zonewright/service-kit';
import {
  addNameservers,
  addZone,
  describeWithPrivatePostgres,
  PrivatePostgres,
  TcpProxy,
  waitFor,
} from '@zonewright/testkit';
import { createSync, type Sync } from '../src/create-sync.js';
import { ImageWriter } from '../src/image/image-writer.js';
import { NAMESERVER_SETTINGS } from '../src/settings/settings.js';

/**
 * The number of transactions that PostgreSQL forgets in a crash: they were rolled back, and their log had not reached
 * the disk.
 */
const FORGOTTEN = 5;

describeWithPrivatePostgres('a database that crashed', () => {
  let server: PrivatePostgres;
  let proxy: TcpProxy;
  let db: Database;
  let sync: Sync;
  const image = ImageWriter.create(1_048_576);

  beforeAll(async () => {
    // With this setting, only a commit that waits for the disk writes the log.
    server = await PrivatePostgres.start(['wal_writer_delay = 10s']);
    db = openDatabase({ url: server.url, applicationName: 'zonewright-test', maxConnections: 2 });
    await migrate(db);
    await addNameservers(db);
    const url = new URL(withRole(server.url, DATABASE_ROLES.nameserver));
    proxy = new TcpProxy({ host: url.hostname, port: Number(url.port) });
    await proxy.start();
    url.port = String(proxy.port);
    sync = createSync({
      settings: readSettings(NAMESERVER_SETTINGS, {
        DATABASE_URL: url.href,
        NAMESERVER_STATUS_DATABASE_URL: withRole(server.url, DATABASE_ROLES.nameserver),
        NAMESERVER_FEED_POLL_INTERVAL_MS: '10',
      }),
      image,
      address: () => '127.0.0.1:53',
      clock: systemClock,
      log: createLogger('test', 'silent'),
    });
    sync.start();
    sync.startReporting();
    await waitFor(() => sync.status.isLoaded);
  }, 60_000);
  afterAll(async () => {
    await sync.stop();
    await db.destroy();
    await proxy.stop();
    await server.stop();
  });

  const current = async (expression: string) => {
    const { rows } = await db.raw<{ rows: { id: string }[] }>(`select ${expression}::text as id`);
    return BigInt(rows[0]!.id);
  };
  const isRead = async () => {
    const next = await current('pg_snapshot_xmax(pg_current_snapshot())');
    await waitFor(() => BigInt(sync.status.position) >= next);
  };

  it('ADR 0020: and reuses ids that were shown before: no zone is hidden', async () => {
    await addZone(db, 'before.example.');
    await isRead();
    await waitFor(() => image.zoneSerial(nameToWire('before.example.')) !== undefined);
    for (let n = 0; n < FORGOTTEN; n++) {
      const trx = await db.transaction();
      await trx.raw('select pg_current_xact_id()');
      await trx.rollback();
    }
    await isRead();
    const shown = BigInt(sync.status.position);
    proxy.cut();
    server.signal('SIGQUIT');
    await server.halt();
    await server.resume();
    await addZone(db, 'afterwards.example.');
    const changed = await current('(select max(d.changed_in::text::bigint) from dns.domains as d)');
    expect(changed).toBeLessThan(shown);
    while ((await current('pg_current_xact_id()')) <= shown);
    // The nameserver cannot read the database yet, and does not report that it answers with its data.
    const restarted = await current('(extract(epoch from now())::bigint + 1)');
    const heartbeat = `(select extract(epoch from s.heartbeat_at)::bigint from dns.nameserver_status as s)`;
    await waitFor(async () => (await current(heartbeat)) > restarted);
    const told = await current(`(select s.applied_before from dns.nameserver_status as s)`);
    expect(told).toBeLessThanOrEqual(changed);
    proxy.restore();
    await waitFor(() => image.zoneSerial(nameToWire('afterwards.example.')) !== undefined);
  }, 60_000);
});
