import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeClock } from '@zonewright/testkit';
import { call, tokenOf } from './client.js';
import {
  type RunningIdentity,
  startIdentity,
  useIdentity,
  waitUntilReady,
} from './use-identity.js';

const TWELVE_HOURS_MS = 12 * 60 * 60 * 1_000;
const MINUTE_MS = 60_000;

const identity = useIdentity();

describe('A clock that jumps by 12 h (issue 8)', () => {
  const clock = new FakeClock();
  let service: RunningIdentity;

  beforeAll(async () => {
    service = await startIdentity(identity.databaseUrl, { clock });
    await waitUntilReady(service);
  });
  afterAll(() => service.stop());

  const statusOf = async (token: string) =>
    (await call(service.url, { path: '/v2.0/tenants', token })).status;
  const logIn = async (password: string) => {
    const { user } = identity.world;
    const { status } = await call(service.url, {
      method: 'POST',
      path: '/v2.0/tokens',
      body: { auth: { passwordCredentials: { username: user.name, password } } },
    });
    return status;
  };

  it('forward: tokens of before are over, new ones are good', async () => {
    const token = await tokenOf(service.url, identity.world.user);
    expect(await statusOf(token)).toBe(200);
    clock.advance(TWELVE_HOURS_MS + MINUTE_MS);
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf(await tokenOf(service.url, identity.world.user))).toBe(200);
  });

  it('back: log-ins go on, tokens are judged by the clock as it is, and a revoked one stays revoked', async () => {
    const token = await tokenOf(service.url, identity.world.user);
    const revoked = await tokenOf(service.url, identity.world.user);
    const path = `/v2.0/tokens/${revoked}`;
    expect((await call(service.url, { method: 'DELETE', path, token })).status).toBe(204);
    clock.advance(-TWELVE_HOURS_MS);
    expect(await statusOf(token)).toBe(200);
    expect(await statusOf(revoked)).toBe(401);
    expect(await logIn(identity.world.user.password)).toBe(200);
    expect(await logIn('wrong')).toBe(401);
  });
});
