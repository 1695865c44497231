import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertUser } from '@zonewright/testkit';
import { call, faultOf } from './client.js';
import { type RunningIdentity, startIdentity, useIdentity } from './use-identity.js';

const identity = useIdentity();
let running: RunningIdentity;

beforeAll(async () => {
  const env = { RATE_LIMITS: 'true', RATE_LIMIT_FAILED_PASSWORDS: '4', TRUST_PROXY: '1' };
  running = await startIdentity(identity.databaseUrl, { env });
});
afterAll(() => running.stop());

async function tryPassword(username: string, password: string, source: string) {
  return await call(running.url, {
    method: 'POST',
    path: '/v2.0/tokens',
    headers: { 'X-Forwarded-For': source },
    body: { auth: { passwordCredentials: { username, password } } },
  });
}

describe('Guessing passwords', () => {
  it('D-ACC-56: each account and source network has a budget, and the right password works elsewhere', async () => {
    const { accountDomainId } = identity.world;
    const { name, password } = await insertUser(identity.db, { accountDomainId });
    for (let n = 0; n < 4; n += 1) {
      // The network is counted, not the single address.
      expect((await tryPassword(name, `wrong-${n}`, `2001:db8:1:2::${n}`)).status).toBe(401);
    }
    for (const guess of ['wrong', password]) {
      const answer = await tryPassword(name, guess, '2001:db8:1:2:3::');
      expect(answer.status).toBe(429);
      expect((await faultOf(answer)).details).toMatch(/per HOUR$/);
      expect(Number(answer.headers['retryafter'])).toBeGreaterThan(3000);
    }
    expect((await tryPassword(name, password, '198.51.100.1')).status).toBe(200);
  });

  it('D-ACC-57: an unknown account is counted in the same way', async () => {
    for (let n = 0; n < 4; n += 1) {
      expect((await tryPassword('nobody', 'wrong', '192.0.2.1')).status).toBe(401);
    }
    expect((await tryPassword('nobody', 'wrong', '192.0.2.1')).status).toBe(429);
  });

  it.each(['a name that exists', 'a name that nobody has'])(
    'D-ACC-55: %s has one budget, whatever domain the request names, so that nobody learns which names exist',
    async (what) => {
      const { accountDomainId } = identity.world;
      const { name } = what.includes('exists')
        ? await insertUser(identity.db, { accountDomainId })
        : { name: 'absent' };
      const source = '192.0.2.77';
      for (let n = 0; n < 4; n += 1) {
        expect((await tryPassword(name, 'wrong', source)).status).toBe(401);
      }
      const domains = [undefined, { id: accountDomainId }, { id: 'other' }, { name: 'other' }];
      const statuses: number[] = [];
      for (const domain of domains) {
        const user = { name, password: 'wrong', domain };
        const answer = await call(running.url, {
          method: 'POST',
          path: '/v3/auth/tokens',
          headers: { 'X-Forwarded-For': source },
          body: { auth: { identity: { methods: ['password'], password: { user } } } },
        });
        statuses.push(answer.status);
      }
      expect(statuses).toEqual([429, 429, 429, 429]);
    },
  );

  it('D-ACC: right passwords do not use the budget', async () => {
    const { name, password } = identity.world.user;
    for (let n = 0; n < 10; n += 1) {
      expect((await tryPassword(name, password, '192.0.2.1')).status).toBe(200);
    }
    expect((await tryPassword(name, 'wrong', '192.0.2.1')).status).toBe(401);
  });

  it('an outage that prevents the verification of passwords does not use the budget', async () => {
    const { accountDomainId } = identity.world;
    const { name, password } = await insertUser(identity.db, { accountDomainId });
    await identity.db.raw('alter table identity.users rename to users_out_of_reach');
    try {
      for (let n = 0; n < 6; n += 1) {
        expect((await tryPassword(name, password, '192.0.2.1')).status).toBeGreaterThanOrEqual(500);
      }
    } finally {
      await identity.db.raw('alter table identity.users_out_of_reach rename to users');
    }
    expect((await tryPassword(name, password, '192.0.2.1')).status).toBe(200);
  });

  it('concurrent attempts are counted, too', async () => {
    const { accountDomainId } = identity.world;
    const { name } = await insertUser(identity.db, { accountDomainId });
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => tryPassword(name, `wrong-${n}`, '192.0.2.1')),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(4);
  });

  it('wrong passwords of its owner do not block an access key', async () => {
    const { user, accessKey } = identity.world;
    for (let n = 0; n < 5; n += 1) await tryPassword(user.name, 'wrong', '203.0.113.1');
    const answer = await call(running.url, {
      method: 'POST',
      path: '/v2.0/tokens',
      headers: { 'X-Forwarded-For': '203.0.113.1' },
      body: { auth: { apiAccessKeyCredentials: accessKey } },
    });
    expect(answer.status).toBe(200);
  });
});
