import { beforeAll, describe, expect, it } from '@jest/globals';
import { insertAccessKey, insertTenant, insertUser } from '@zonewright/testkit';
import { call } from './client.js';
import { keyring, useIdentity } from './use-identity.js';

/**
 * The numbers of samples. Every wrong value must cause the same work (D-ID). Samples of all cases are interleaved, so
 * that other load on the machine affects all of them equally; the medians must be close together.
 */
const SAMPLES = { password: 15, 'access key': 41 } as const;
type Kind = keyof typeof SAMPLES;
/** The largest relative difference: a skipped password hash would make a case many times faster than the others. */
const MAX_RELATIVE_GAP = 0.5;
/** Smaller differences are noise of a busy machine: with access keys a request takes only a millisecond or two. */
const MAX_ABSOLUTE_GAP_MS = 3;

const identity = useIdentity();
let passwordCases: Record<string, object>;
let accessKeyCases: Record<string, object>;

beforeAll(async () => {
  const { db, world } = identity;
  const { user, tenant, accountDomainId, accessKey } = world;
  const disabled = await insertUser(db, { accountDomainId, status: 'disabled' });
  const suspended = await insertUser(db, { accountDomainId, status: 'suspended' });
  const foreign = await insertTenant(db, { accountDomainId });
  const passwordOf = (name: string, password: string) => ({
    passwordCredentials: { username: name, password },
  });
  const right = passwordOf(user.name, user.password);
  passwordCases = {
    'unknown user': passwordOf('nobody', user.password),
    'wrong password': passwordOf(user.name, 'wrong'),
    'empty password': passwordOf(user.name, ''),
    'disabled user': passwordOf(disabled.name, disabled.password),
    'suspended user': passwordOf(suspended.name, suspended.password),
    'unknown tenant': { ...right, tenantId: 'unknown' },
    'no role': { ...right, tenantId: foreign.id },
  };
  // This puts the right password into the cache of verified ones, which must not make its failures faster.
  await measure({ ...right, tenantId: tenant.id });
  const keyOf = async (values: object) => ({
    apiAccessKeyCredentials: await insertAccessKey(db, keyring, {
      userId: user.id,
      accountDomainId,
      ...values,
    }),
  });
  accessKeyCases = {
    'unknown key': { apiAccessKeyCredentials: { ...accessKey, accessKey: 'UNKNOWN' } },
    'wrong secret': { apiAccessKeyCredentials: { ...accessKey, secretKey: 'wrong' } },
    inactive: await keyOf({ status: 'inactive' }),
    expired: await keyOf({ validTo: new Date(Date.now() - 1000) }),
    'not yet valid': await keyOf({ validFrom: new Date(Date.now() + 60_000) }),
  };
});

async function measure(auth: object): Promise<number> {
  const startedAt = performance.now();
  await call(identity.url, { method: 'POST', path: '/v2.0/tokens', body: { auth } });
  return performance.now() - startedAt;
}

async function mediansOf(kind: Kind): Promise<Record<string, number>> {
  const cases = kind === 'password' ? passwordCases : accessKeyCases;
  const names = Object.keys(cases);
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (let round = -2; round < SAMPLES[kind]; round += 1) {
    for (const name of names) {
      const duration = await measure(cases[name]!);
      // The first rounds only warm up connections and compiled code.
      if (round >= 0) samples[name]!.push(duration);
    }
  }
  const median = (values: number[]) =>
    values.sort((one, other) => one - other)[values.length >> 1]!;
  return Object.fromEntries(names.map((name) => [name, median(samples[name]!)]));
}

describe('Equal work for all failures', () => {
  it.each(['password', 'access key'] as const)('D-ID: is equal by %s', async (kind) => {
    const medians = await mediansOf(kind);
    const figures = Object.entries(medians).map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`);
    process.stdout.write(`medians by ${kind}: ${figures.join(', ')}\n`);
    const values = Object.values(medians);
    const gap = Math.max(...values) - Math.min(...values);
    expect(gap).toBeLessThan(Math.max(MAX_ABSOLUTE_GAP_MS, Math.max(...values) * MAX_RELATIVE_GAP));
  });
});
