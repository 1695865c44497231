import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAccessKey, insertUser } from '@zonewright/testkit';
import { setTimeout as delay } from 'node:timers/promises';
import { type Call, call } from './client.js';
import { keyring, type RunningIdentity, startIdentity, useIdentity } from './use-identity.js';

interface Owner {
  readonly id: string;
  readonly name: string;
  readonly password: string;
  readonly key: { readonly accessKey: string; readonly secretKey: string };
}

/** One more owner than there are ways to log in; nobody waits for the last one. */
const OWNERS = 9;
const WRONG_LOGINS_PER_SECOND = 100;
/** The duration of the attack on each owner before the owner logs in; `npm run test:faults` uses 700. */
const AIM_MS = Number(process.env['OWNER_AIMED_AT_MS'] ?? 250);
const OWNERS_ADDRESS = '2001:db8:77::1';

const identity = useIdentity();
let running: RunningIdentity;
let owners: Owner[] = [];

beforeAll(async () => {
  running = await startIdentity(identity.databaseUrl, {
    env: { RATE_LIMITS: 'true', TRUST_PROXY: '1' },
  });
});
afterAll(() => running.stop());

const xml = (text: string) => `<?xml version="1.0"?>${text}`;

/** Every way to log in. The credentials are right unless `wrong` is added to their secret. */
const FACES: Readonly<Record<string, (owner: Owner, wrong: string) => Call>> = {
  'password, v2 JSON': ({ name, password }, wrong) => ({
    method: 'POST',
    path: '/v2.0/tokens',
    body: { auth: { passwordCredentials: { username: name, password: password + wrong } } },
  }),
  'password, v2 XML': ({ name, password }, wrong) => ({
    method: 'POST',
    path: '/v2.0/tokens',
    body: xml(
      `<auth><passwordCredentials username="${name}" password="${password}${wrong}"/></auth>`,
    ),
  }),
  'password by name, v3': ({ name, password }, wrong) => ({
    method: 'POST',
    path: '/v3/auth/tokens',
    body: v3({ user: { name, password: password + wrong } }),
  }),
  'password by id, v3': ({ id, password }, wrong) => ({
    method: 'POST',
    path: '/v3/auth/tokens',
    body: v3({ user: { id, password: password + wrong } }),
  }),
  'access key, v2': ({ key }, wrong) => ({
    method: 'POST',
    path: '/v2.0/tokens',
    body: { auth: { apiAccessKeyCredentials: { ...key, secretKey: key.secretKey + wrong } } },
  }),
  'access key, v3': ({ key }, wrong) => ({
    method: 'POST',
    path: '/v3/auth/tokens',
    body: {
      auth: {
        identity: {
          methods: ['accessKey'],
          accessKey: { ...key, secretKey: key.secretKey + wrong },
        },
      },
    },
  }),
  'legacy headers': ({ name, password }, wrong) => ({
    path: '/v1.0',
    headers: { 'X-Auth-User': name, 'X-Auth-Key': password + wrong },
  }),
  'legacy headers, other path': ({ name, password }, wrong) => ({
    path: '/auth/v1.1',
    headers: { 'X-Auth-User': name, 'X-Auth-Key': password + wrong },
  }),
};
const FACE_NAMES = Object.keys(FACES);

function v3(password: object): object {
  return { auth: { identity: { methods: ['password'], password } } };
}

async function send(source: string, request: Call): Promise<number> {
  const headers = { ...request.headers, 'X-Forwarded-For': source };
  return (await call(running.url, { ...request, headers })).status;
}

/** Creates new owners, so that no password is known from an earlier login. */
async function insertOwners(): Promise<Owner[]> {
  const { accountDomainId } = identity.world;
  return await Promise.all(
    Array.from({ length: OWNERS }, async () => {
      const user = await insertUser(identity.db, { accountDomainId });
      const key = await insertAccessKey(identity.db, keyring, {
        userId: user.id,
        accountDomainId,
      });
      return { id: user.id, name: user.name, password: user.password, key };
    }),
  );
}

/**
 * Sends wrong logins with the names that `aim` chooses, until it is stopped. @returns the number of responses by status
 */
function flood(
  sourceOf: (n: number) => string,
  aim: () => Call,
): () => Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const underWay: Promise<void>[] = [];
  let n = 0;
  const timer = setInterval(() => {
    underWay.push(
      send(sourceOf(n), aim()).then((status) => {
        counts[status] = (counts[status] ?? 0) + 1;
      }),
    );
    n += 1;
  }, 1_000 / WRONG_LOGINS_PER_SECOND);
  return async () => {
    clearInterval(timer);
    await Promise.all(underWay);
    return counts;
  };
}

describe('The owner gets in (D-ACC)', () => {
  it.each<[string, (n: number) => string]>([
    ['one address', () => '192.0.2.1'],
    ['50 networks of IPv4', (n) => `198.51.100.${n % 50}`],
    ['50 networks of IPv6', (n) => `2001:db8:${(n % 50).toString(16)}:1::${n.toString(16)}`],
    ['a new /64 of one /48 for each', (n) => `2001:db8:99:${(n % 65_536).toString(16)}::1`],
  ])(
    'is admitted at the first attempt, by every way to log in, while wrong logins come from %s',
    async (_, sourceOf) => {
      owners = await insertOwners();
      let now = 0;
      const faceOf = (n: number) => FACE_NAMES[n % FACE_NAMES.length]!;
      const request = (wrong: string) => FACES[faceOf(now)]!(owners[now]!, wrong);
      const stop = flood(sourceOf, () => request(' wrong'));
      const answers: string[] = [];
      for (; now < OWNERS - 1; now += 1) {
        await delay(AIM_MS);
        answers.push(`${faceOf(now)}: ${await send(OWNERS_ADDRESS, request(''))}`);
      }
      const counts = await stop();
      process.stdout.write(`wrong logins were answered ${JSON.stringify(counts)}\n`);
      expect(answers.filter((answer) => !/: 20[01]$/.test(answer))).toEqual([]);
      expect(counts[200] ?? 0).toBe(0);
    },
    60_000,
  );
});

describe('One account, one budget (D-ACC)', () => {
  it('guesses by name and by id count together', async () => {
    owners = await insertOwners();
    const limited = await startIdentity(identity.databaseUrl, {
      env: { RATE_LIMITS: 'true', RATE_LIMIT_FAILED_PASSWORDS: '4', TRUST_PROXY: '1' },
    });
    const statuses: number[] = [];
    for (const face of ['password, v2 JSON', 'password by id, v3', 'legacy headers'] as const) {
      for (let n = 0; n < 3; n += 1) {
        const request = FACES[face]!(owners[0]!, ` wrong ${n}`);
        const headers = { ...request.headers, 'X-Forwarded-For': `2001:db8:1:2::${n}` };
        statuses.push((await call(limited.url, { ...request, headers })).status);
      }
    }
    await limited.stop();
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429, 429, 429, 429]);
  });

  it('right logins by name, by id and by access key count together', async () => {
    owners = await insertOwners();
    const limited = await startIdentity(identity.databaseUrl, {
      env: { RATE_LIMITS: 'true', RATE_LIMIT_AUTHENTICATE: '3', TRUST_PROXY: '1' },
    });
    const faces = ['password by name, v3', 'password by id, v3', 'access key, v2'];
    const requests = faces.flatMap((face) =>
      [1, 2, 3].map(() => call(limited.url, FACES[face]!(owners[0]!, ''))),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    await limited.stop();
    expect(statuses.filter((status) => status === 429)).toHaveLength(6);
  });

  it('one /64 of IPv6 is one source', async () => {
    const limited = await startIdentity(identity.databaseUrl, {
      env: { RATE_LIMITS: 'true', RATE_LIMIT_AUTHENTICATE: '10', TRUST_PROXY: '1' },
    });
    const guess = (n: number) =>
      call(limited.url, {
        method: 'POST',
        path: '/v2.0/tokens',
        headers: { 'X-Forwarded-For': `2001:db8:5:6::${n.toString(16)}` },
        body: { auth: { apiAccessKeyCredentials: { accessKey: `K${n}`, secretKey: 'x' } } },
      });
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => guess(n)));
    await limited.stop();
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(20);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(80);
  });

  it('many right logins behind one address do not count against it', async () => {
    owners = await insertOwners();
    const limited = await startIdentity(identity.databaseUrl, {
      env: { RATE_LIMITS: 'true', RATE_LIMIT_AUTHENTICATE: '5', TRUST_PROXY: '1' },
    });
    const answers = await Promise.all(
      owners.map((owner) => call(limited.url, FACES['password, v2 JSON']!(owner, ''))),
    );
    await limited.stop();
    expect(answers.map(({ status }) => status)).toEqual(owners.map(() => 200));
  });
});
