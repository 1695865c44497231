import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, DATABASE_ROLES } from '../src/index.js';
import { useTestDatabase } from './support/test-database.js';

const database = useTestDatabase();

beforeAll(async () => {
  await database.db.raw(`
    insert into identity.account_domains (id, name) values ('d1', 'Default');
    insert into identity.users (id, account_domain_id, name) values ('u1', 'd1', 'ada')`);
});

async function generation(): Promise<number | undefined> {
  const { rows } = await database.db.raw<{ rows: { generation: number }[] }>(
    `select credential_generation as generation from identity.users where id = 'u1'`,
  );
  return rows[0]?.generation;
}

async function familyOf(id: string): Promise<string> {
  const { rows } = await database.db.raw<{ rows: { family: string }[] }>(
    'select token_family as family from identity.access_keys where id = ?',
    [id],
  );
  return rows[0]?.family ?? '';
}

async function insertKey(id: string, status = 'active'): Promise<string> {
  await database.db.raw(
    `insert into identity.access_keys
       (id, user_id, account_domain_id, algorithm, secret_sealed, secret_key_id, status, valid_from, valid_to)
     values (?, 'u1', 'd1', 'HmacSHA256', '\\x00', 'e1', ?, now(), now() + interval '1 day')`,
    [id, status],
  );
  return await familyOf(id);
}

async function isEnded(family: string): Promise<boolean> {
  const { rows } = await database.db.raw<{ rows: unknown[] }>(
    `select from identity.token_state
      where token_jti = ? and revoked_at is not null and expires_at > now() + interval '11 hours'`,
    [family],
  );
  return rows.length === 1;
}

describe('The generation of credentials (ADR 0019)', () => {
  it.each([
    ['a new password', `password_hash = 'x'`, 1],
    ['a time before which tokens are invalid', 'tokens_valid_after = now()', 1],
    ['no password', 'password_hash = null', 1],
    ['the same values, or others', 'password_hash = password_hash, updated_at = now()', 0],
    ['another status', `status = 'disabled'`, 0],
  ])('%s', async (_what, change, begun) => {
    const before = (await generation()) ?? 0;
    await database.db.raw(`update identity.users set ${change} where id = 'u1'`);
    expect(await generation()).toBe(before + begun);
  });

  it.each([
    ['made', (trx: Database) => insertKeyIn(trx, 'being-made')],
    [
      'activated',
      (trx: Database) =>
        trx.raw(`update identity.access_keys set status = 'active' where id = 'sleeping'`),
    ],
  ])('a change waits for a key that is being %s and would otherwise miss it', async (_, make) => {
    await insertKey('sleeping', 'inactive');
    const service = database.open({ role: DATABASE_ROLES.identityService });
    const order: string[] = [];
    let change: Promise<unknown> = Promise.resolve();
    await service.transaction(async (trx) => {
      await make(trx);
      change = database.db
        .raw(`update identity.users set password_hash = gen_random_uuid() where id = 'u1'`)
        .then(() => order.push('changed'));
      await waitUntilBlocked();
      order.push('made');
    });
    await change;
    expect(order).toEqual(['made', 'changed']);
    await database.db.raw('delete from identity.access_keys');
  });

  async function insertKeyIn(trx: Database, id: string): Promise<void> {
    await trx.raw(
      `insert into identity.access_keys
         (id, user_id, account_domain_id, algorithm, secret_sealed, secret_key_id, valid_from, valid_to)
       values (?, 'u1', 'd1', 'HmacSHA256', '\\x00', 'e1', now(), now() + interval '1 day')`,
      [id],
    );
  }

  async function waitUntilBlocked(): Promise<void> {
    for (;;) {
      const { rows } = await database.db.raw<{ rows: unknown[] }>(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (rows.length > 0) return;
    }
  }
});

describe('The family of a key’s tokens (ADR 0019)', () => {
  it('differs for each key, and consists of the characters of tokens', async () => {
    const families = [await insertKey('k1'), await insertKey('k2')];
    for (const family of families) expect(family).toMatch(/^[\w-]{9}$/);
    expect(families[0]).not.toBe(families[1]);
  });

  it.each(['identity service', 'operator'])(
    'ends when the %s disables the key, and is replaced by a new one',
    async (who) => {
      const role = who === 'operator' ? DATABASE_ROLES.operator : DATABASE_ROLES.identityService;
      const db = database.open({ role });
      const id = `inactive-${role}`;
      const first = await insertKey(id);
      await db.raw(`update identity.access_keys set status = 'inactive' where id = ?`, [id]);
      expect(await isEnded(first)).toBe(true);
      const second = await familyOf(id);
      expect(second).not.toBe(first);
      await db.raw(`update identity.access_keys set status = 'active' where id = ?`, [id]);
      expect([await isEnded(second), await familyOf(id)]).toEqual([false, second]);
    },
  );

  it('ends with the row, and with that of its user', async () => {
    const family = await insertKey('removed');
    await database.db.raw(`delete from identity.access_keys where id = 'removed'`);
    expect(await isEnded(family)).toBe(true);
    const last = await insertKey('last');
    await database.db.raw(`delete from identity.users where id = 'u1'`);
    expect(await isEnded(last)).toBe(true);
  });
});
