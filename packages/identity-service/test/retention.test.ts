import { beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '@zonewright/database';
import { insertAccessKey, runRetention } from '@zonewright/testkit';
import { retentionRules } from '@zonewright/accounts';
import { keyring, testSettings, useIdentity } from './use-identity.js';

const identity = useIdentity();
const DAY_MS = 24 * 60 * 60 * 1_000;
const NOW = Date.now();

/** Removes old rows with the rights of the service, as of this number of days from now. */
async function removeOld(days: number): Promise<Record<string, number>> {
  const db = openDatabase({
    url: identity.databaseUrl,
    applicationName: 'zonewright-test',
    maxConnections: 1,
  });
  try {
    return await runRetention(db, retentionRules(testSettings()), new Date(NOW + days * DAY_MS));
  } finally {
    await db.destroy();
  }
}

async function list(statement: string): Promise<unknown[]> {
  return (await identity.db.raw<{ rows: unknown[] }>(statement)).rows;
}

describe('Data that is removed with time', () => {
  beforeAll(async () => {
    const { user, accountDomainId } = identity.world;
    await insertAccessKey(identity.db, keyring, {
      id: 'deleted-key',
      userId: user.id,
      accountDomainId,
    });
    await identity.db.raw(
      `update identity.access_keys
          set status = 'deleted', deleted_at = ?, secret_sealed = null, secret_key_id = null
        where id = 'deleted-key'`,
      [new Date(NOW)],
    );
    await identity.db.raw(
      `insert into identity.signing_keys (id, secret_sealed, secret_key_id, retired_at)
       values ('retired', '\\x00', 'test', ?)`,
      [new Date(NOW)],
    );
    await identity.db.raw(
      `insert into identity.token_state (token_jti, user_id, revoked_at, expires_at)
       select 'jti-' || n, 'u', now(), ? from generate_series(1, 2500) as n`,
      [new Date(NOW)],
    );
  });

  it('removes nothing before its time', async () => {
    expect(await removeOld(0)).toEqual({
      'token-states': 0,
      'deleted-access-keys': 0,
      'purged-access-keys': 0,
      'retired-signing-keys': 0,
    });
  });

  it('removes the state of tokens a day after they expired, in batches', async () => {
    expect(await removeOld(1.01)).toMatchObject({ 'token-states': 2_500 });
  });

  it('D-ACC-30: purges a deleted key after ACCESS_KEY_PURGE_DAYS, and removes its row ACCESS_KEY_PURGED_DAYS later', async () => {
    const select = `select status from identity.access_keys where id = 'deleted-key'`;
    expect(await removeOld(31)).toMatchObject({
      'deleted-access-keys': 1,
      'purged-access-keys': 0,
    });
    expect(await list(select)).toEqual([{ status: 'purged' }]);
    expect(await removeOld(394)).toMatchObject({ 'purged-access-keys': 0 });
    expect(await removeOld(396)).toMatchObject({ 'purged-access-keys': 1 });
    expect(await list(select)).toEqual([]);
  });

  it('removes only retired signing keys, after SIGNING_KEY_RETIRED_DAYS', async () => {
    const [{ count } = { count: 0 }] = (await list(
      'select count(*) as count from identity.signing_keys',
    )) as { count: number }[];
    await identity.db.raw(
      `insert into identity.signing_keys (id, secret_sealed, secret_key_id, retired_at)
       values ('retired', '\\x00', 'test', ?) on conflict do nothing`,
      [new Date(NOW)],
    );
    expect(await removeOld(89)).toMatchObject({ 'retired-signing-keys': 0 });
    expect(await removeOld(91)).toMatchObject({ 'retired-signing-keys': 1 });
    expect(
      await list('select id from identity.signing_keys where retired_at is null'),
    ).toHaveLength(count);
  });
});
