import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHANNELS, DATABASE_ROLES } from '../src/index.js';
import type { ListeningClient } from './support/listening-client.js';
import { useTestDatabase } from './support/test-database.js';

const database = useTestDatabase();
let listening: ListeningClient;

beforeAll(async () => {
  listening = await database.listen(CHANNELS.identity);
});

/** One row for each table, in an order in which they can be inserted; each row is deleted again. */
const ROWS: readonly (readonly [table: string, insert: string])[] = [
  ['account_domains', `(id, name) values ('d1', 'Default')`],
  ['users', `(id, account_domain_id, name) values ('u1', 'd1', 'ada')`],
  ['tenants', `(id, account_domain_id, name) values ('t1', 'd1', 'Tenant')`],
  ['services', `(id, name) values ('s1', 'DNS')`],
  ['service_types', `(service_id, type) values ('s1', 'ext:dns')`],
  ['endpoints', `(id, service_id, region, public_url) values ('e1', 's1', 'r', 'http://x/v1/')`],
  ['roles', `(id, name) values ('r1', 'admin')`],
  ['service_required_roles', `(service_id, role_id) values ('s1', 'r1')`],
  ['role_assignments', `(user_id, role_id) values ('u1', 'r1')`],
  ['tenant_services', `(tenant_id, service_id) values ('t1', 's1')`],
  [
    'access_keys',
    `(id, user_id, account_domain_id, algorithm, secret_sealed, secret_key_id, valid_from, valid_to)
       values ('A', 'u1', 'd1', 'HmacSHA256', '\\x00', 'e1', now(), now() + interval '1 day')`,
  ],
  ['signing_keys', `(id, secret_sealed, secret_key_id) values ('k1', '\\x00', 'e1')`],
];

describe('caches are emptied by NOTIFY', () => {
  it('every table of the schema is announced, except the uses of keys; token states are announced by name', async () => {
    const { rows } = await database.db.raw<{ rows: { name: string }[] }>(
      `select table_name as name from information_schema.tables where table_schema = 'identity'`,
    );

    // No cache contains these: last uses, the former users that only the database reads, and values that are only
    // shown.
    const others = [
      ...['access_key_uses', 'token_state', 'former_users'],
      ...['project_tags', 'default_projects'],
    ];
    expect([...ROWS.map(([table]) => table), ...others].sort()).toEqual(
      rows.map(({ name }) => name).sort(),
    );
  });

  it.each(ROWS)('a new row of %s is announced', async (table, insert) => {
    await database.db.raw(`insert into identity.${table} ${insert}`);

    expect(await listening.take()).toEqual([table]);
  });

  it.each(ROWS)('a change of %s is announced, once for the statement', async (table, insert) => {
    const column = /\((\w+)/.exec(insert)?.[1] ?? '';
    await database.db.raw(`update identity.${table} set ${column} = ${column}`);

    expect(await listening.take()).toEqual([table]);
  });

  it.each(ROWS)('a change of %s that is rolled back is not', async (table) => {
    const rollback = new Error('rollback');
    await expect(
      database.db.transaction(async (trx) => {
        await trx.raw(`delete from identity.${table} where false`);
        throw rollback;
      }),
    ).rejects.toBe(rollback);

    expect(await listening.take()).toEqual([]);
  });

  it.each([...ROWS].reverse())('a deleted row of %s is announced', async (table) => {
    await database.db.raw(`delete from identity.${table}`);

    expect(await listening.take()).toContain(table);
  });

  it('an emptied table is announced', async () => {
    await database.db.raw('truncate identity.signing_keys');

    expect(await listening.take()).toEqual(['signing_keys']);
  });

  it('announces each token whose state changes, in the transaction that changes it', async () => {
    const identityService = database.open({ role: DATABASE_ROLES.identityService });
    await identityService.transaction(async (trx) => {
      await trx.raw(`insert into identity.token_state (token_jti, user_id, expires_at)
        values ('one.0', 'u1', now()), ('two.0', 'u1', now())`);
      expect(await listening.take()).toEqual([]);
    });
    expect(await listening.take()).toEqual(['token_state:one.0', 'token_state:two.0']);

    await identityService.raw(
      `update identity.token_state set revoked_at = now() where token_jti = 'one.0'`,
    );
    expect(await listening.take()).toEqual(['token_state:one.0']);

    // The removed rows expired long ago.
    await identityService.raw('delete from identity.token_state');
    expect(await listening.take()).toEqual([]);
  });

  it('announces each table once for a transaction that changes several, whoever makes the changes', async () => {
    const operator = database.open({ role: DATABASE_ROLES.operator });
    await operator.transaction(async (trx) => {
      for (const statement of [
        `insert into identity.roles (id, name) values ('r1', 'admin')`,
        `insert into identity.roles (id, name) values ('r2', 'dns-admin')`,
        `insert into identity.services (id, name) values ('s1', 'DNS')`,
      ]) {
        await trx.raw(statement);
      }
    });

    expect(await listening.take()).toEqual(['roles', 'services']);
  });
});
