import { describe, expect, it } from '@jest/globals';
import {
  countPendingMigrations,
  DATABASE_ROLES,
  generateKeyringText,
  openDatabase,
  parseKeyring,
  secretIdentity,
  verifyPassword,
} from '@zonewright/database';
import { seedIdentity, useTestDatabase } from '../src/index.js';

const one = useTestDatabase();
const other = useTestDatabase();

describe('useTestDatabase', () => {
  it('returns a separate database with the whole schema', async () => {
    await one.db.raw(`insert into identity.roles (id, name) values ('r', 'admin')`);

    expect(await countPendingMigrations(one.db)).toBe(0);
    expect(await other.db('identity.roles').select('name')).toEqual([]);
    expect(one.url).not.toBe(other.url);
  });

  it('urlAs acts only with the rights of a role', async () => {
    const db = openDatabase({
      url: one.urlAs(DATABASE_ROLES.nameserver),
      applicationName: 'zonewright-test',
      maxConnections: 1,
    });
    await expect(db.raw('select from identity.users')).rejects.toMatchObject({ code: '42501' });
    await db.destroy();
  });
});

describe('seedIdentity', () => {
  it('creates a world with valid credentials', async () => {
    const keyring = parseKeyring(generateKeyringText('test'));
    const { user, accessKey } = await seedIdentity(other.db, keyring);
    const { rows: users } = await other.db.raw<{ rows: { password_hash: string }[] }>(
      'select u.password_hash from identity.users as u where u.id = ?',
      [user.id],
    );
    const { rows: keys } = await other.db.raw<{ rows: { keyId: string; sealed: Buffer }[] }>(
      `select k.secret_key_id as "keyId", k.secret_sealed as sealed
         from identity.access_keys as k where k.id = ?`,
      [accessKey.accessKey],
    );

    expect(await verifyPassword(users[0]!.password_hash, user.password)).toBe(true);
    expect(keyring.open(keys[0]!, secretIdentity.accessKey(accessKey.accessKey)).toString()).toBe(
      accessKey.secretKey,
    );
  });
});
