import { describe, expect, it } from '@jest/globals';
import {
  countPendingMigrations,
  createTemplateDatabase,
  createTestDatabase,
  databaseUrl,
  dropTemplateDatabase,
  openDatabase,
} from '../src/index.js';
import { serverUnderTest } from './support/test-database.js';

describe('template databases', () => {
  it('a copy has the whole schema, is separate, and is deleted even if somebody is connected', async () => {
    const { url: server } = serverUnderTest();
    const template = await createTemplateDatabase(server);
    const [one, other] = await Promise.all([
      createTestDatabase(server, template),
      createTestDatabase(server, template),
    ]);
    const open = (url: string) =>
      openDatabase({ url, applicationName: 'zonewright-test', maxConnections: 1 });
    const [first, second] = [open(one.url), open(other.url)];
    try {
      expect(await countPendingMigrations(first)).toBe(0);
      await first.raw(`insert into identity.roles (id, name) values ('r', 'admin')`);
      expect(await second('identity.roles').select('name')).toEqual([]);
    } finally {
      await one.drop();
      await other.drop();
      await dropTemplateDatabase(server, template);
      await Promise.all([first.destroy(), second.destroy()]);
    }

    const gone = open(one.url);
    await expect(gone.raw('select 1')).rejects.toMatchObject({ code: '3D000' });
    await gone.destroy();
  });

  it('databaseUrl keeps login, host and parameters', () => {
    expect(databaseUrl('postgres://u:p@h:1/postgres?sslmode=require', 'other')).toBe(
      'postgres://u:p@h:1/other?sslmode=require',
    );
  });
});
