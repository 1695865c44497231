import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { describeWithPrivatePostgres, inTime, PrivatePostgres, waitFor } from '@zonewright/testkit';
import {
  type Database,
  DATABASE_ROLES,
  errorCode,
  isDatabaseUnavailable,
  listRefusals,
  openDatabase,
  violatedConstraint,
} from '../src/index.js';
import { Proxy } from './support/proxy.js';
import { serverUnderTest, useTestDatabase } from './support/test-database.js';

const database = useTestDatabase();
const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  while (cleanUp.length > 0) await cleanUp.pop()?.();
});

type Options = Partial<Parameters<typeof openDatabase>[0]>;

function open(options: Options): Database {
  const db = openDatabase({
    url: database.url,
    applicationName: 'zonewright-test',
    maxConnections: 1,
    ...options,
  });
  cleanUp.push(() => db.destroy());
  return db;
}

async function startProxy(): Promise<Proxy> {
  const proxy = new Proxy(database.url);
  await proxy.start();
  cleanUp.push(() => proxy.stop());
  return proxy;
}

async function failureOf(work: PromiseLike<unknown>): Promise<Error> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not fail.');
}

/** Returns the id of the backend that serves a pool of one connection. */
async function backendOf(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

describe('isDatabaseUnavailable, for temporary failures', () => {
  it('no server listens', async () => {
    const proxy = await startProxy();
    const { url } = proxy;
    await proxy.stop();
    const error = await failureOf(open({ url }).raw('select 1'));

    expect(errorCode(error)).toBe('ECONNREFUSED');
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('no server listens on any address of a name', async () => {
    const error = await failureOf(open({ url: 'postgres://u@localhost:1/d' }).raw('select 1'));

    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('the name of the server is unknown', async () => {
    const error = await failureOf(open({ url: 'postgres://u@db.invalid/d' }).raw('select 1'));

    expect(['ENOTFOUND', 'EAI_AGAIN']).toContain(errorCode(error));
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('the server does not respond: the attempt ends after 1.5 s', async () => {
    const proxy = await startProxy();
    proxy.stall();
    const error = await inTime(2_500, () => failureOf(open({ url: proxy.url }).raw('select 1')));

    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('the connection breaks during a statement', async () => {
    const proxy = await startProxy();
    const db = open({ url: proxy.url });
    const pid = await backendOf(db);
    const failing = failureOf(db.raw('select pg_sleep(30)'));
    await waitFor(async () => {
      const { rows } = await database.db.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where pid = ? and wait_event = 'PgSleep'`,
        [pid],
      );
      return rows.length === 1;
    });
    await proxy.stop();

    expect(isDatabaseUnavailable(await failing)).toBe(true);
    await database.db.raw('select pg_terminate_backend(?::integer)', [pid]);
  });

  it('the server ends the session during a statement (57P01), and the next statement gets a new session', async () => {
    const db = open({});
    const pid = await backendOf(db);
    const error = await failureOf(db.raw('select pg_terminate_backend(pg_backend_pid())'));

    expect(errorCode(error)).toBe('57P01');
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(await backendOf(db)).not.toBe(pid);
  });

  it('a connection of the pool that broke is detected before it is used again', async () => {
    const db = open({});
    const pid = await backendOf(db);
    await database.db.raw('select pg_terminate_backend(?::integer)', [pid]);
    await waitFor(async () => {
      const { rows } = await database.db.raw<{ rows: unknown[] }>(
        'select from pg_stat_activity where pid = ?',
        [pid],
      );
      return rows.length === 0;
    });

    expect(await waitFor(() => backendOf(db).catch(() => undefined))).not.toBe(pid);
  });

  it('all connections of the pool are in use', async () => {
    // This is long enough to open the first connection on a busy machine.
    const db = open({ acquireTimeoutMs: 2_000 });
    const trx = await db.transaction();
    const error = await failureOf(db.raw('select 1'));
    await trx.rollback();

    expect(error.name).toBe('KnexTimeoutError');
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('a statement exceeds its time limit (57014): the database is busy', async () => {
    const db = open({ statementTimeoutMs: 50 });
    const error = await failureOf(db.raw('select pg_sleep(5)'));

    expect(errorCode(error)).toBe('57014');
    expect(isDatabaseUnavailable(error)).toBe(true);
    await expect(db.raw('select 1')).resolves.toBeDefined();
  });

  it('a statement gets no response: it fails a second after its time limit, and its connection is not used again', async () => {
    const proxy = await startProxy();
    const db = open({ url: proxy.url, statementTimeoutMs: 50 });
    let pid = 0;
    const error = await inTime(2_500, async () => {
      pid = await backendOf(db);
      proxy.strand();
      return await failureOf(db.raw('select 1'));
    });
    expect(isDatabaseUnavailable(error)).toBe(true);

    expect(await backendOf(db)).not.toBe(pid);
  });

  it('the server is read-only (25006), for example after a failover', async () => {
    const db = open({});
    const error = await failureOf(
      db.transaction((trx) => trx.raw('delete from dns.records'), { readOnly: true }),
    );

    expect(errorCode(error)).toBe('25006');
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('the pool was already closed, because the service is stopping', async () => {
    const db = openDatabase({
      url: database.url,
      applicationName: 'zonewright-test',
      maxConnections: 1,
    });
    await db.destroy();

    expect(isDatabaseUnavailable(await failureOf(db.raw('select 1')))).toBe(true);
  });
});

describe('isDatabaseUnavailable, for failures that an operator must repair', () => {
  it.each([
    ['a wrong statement', 'selekt 1', '42601'],
    ['a missing table', 'select from dns.nothing', '42P01'],
    [
      'a violated constraint',
      `insert into dns.quotas (tenant_id, max_domains) values ('t', -1)`,
      '23514',
    ],
    ['a wrong value', `select 'x'::integer`, '22P02'],
  ])('%s', async (_, statement, code) => {
    const error = await failureOf(database.db.raw(statement));

    expect(errorCode(error)).toBe(code);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  it('a missing right', async () => {
    const db = database.open({ role: DATABASE_ROLES.nameserver, maxConnections: 1 });
    const error = await failureOf(db.raw('delete from dns.records'));

    expect(errorCode(error)).toBe('42501');
    expect(isDatabaseUnavailable(error)).toBe(false);
    expect(listRefusals().get('42501')).toBeGreaterThan(Date.now() - 10_000);
    expect(listRefusals().has('42P01')).toBe(false);
  });

  it('a missing database', async () => {
    const url = new URL(serverUnderTest().url);
    url.pathname = '/zonewright_no_such_database';
    const error = await failureOf(open({ url: url.toString() }).raw('select 1'));

    expect(errorCode(error)).toBe('3D000');
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

describe('errors of statements', () => {
  it('never contain the values, which may be secrets', async () => {
    const error = await failureOf(
      database.db.raw('select ?::integer from dns.nothing where true = ?', ['hunter2', true]),
    );

    expect(error.message).toContain('select $1::integer from dns.nothing');
    expect(error.message).not.toContain('hunter2');
  });

  it('name the violated constraint', async () => {
    const error = await failureOf(
      database.db.raw(`insert into dns.quotas (tenant_id, max_domains) values ('t', -1)`),
    );

    expect(violatedConstraint(error)).toBe('quotas_max_domains');
  });
});

describeWithPrivatePostgres('isDatabaseUnavailable, for a server that stops and starts', () => {
  let server: PrivatePostgres;

  beforeAll(async () => {
    server = await PrivatePostgres.start();
  }, 60_000);
  afterAll(async () => {
    await server.stop();
  });

  it('shutting down (57P03), which takes until the last session ends', async () => {
    const left = open({ url: server.url });
    await backendOf(left);
    server.signal('SIGTERM');
    const error = await waitFor(async () => {
      const found = await open({ url: server.url })
        .raw('select 1')
        .then(
          () => undefined,
          (reason: unknown) => reason,
        );
      return errorCode(found) === '57P03' && found;
    });
    expect(isDatabaseUnavailable(error)).toBe(true);

    await server.halt();
    await server.resume();
  });

  it('stopped during a statement, and started again', async () => {
    const db = open({ url: server.url });
    const pid = await backendOf(db);
    const failing = failureOf(db.raw('select pg_sleep(30)'));
    await server.halt();

    expect(isDatabaseUnavailable(await failing)).toBe(true);
    expect(isDatabaseUnavailable(await failureOf(db.raw('select 1')))).toBe(true);

    await server.resume();
    expect(await backendOf(db)).not.toBe(pid);
  });

  it('crashing during a statement', async () => {
    const db = open({ url: server.url });
    await backendOf(db);
    const failing = failureOf(db.raw('select pg_sleep(30)'));
    server.signal('SIGQUIT');

    expect(isDatabaseUnavailable(await failing)).toBe(true);
    await server.halt();
    await server.resume();
  });

  it('accepting no more connections (53300)', async () => {
    const owner = open({ url: server.url });
    await owner.raw(`create role limited login password 'limited' connection limit 1`);
    const url = new URL(server.url);
    url.username = 'limited';
    url.password = 'limited';
    await backendOf(open({ url: url.toString() }));
    const error = await failureOf(open({ url: url.toString() }).raw('select 1'));

    expect(errorCode(error)).toBe('53300');
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('a wrong password (28P01) does not count as unavailable', async () => {
    const url = new URL(server.url);
    url.password = 'wrong';
    const error = await failureOf(open({ url: url.toString() }).raw('select 1'));

    expect(errorCode(error)).toBe('28P01');
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
