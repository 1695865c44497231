import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, hashPassword } from '@zonewright/database';
import {
  createRedisNamespace,
  describeWithRedis,
  insertUser,
  seededRandom,
  type TestUser,
} from '@zonewright/testkit';
import { AccessKeysClient } from './access-keys-client.js';
import { call, tokenOf } from './client.js';
import { derive, statusOf, storePassword } from './ends-of-tokens.js';
import {
  type RunningIdentity,
  startIdentity,
  useIdentity,
  waitUntilOnRedis,
  waitUntilReady,
} from './use-identity.js';

/** The number of rounds; `npm run test:faults` uses 1000. */
const ROUNDS = Number(process.env['ZONEWRIGHT_ATTACK_ROUNDS'] ?? 20);
const SEED = Number(process.env['ZONEWRIGHT_ATTACK_SEED'] ?? Date.now() % 1_000_000);
/** The maximum time for which the thief works before the password changes. */
const HEAD_START_MS = 40;
/** A round must end even if nothing refuses the thief. */
const AFTERWARDS_MS = 30;

describeWithRedis('A thief with a token or the old password, while the password is changed', () => {
  const redis = createRedisNamespace();
  const identity = useIdentity();
  let replicas: RunningIdentity[];
  let hashes: string[];

  beforeAll(async () => {
    const env = { REDIS_URL: redis.url, REDIS_KEY_PREFIX: redis.prefix };
    replicas = await Promise.all([1, 2].map(() => startIdentity(identity.databaseUrl, { env })));
    await Promise.all(replicas.map(waitUntilReady));
    await Promise.all(replicas.map(waitUntilOnRedis));
    hashes = await Promise.all(['one', 'two'].map(hashPassword));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await redis.clear();
  });

  it(
    `keeps no access (${ROUNDS} rounds, seed ${SEED})`,
    async () => {
      const random = seededRandom(SEED);
      const { accountDomainId } = identity.world;
      const user = await insertUser(identity.db, { accountDomainId });
      let password = user.password;
      for (let round = 0; round < ROUNDS; round += 1) {
        const loot = await steal(
          { ...user, password },
          {
            headStartMs: random() * HEAD_START_MS,
            change: () => changePassword(user.id, hashes[round % 2] ?? ''),
          },
        );
        password = round % 2 === 0 ? 'one' : 'two';
        const survivors = await survivorsOf(
          loot,
          user.id,
          await tokenOf(url(0), { ...user, password }),
        );
        await identity.db.raw('delete from identity.access_keys where user_id = ?', [user.id]);
        expect({ round, seed: SEED, survivors }).toEqual({ round, seed: SEED, survivors: [] });
      }
    },
    60_000 + ROUNDS * 1_000,
  );

  const url = (at: number) => replicas[at % 2]?.url ?? '';

  interface Loot {
    readonly tokens: Set<string>;
    /** The access keys that the password change found and can report to the operator. */
    keysBefore: readonly string[];
  }

  async function changePassword(userId: string, hash: string): Promise<string[]> {
    return await identity.db.transaction(async (transaction) => {
      await storePassword(transaction, userId, hash);
      return await keysOf(transaction, userId);
    });
  }

  async function steal(
    user: TestUser,
    { headStartMs, change }: { headStartMs: number; change: () => Promise<string[]> },
  ): Promise<Loot> {
    const stolen = await tokenOf(url(0), user);
    const loot: Loot = { tokens: new Set([stolen]), keysBefore: [] };
    const state = { isOver: false };
    const loops = [0, 1].flatMap((at) => [
      deriveOn(at, stolen, loot, state),
      logInOn(at, user, loot, state),
      makeKeysOn(at, stolen, state),
    ]);
    await delay(headStartMs);
    loot.keysBefore = await change();
    await delay(AFTERWARDS_MS);
    state.isOver = true;
    await Promise.all(loops);
    return loot;
  }

  interface State {
    readonly isOver: boolean;
  }

  async function deriveOn(at: number, from: string, { tokens }: Loot, state: State) {
    while (!state.isOver) {
      const token = await derive(url(at), from);
      if (token !== undefined) tokens.add(token);
      // The thief continues from the latest token, so that nothing refers to the stolen one.
      else if (tokens.size > 1) await delay(1);
      from = token ?? from;
    }
  }

  async function logInOn(at: number, user: TestUser, { tokens }: Loot, state: State) {
    while (!state.isOver) {
      await tokenOf(url(at), user).then(
        (token) => tokens.add(token),
        () => delay(1),
      );
    }
  }

  async function makeKeysOn(at: number, token: string, state: State) {
    const client = new AccessKeysClient(url(at), token);
    while (!state.isOver) {
      const made = await client.create({ status: 'inactive' }).catch(() => undefined);
      if (made === undefined) await delay(1);
      else await client.setStatus(made.accessKeyId, 'active');
    }
  }

  async function survivorsOf(loot: Loot, userId: string, asking: string): Promise<string[]> {
    const { tokens, keysBefore } = loot;
    const keys = await keysOf(identity.db, userId);
    const survivors = keys.filter((key) => !keysBefore.includes(key));
    for (const token of tokens) {
      const statuses = await Promise.all(replicas.map((replica) => statusOf(replica.url, token)));
      if (statuses.includes(200)) survivors.push(token);
    }
    // The owner with the new password is admitted everywhere.
    for (const { url } of replicas) {
      expect((await call(url, { path: `/v2.0/tokens/${asking}`, token: asking })).status).toBe(200);
    }
    return survivors;
  }
});

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function keysOf(db: Database, userId: string): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select id from identity.access_keys where user_id = ? and status = 'active'`,
    [userId],
  );
  return rows.map(({ id }) => id);
}
