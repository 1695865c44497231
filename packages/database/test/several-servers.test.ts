import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithPrivatePostgres, PrivatePostgres, waitFor } from '@zonewright/testkit';
import { type Database, NotificationListener, openDatabase } from '../src/index.js';

describeWithPrivatePostgres('a URL that names several servers', () => {
  let primary: PrivatePostgres;
  let standby: PrivatePostgres;
  const opened: Database[] = [];

  beforeAll(async () => {
    primary = await PrivatePostgres.start();
    standby = await primary.startStandby();
  }, 60_000);
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.destroy()));
    await standby.stop();
    await primary.stop();
  });

  /** Returns a URL with both servers in this order. */
  const urlOf = (first: PrivatePostgres, second: PrivatePostgres, attribute: string) =>
    first.url.replace(/(@[^/]*)(.*)$/, `$1,${new URL(second.url).host}$2`) +
    `?target_session_attrs=${attribute}`;

  function open(url: string): Database {
    const db = openDatabase({ url, applicationName: 'zonewright-test', maxConnections: 2 });
    opened.push(db);
    return db;
  }

  const isStandby = async (db: Database) => {
    const { rows } = await db.raw<{ rows: { answer: boolean }[] }>(
      'select pg_is_in_recovery() as answer',
    );
    return rows[0]?.answer;
  };

  it('any: the first server that responds; read-write: the first that accepts writes', async () => {
    expect(await isStandby(open(urlOf(standby, primary, 'any')))).toBe(true);
    expect(await isStandby(open(urlOf(standby, primary, 'read-write')))).toBe(false);
    expect(await isStandby(open(urlOf(primary, standby, 'primary')))).toBe(false);
  });

  it('a failed primary: requests fail until the standby is promoted, and then use it', async () => {
    const url = urlOf(primary, standby, 'read-write');
    const db = open(url);
    await db.raw('create table kept (id integer)');
    const heard: (string | undefined)[] = [];
    const listener = new NotificationListener({
      url,
      applicationName: 'zonewright-test',
      channel: 'news',
      onNotify: (payload) => heard.push(payload),
      onError: () => undefined,
    });
    listener.start();
    await waitFor(() => listener.isListening);

    await primary.halt();
    await expect(db.raw('insert into kept values (1)')).rejects.toThrow();
    // A standby accepts no writes, and clients get the same error as from the standby itself.
    await waitFor(async () => {
      const code = await db.raw('insert into kept values (1)').then(
        () => undefined,
        (error: unknown) => (error as { code?: string }).code,
      );
      return code === '25006';
    });
    await standby.query('select pg_promote()');
    await waitFor(async () =>
      db.raw('insert into kept values (2)').then(
        () => true,
        () => false,
      ),
    );
    await waitFor(() => listener.isListening);
    heard.length = 0;
    await db.raw(`select pg_notify('news', 'after')`);
    await waitFor(() => heard.includes('after'));
    await listener.stop();
  }, 60_000);

  it('a server that becomes read-only is replaced', async () => {
    // The new primary must be found; the former one has stopped.
    const db = open(urlOf(standby, primary, 'read-write'));
    await db.raw('select 1');
    await standby.query('alter system set default_transaction_read_only = on');
    await standby.query('select pg_reload_conf()');
    await waitFor(async () =>
      db.raw('insert into kept values (3)').then(
        () => false,
        (error: unknown) => (error as { code?: string }).code === '25006',
      ),
    );
    await standby.query('alter system reset default_transaction_read_only');
    await standby.query('select pg_reload_conf()');
    await waitFor(async () =>
      db.raw('insert into kept values (3)').then(
        () => true,
        () => false,
      ),
    );
  });
});
