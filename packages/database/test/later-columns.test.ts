import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, laterColumns, openDatabase, runPrepared } from '../src/index.js';
import { useTestDatabase } from './support/test-database.js';

const database = useTestDatabase();
let db: Database;

beforeAll(async () => {
  db = openDatabase({
    url: database.url,
    applicationName: 'zonewright-test',
    maxConnections: 1,
  });
  await db.raw('create table things (id integer primary key, name text)');
  await db.raw("insert into things values (1, 'one'), (2, 'two')");
});
afterAll(() => db.destroy());

it('finds a column null until there is one, in the same prepared statement', async () => {
  const later = laterColumns('t', { color: 'text', size: 'bigint' });
  const statement = {
    name: 'find-thing',
    text: `select t.id, later_t.color, later_t.size
             from things as o left join things as t on t.id = o.id and t.name <> 'two' ${later}
            where o.id = $1`,
  };
  const find = async (id: number) => await runPrepared(db, statement, [id]);

  expect(await find(1)).toEqual([{ id: 1, color: null, size: null }]);
  await db.raw("alter table things add column color text default 'red'");
  expect(await find(1)).toEqual([{ id: 1, color: 'red', size: null }]);
  await db.raw('alter table things add column size bigint default 7');
  expect(await find(1)).toEqual([{ id: 1, color: 'red', size: 7 }]);
  // Of a row that a left join does not find, too.
  expect(await find(2)).toEqual([{ id: null, color: null, size: null }]);
});
