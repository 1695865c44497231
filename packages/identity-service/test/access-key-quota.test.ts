import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAccessKey, insertUser, type TestUser, waitFor } from '@zonewright/testkit';
import { AccessKeysClient, keysOf } from './access-keys-client.js';
import { faultOf, FORMATS, tokenOf } from './client.js';
import { keyring, type RunningIdentity, startIdentity, useIdentity } from './use-identity.js';

const QUOTA = 5;

const identity = useIdentity();
let running: RunningIdentity;

beforeAll(async () => {
  const env = { ACCESS_KEY_QUOTA: String(QUOTA) };
  running = await startIdentity(identity.databaseUrl, { env });
});
afterAll(() => running.stop());

async function newOwner(): Promise<{ user: TestUser; keys: AccessKeysClient }> {
  const user = await insertUser(identity.db, { accountDomainId: identity.world.accountDomainId });
  return { user, keys: new AccessKeysClient(running.url, await tokenOf(running.url, user)) };
}

const entries = (count: number, extra: object = {}) => ({
  accessKeys: {
    accessKey: Array.from({ length: count }, () => ({
      secretKey: 's',
      algorithm: 'HmacSHA1',
      ...extra,
    })),
  },
});

describe('How many access keys there may be', () => {
  it.each(FORMATS)(
    'D-ACC: a user has at most ACCESS_KEY_QUOTA keys, however they were created (%s)',
    async (accept) => {
      const { keys } = await newOwner();
      expect((await keys.send('PUT', '', { body: entries(3) })).status).toBe(200);
      await keys.create();
      expect((await keys.send('PUT', '', { body: entries(2) })).status).toBe(413);
      await keys.create();
      const answer = await keys.send('POST', '', { accept, body: { accessKey: {} } });
      expect(await faultOf(answer)).toEqual({
        root: 'overLimit',
        code: 413,
        message: 'Over quota',
        details: 'a user can have at most 5 access keys, and this user has 5',
      });
      const [first] = await keys.list();
      await keys.send('DELETE', `/${first?.accessKeyId}`);
      await keys.create();
      expect(await keys.list()).toHaveLength(QUOTA);
    },
  );

  it('D-ACC: concurrent requests do not exceed the quota', async () => {
    const { keys } = await newOwner();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        n % 2 === 0
          ? keys.send('POST', '', { body: { accessKey: {} } })
          : keys.send('PUT', '', { body: entries(2) }),
      ),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].filter((status) => ![200, 201, 413, 503].includes(status))).toEqual([]);
    expect((await keys.list()).length).toBeLessThanOrEqual(QUOTA);
  });

  it("D-ACC: the owner's quota applies, not the importer's", async () => {
    const { user, keys } = await newOwner();
    const administrator = new AccessKeysClient(
      running.url,
      await tokenOf(running.url, identity.world.administrator),
    );
    const body = entries(QUOTA, { userId: user.id });
    expect((await administrator.send('PUT', '', { body })).status).toBe(200);
    expect((await administrator.send('PUT', '', { body })).status).toBe(413);
    expect(await keys.list()).toHaveLength(QUOTA);
  });

  it('D-ACC-33: deleted keys have a separate limit until they are purged', async () => {
    const { user, keys } = await newOwner();
    const { accountDomainId } = identity.world;
    for (let n = 0; n < QUOTA * 10; n += 1) {
      await insertAccessKey(identity.db, keyring, { userId: user.id, accountDomainId });
    }
    await identity.db.raw(
      `update identity.access_keys set status = 'deleted', secret_sealed = null, secret_key_id = null,
         deleted_at = now() where user_id = ?`,
      [user.id],
    );
    expect((await keys.send('POST', '', { body: { accessKey: {} } })).status).toBe(413);
  });

  it('D-ACC-33: an import contains at most 250 keys', async () => {
    const { keys } = await newOwner();
    const answer = await keys.send('PUT', '', { body: entries(251) });
    expect(await faultOf(answer)).toMatchObject({
      code: 400,
      details: expect.stringMatching(/at most 250/),
    });
  });

  it('a change that was answered with 503 is not made later', async () => {
    const { db } = identity;
    const { user, keys } = await newOwner();
    const { accessKeyId } = await keys.create();
    await db.raw(`
      create function identity.dawdle() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.7); return new; end $$;
      create trigger dawdle before insert or update on identity.access_keys
        for each row execute function identity.dawdle()`);
    try {
      expect((await keys.send('PUT', '', { body: entries(4) })).status).toBe(503);
      // This waits until none of the requests is in progress.
      await waitFor(async () => {
        const { rows } = await db.raw<{ rows: unknown[] }>(
          `select from pg_stat_activity where datname = current_database() and query ilike '%access_keys%'
             and state <> 'idle' and pid <> pg_backend_pid()`,
        );
        return rows.length === 0;
      }, 15_000);
    } finally {
      await db.raw('drop function identity.dawdle() cascade');
    }
    const { rows } = await db.raw<{ rows: { id: string }[] }>(
      'select id from identity.access_keys where user_id = ?',
      [user.id],
    );
    expect(rows).toEqual([{ id: accessKeyId }]);
  });
});

describe('Pages of access keys', () => {
  it('D-ACC-34: limit and marker give pages, oldest first, with a Link to the next one', async () => {
    const { keys } = await newOwner();
    await keys.send('PUT', '', { body: entries(QUOTA) });
    const all = (await keys.list()).map((key) => key.accessKeyId);
    const seen: string[] = [];
    let query = '?limit=2&export=true';
    for (let page = 0; page < 3; page += 1) {
      const answer = await keys.send('GET', query);
      seen.push(...keysOf(answer).map((key) => key.accessKeyId));
      const next = /^<([^>]*)>; rel="next"$/.exec(answer.headers['link'] ?? '')?.[1];
      expect(next === undefined).toBe(page === 2);
      query = next === undefined ? '' : new URL(next).search;
    }
    expect(seen).toEqual(all);
    for (const limit of ['0', '251', 'x', '-1']) {
      expect((await keys.send('GET', `?limit=${limit}`)).status).toBe(400);
    }
    const unknown = await keys.send('GET', '?marker=UNKNOWN');
    expect(await faultOf(unknown)).toMatchObject({
      code: 404,
      details: 'Marker in request not found',
    });
    // Another user's key gets the same answer as an unknown one.
    const foreign = await keys.send('GET', `?marker=${identity.world.accessKey.accessKey}`);
    expect(foreign.status).toBe(404);
  });

  it('D-ACC: a page ends after 250 keys, including those that the operator created', async () => {
    const { user, keys } = await newOwner();
    const { accountDomainId } = identity.world;
    for (let n = 0; n < 260; n += 1) {
      await insertAccessKey(identity.db, keyring, { userId: user.id, accountDomainId });
    }
    const answer = await keys.send('GET', '?export=true');
    expect(keysOf(answer)).toHaveLength(250);
    expect(answer.headers['link']).toMatch(/marker=/);
  });
});
