import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type Database,
  errorCode,
  isDatabaseUnavailable,
  openDatabase,
  runPrepared,
} from '../src/index.js';
import { useTestDatabase } from './support/test-database.js';

const ECHO = { name: 'test-echo', text: 'select $1::int as number, $2::text as text' };
const DIVIDE = { name: 'test-divide', text: 'select 1 / $1::int as result' };

const database = useTestDatabase();
let db: Database | undefined;
afterEach(() => db?.destroy());

function open(url: string): Database {
  return (db = openDatabase({ url, applicationName: 'zonewright-test', maxConnections: 1 }));
}

describe('runPrepared', () => {
  it('returns the rows of a statement, repeatedly', async () => {
    const pool = open(database.url);
    for (const number of [1, 2])
      expect(await runPrepared(pool, ECHO, [number, null])).toEqual([{ number, text: null }]);
  });

  it('releases the only connection, also after an error of PostgreSQL', async () => {
    const pool = open(database.url);
    const error = await runPrepared(pool, DIVIDE, [0]).catch((reason: unknown) => reason);
    expect(errorCode(error)).toBe('22012');
    expect(await runPrepared(pool, DIVIDE, [1])).toEqual([{ result: 1 }]);
    expect(await pool.raw('select 1 as one')).toMatchObject({ rows: [{ one: 1 }] });
  });

  it('reports an unavailable PostgreSQL like other statements', async () => {
    const pool = open('postgres://nobody@127.0.0.1:1/nothing');
    const error = await runPrepared(pool, DIVIDE, [1]).catch((reason: unknown) => reason);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });
});
