import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertUser } from '@zonewright/testkit';
import { call } from './client.js';
import { type RunningIdentity, startIdentity, useIdentity } from './use-identity.js';

const identity = useIdentity();
let running: RunningIdentity;
/** Another replica, so that the first one must hash each password itself. */
let replica: RunningIdentity;

beforeAll(async () => {
  const env = { RATE_LIMITS: 'true', RATE_LIMIT_FAILED_PASSWORDS: '4', TRUST_PROXY: '1' };
  running = await startIdentity(identity.databaseUrl, { env });
  replica = await startIdentity(identity.databaseUrl, { env });
});
afterAll(() => Promise.all([running.stop(), replica.stop()]));

interface Attempt {
  readonly name: string;
  readonly password: string;
  readonly source: string;
  readonly mark?: string;
}

async function logIn({ name, password, source, mark }: Attempt, at = running) {
  const answer = await call(at.url, {
    method: 'POST',
    path: '/v2.0/tokens',
    headers: {
      'X-Forwarded-For': source,
      ...(mark === undefined ? {} : { 'X-Returning-Client': mark }),
    },
    body: { auth: { passwordCredentials: { username: name, password } } },
  });
  return { status: answer.status, mark: answer.headers['x-returning-client'] ?? '' };
}

async function newOwner(source: string) {
  const { accountDomainId } = identity.world;
  const { id, name, password } = await insertUser(identity.db, { accountDomainId });
  const { mark } = await logIn({ name, password, source, mark: 'new' }, replica);
  return { id, name, password, mark };
}

/** Uses up the attempts that a network has for one name. */
async function exhaust(name: string, source: string): Promise<void> {
  for (let n = 0; n < 4; n += 1) await logIn({ name, password: `wrong ${n}`, source });
  expect((await logIn({ name, password: 'wrong', source })).status).toBe(429);
}

describe('A client that logged in before', () => {
  it('logs in although others of its network guess this password', async () => {
    const source = '192.0.2.10';
    const { name, password, mark } = await newOwner(source);
    await exhaust(name, source);
    expect((await logIn({ name, password, source })).status).toBe(429);
    expect((await logIn({ name, password, source, mark })).status).toBe(200);
  });

  it('has a separate budget for wrong passwords, which a new mark does not reset', async () => {
    const source = '192.0.2.11';
    const { name, password, mark } = await newOwner(source);
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      statuses.push((await logIn({ name, password: 'wrong', source, mark })).status);
    }
    const { mark: next } = await logIn({ name, password, source, mark });
    for (let n = 0; n < 2; n += 1) {
      statuses.push((await logIn({ name, password: 'wrong', source, mark: next })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
    // Other clients of its network, and the client without its mark, are not affected.
    expect((await logIn({ name, password, source })).status).toBe(200);
  });

  it.each(['of another account', 'that was altered', 'of an earlier password'])(
    'a mark %s is worth nothing',
    async (what) => {
      const source = `192.0.2.${20 + what.length}`;
      const { id, name, password, mark } = await newOwner(source);
      const marks: Record<string, () => Promise<string>> = {
        'of another account': async () => (await newOwner('198.51.100.7')).mark,
        'that was altered': () => Promise.resolve(`${mark.slice(0, -6)}AAAAAA`),
        'of an earlier password': async () => {
          await identity
            .db('identity.users')
            .where({ id })
            .update({ tokens_valid_after: new Date() });
          return mark;
        },
      };
      const shown = (await marks[what]?.()) ?? '';
      await exhaust(name, source);
      expect((await logIn({ name, password, source, mark: shown })).status).toBe(429);
    },
  );

  it('gets a mark only with the right password, and only on request', async () => {
    const source = '192.0.2.12';
    const { name, password } = await newOwner(source);
    expect((await logIn({ name, password, source })).mark).toBe('');
    expect((await logIn({ name, password: 'wrong', source, mark: 'new' })).mark).toBe('');
  });
});
