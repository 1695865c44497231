import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  assignRole,
  createRedisNamespace,
  describeWithRedis,
  inTime,
  insertUser,
  newId,
  type RedisNamespace,
  startProxy,
  waitFor,
} from '@zonewright/testkit';
import { insertOperator } from './administration-calls.js';
import { type Answer, type Call, call, faultOf, FORMATS, parseXml, tokenOf } from './client.js';
import {
  type RunningIdentity,
  startIdentity,
  useIdentity,
  waitUntilOnRedis,
} from './use-identity.js';

const WINDOW_MS = 1_000;
const identity = useIdentity();
const LOW = {
  RATE_LIMITS: 'true',
  RATE_LIMIT_LIST_TENANTS: '5',
  RATE_LIMIT_AUTHENTICATE: '3',
  RATE_LIMIT_RESCOPE: '3',
  RATE_LIMIT_LEGACY_AUTHENTICATION: '3',
  RATE_LIMIT_CHANGE_ACCOUNTS: '3',
};

describeWithRedis('Rate limits (Identity s8)', () => {
  let redis: RedisNamespace;
  let replicas: [RunningIdentity, RunningIdentity];
  let token = '';

  beforeAll(async () => {
    redis = createRedisNamespace();
    const env = { ...LOW, REDIS_URL: redis.url, REDIS_KEY_PREFIX: redis.prefix, TRUST_PROXY: '1' };
    replicas = [
      await startIdentity(identity.databaseUrl, { env }),
      await startIdentity(identity.databaseUrl, { env }),
    ];
    token = await tokenOf(identity.url, identity.world.user);
    await Promise.all(replicas.map(waitUntilOnRedis));
  });
  beforeEach(() => redis.clear());
  afterAll(() => Promise.all(replicas.map((replica) => replica.stop())));

  /** Repeats requests that did not all get an answer within one window. @returns the responses by status */
  async function countInWindow(
    send: () => Promise<readonly Answer[]>,
  ): Promise<Record<number, number>> {
    return await waitFor(async () => {
      await redis.clear();
      const startedAt = performance.now();
      const counts: Record<number, number> = {};
      for (const { status } of await send()) counts[status] = (counts[status] ?? 0) + 1;
      const isInTime = performance.now() - startedAt < WINDOW_MS && counts[503] === undefined;
      if (isInTime) return counts;
      // What a process has counted alone ends with the window.
      await delay(WINDOW_MS);
      return undefined;
    });
  }

  /** Sends `count` requests at once, alternately to the two replicas, and counts the responses by status. */
  async function burst(
    count: number,
    request: (n: number) => Call,
  ): Promise<Record<number, number>> {
    return await countInWindow(() => sendAll(count, request));
  }

  async function sendAll(count: number, request: (n: number) => Call): Promise<Answer[]> {
    return await Promise.all(
      Array.from({ length: count }, (_, n) => call(replicas[n % 2]!.url, request(n))),
    );
  }

  async function limited(request: Call): Promise<Answer> {
    let answer: Answer | undefined;
    await waitFor(async () => {
      answer = await call(replicas[0].url, request);
      return answer.status === 429;
    });
    return answer!;
  }

  it('are exact across replicas, by token', async () => {
    const path = '/v2.0/tenants';
    expect(await burst(20, () => ({ path, token }))).toEqual({ 200: 5, 429: 15 });
    const other = await tokenOf(identity.url, identity.world.user);
    expect(await burst(4, () => ({ path, token: other }))).toEqual({ 200: 4 });
  });

  it('changes of accounts are limited by account domain, whichever of its administrators makes them', async () => {
    const { db, world } = identity;
    const { accountDomainId, roleIds } = world;
    const second = await insertUser(db, { accountDomainId });
    await assignRole(db, { userId: second.id, roleId: roleIds.admin });
    const tokens = await Promise.all(
      [world.administrator, second].map((user) => tokenOf(identity.url, user)),
    );
    const counts = await burst(12, (n) => ({
      method: 'POST',
      path: '/v3/projects',
      token: tokens[n % 2],
      body: { project: { name: newId() } },
    }));
    expect(counts).toEqual({ 201: 3, 429: 9 });
    const operator = await tokenOf(identity.url, await insertOperator(identity));
    const path = `/v3/projects/${world.tenant.id}`;
    const body = { project: { description: 'of the operator' } };
    expect(await burst(6, () => ({ method: 'PATCH', path, token: operator, body }))).toEqual({
      200: 6,
    });
  });

  it('the window is a second', async () => {
    const request = { path: '/v2.0/tenants', token };
    await inTime(1_500, async () => {
      await limited(request);
      await waitFor(async () => (await call(replicas[1].url, request)).status === 200);
    });
  });

  it('an invalid token counts for its source address', async () => {
    const bad = (n: number, source: string): Call => ({
      path: '/v2.0/tenants',
      token: `bad-${n}`,
      headers: { 'X-Forwarded-For': `203.0.113.99, ${source}` },
    });
    expect(await burst(12, (n) => bad(n, '192.0.2.1'))).toEqual({ 401: 5, 429: 7 });
    expect(await burst(4, (n) => bad(n, '192.0.2.2'))).toEqual({ 401: 4 });
  });

  it('Authenticate is limited by user name and tenant', async () => {
    const { user, tenant, secondTenant } = identity.world;
    const passwordCredentials = { username: user.name, password: user.password };
    const request = (tenantId: string): Call => ({
      method: 'POST',
      path: '/v2.0/tokens',
      body: { auth: { passwordCredentials, tenantId } },
    });
    expect(await burst(6, () => request(tenant.id))).toEqual({ 200: 3, 429: 3 });
    expect(await burst(2, () => request(secondTenant.id))).toEqual({ 200: 2 });
  });

  it('Authenticate: failures count for the source address, regardless of the names', async () => {
    const request = (n: number, source: string): Call => ({
      method: 'POST',
      path: '/v2.0/tokens',
      headers: { 'X-Forwarded-For': source },
      body: { auth: { apiAccessKeyCredentials: { accessKey: `K${n}`, secretKey: 'x' } } },
    });
    expect(await burst(9, (n) => request(n, '192.0.2.3'))).toEqual({ 401: 3, 429: 6 });
    const malformed = (): Call => ({ ...request(0, '192.0.2.4'), body: '<broken' });
    expect(await burst(9, malformed)).toEqual({ 400: 3, 429: 6 });
  });

  it('Rescope is limited by the token', async () => {
    const request: Call = {
      method: 'POST',
      path: '/v2.0/tokens',
      body: { auth: { token: { id: token } } },
    };
    expect(await burst(6, () => request)).toEqual({ 200: 3, 429: 3 });
  });

  it('Revoke is limited to one a second by X-Auth-Token, on all its paths together', async () => {
    const { user } = identity.world;
    const ids = await Promise.all([1, 2, 3].map(() => tokenOf(identity.url, user)));
    const paths = ['/v2.0/tokens/', '/v2.0/EXT-IDM/v1.0/tokens/', '/v2.0/HP-IDM/v1.0/tokens/'];
    const counts = await burst(3, (n) => ({ method: 'DELETE', path: paths[n]! + ids[n]!, token }));
    expect(counts[429]).toBe(2);
  });

  it('Legacy Authentication is limited by X-Auth-User, each path separately', async () => {
    const { user } = identity.world;
    const headers = { 'X-Auth-User': user.name, 'X-Auth-Key': user.password };
    expect(await burst(6, () => ({ path: '/v1.0', headers }))).toEqual({ 200: 3, 429: 3 });
    expect(await burst(2, () => ({ path: '/v1.1', headers }))).toEqual({ 200: 2 });
  });

  it.each(FORMATS)(
    'Identity s7: the response names the path and the time for a retry (%s)',
    async (accept) => {
      const answer = await limited({ path: '/v2.0/tenants?limit=1', token, accept });
      expect(answer.headers).toMatchObject({ retryafter: '1', 'retry-after': '1' });
      expect(await faultOf(answer)).toEqual({
        root: 'TooManyRequests',
        code: 429,
        message: 'This request was rate-limited',
        details: 'Exceeded the number of requests that can be made to /v2.0/tenants per SECOND',
      });
      if (accept === 'xml') {
        const { attributes, children } = await parseXml(answer.text);
        expect(attributes).toEqual({});
        expect(children.map(({ name }) => name)).toEqual(['message', 'code', 'details']);
      }
    },
  );

  it('D-ACC: version 3 uses the counters of version 2.0', async () => {
    const { user } = identity.world;
    const { name, password } = user;
    const requests: [number, Call, Call][] = [
      [
        3,
        {
          method: 'POST',
          path: '/v2.0/tokens',
          body: { auth: { passwordCredentials: { username: name, password } } },
        },
        {
          method: 'POST',
          path: '/v3/auth/tokens',
          body: {
            auth: { identity: { methods: ['password'], password: { user: { name, password } } } },
          },
        },
      ],
      [5, { path: '/v2.0/tenants', token }, { path: '/v3/auth/projects', token }],
      [5, { path: '/v3/auth/projects', token }, { path: `/v3/users/${user.id}/projects`, token }],
    ];
    for (const [limit, one, other] of requests) {
      await redis.clear();
      const counts = await burst(limit * 4, (n) => (n % 4 < 2 ? one : other));
      expect([other.path, counts[429]]).toEqual([other.path, limit * 3]);
    }
  });

  it('D-ACC-54: validation, versions, extensions and the v3 catalog have no limits', async () => {
    const subject = { headers: { 'X-Subject-Token': token } };
    const requests: Call[] = [
      { path: `/v2.0/tokens/${token}`, token },
      { method: 'HEAD', path: `/v2.0/tokens/${token}`, token },
      { path: `/v2.0/tokens/${token}/endpoints`, token },
      { path: '/v3/auth/tokens', token, ...subject },
      { path: '/v3/auth/catalog', token },
      ...['/', '/v2.0', '/v3', '/v2.0/extensions', '/openapi.json'].map((path) => ({ path })),
    ];
    for (const request of requests) {
      const answers = await sendAll(20, () => request);
      const limited = answers.filter(({ status }) => status === 429);
      expect([request.path, limited]).toEqual([request.path, []]);
    }
  });

  it('D-ACC: RATE_LIMITS=false turns all of them off', async () => {
    // The service of this file has no limits, regardless of their values.
    const many = () =>
      Promise.all(
        Array.from({ length: 60 }, () => call(identity.url, { path: '/v2.0/tenants', token })),
      );
    // However long they take, a limit would refuse the last of them.
    const answered = (await many()).map(({ status }) => status).filter((status) => status !== 503);
    expect(new Set(answered)).toEqual(new Set([200]));
    for (let count = 0; count < 3; count += 1) {
      const revoked = await tokenOf(identity.url, identity.world.user);
      const path = `/v2.0/tokens/${revoked}`;
      await waitFor(async () => {
        const { status } = await call(identity.url, { method: 'DELETE', path, token });
        expect([204, 503]).toContain(status);
        return status === 204;
      });
    }
  });

  it('X-Forwarded-For is ignored without TRUST_PROXY', async () => {
    const env = { ...LOW, REDIS_URL: redis.url, REDIS_KEY_PREFIX: redis.prefix };
    const direct = await startIdentity(identity.databaseUrl, { env });
    try {
      await waitUntilOnRedis(direct);
      const counts = await countInWindow(() =>
        Promise.all(
          Array.from({ length: 10 }, (_, n) =>
            call(direct.url, {
              path: '/v2.0/tenants',
              token: `bad-${n}`,
              headers: { 'X-Forwarded-For': `192.0.2.${n}` },
            }),
          ),
        ),
      );
      expect(counts).toEqual({ 401: 5, 429: 5 });
    } finally {
      await direct.stop();
    }
  });

  it('are never off: while Redis is unavailable each process counts alone', async () => {
    const { proxy, url } = await startProxy(redis.url);
    const env = { ...LOW, REDIS_URL: url, REDIS_KEY_PREFIX: redis.prefix };
    const alone = await startIdentity(identity.databaseUrl, { env });
    try {
      await waitUntilOnRedis(alone);
      proxy.cut();
      const fresh = await tokenOf(identity.url, identity.world.user);
      const counts = await countInWindow(() =>
        Promise.all(
          Array.from({ length: 12 }, () =>
            call(alone.url, { path: '/v2.0/tenants', token: fresh }),
          ),
        ),
      );
      expect(counts).toEqual({ 200: 5, 429: 7 });
    } finally {
      await alone.stop();
      await proxy.stop();
    }
  });
});
