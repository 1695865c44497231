import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { openDatabase } from '../src/index.js';
import { useTestDatabase } from './support/test-database.js';

const database = useTestDatabase();

afterEach(() => {
  jest.restoreAllMocks();
});

describe('openDatabase', () => {
  it('connects only when it is used', async () => {
    const db = openDatabase({
      url: 'postgres://nobody@127.0.0.1:1/nothing',
      applicationName: 'zonewright-test',
      maxConnections: 1,
    });

    await expect(db.destroy()).resolves.toBeUndefined();
  });

  it('shows its name to the server, and its limits for statements and for pauses between them', async () => {
    const db = openDatabase({
      url: database.url,
      applicationName: 'zonewright-under-test',
      maxConnections: 1,
      statementTimeoutMs: 1_234,
    });
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `select current_setting('application_name') as name,
              current_setting('statement_timeout') as "timeout",
              current_setting('idle_in_transaction_session_timeout') as idle`,
    );
    await db.destroy();

    expect(rows).toEqual([{ name: 'zonewright-under-test', timeout: '1234ms', idle: '21234ms' }]);
  });

  it('returns bigint columns as numbers, and exact numbers as text', async () => {
    const { rows } = await database.db.raw<{ rows: unknown[] }>(
      `select 4294967295::bigint as serial, 1.10::numeric as exact, '{1}'::integer[] as list,
              'x'::bytea as octets, null::bigint as nothing`,
    );

    expect(rows).toEqual([
      {
        serial: 4_294_967_295,
        exact: '1.10',
        list: [1],
        octets: Buffer.from('x'),
        nothing: null,
      },
    ]);
  });

  it('a failed statement does not end its connection', async () => {
    const db = database.open({ maxConnections: 1 });
    const backends = new Set<unknown>();
    for (let round = 0; round < 25; round++) {
      await expect(db.raw('select from dns.nothing')).rejects.toThrow('does not exist');
      const { rows } = await db.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid');
      backends.add(rows[0]?.pid);
    }

    expect(backends.size).toBe(1);
  });

  it('prints nothing if the server is unavailable, because stdout belongs to the logger', async () => {
    const printed = (['log', 'warn', 'error', 'info'] as const).map((level) =>
      jest.spyOn(console, level).mockReturnValue(undefined),
    );
    const db = openDatabase({
      url: 'postgres://nobody@127.0.0.1:1/nothing',
      applicationName: 'zonewright-test',
      maxConnections: 1,
    });

    await expect(db.raw('select 1')).rejects.toThrow('ECONNREFUSED');
    await db.destroy();
    expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([]);
  });
});
