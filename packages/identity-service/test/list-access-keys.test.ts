import { beforeAll, describe, expect, it } from '@jest/globals';
import { insertAccessKey, runRetention } from '@zonewright/testkit';
import { retentionRules } from '@zonewright/accounts';
import { at, childrenOf, faultOf, FORMATS, parseXml } from './client.js';
import { useAccessKeys } from './use-access-keys.js';
import { keyring, testSettings } from './use-identity.js';

const keys = useAccessKeys();
const DAY_MS = 24 * 60 * 60 * 1000;
const ids: Record<string, string> = {};

beforeAll(async () => {
  const { db, world } = keys.identity;
  const { accountDomainId } = world;
  const now = keys.clock.now();
  const values = { userId: keys.user.id, accountDomainId };
  const insert = async (extra: object) =>
    (await insertAccessKey(db, keyring, { ...values, ...extra })).accessKey;
  ids['active'] = await insert({});
  ids['inactive'] = await insert({ status: 'inactive' });
  ids['expired'] = await insert({ validTo: new Date(now - 1000) });
  ids['revoked'] = await insert({ status: 'revoked' });
  ids['purged'] = await insert({});
  await keys.mine.send('DELETE', `/${ids['purged']}`);
  keys.clock.advance(1000);
  ids['deleted'] = await insert({});
  await keys.mine.send('DELETE', `/${ids['deleted']}`);
});

async function listIds(query: string): Promise<string[]> {
  return (await keys.mine.list(query)).map((key) => key.accessKeyId);
}

describe('Get Access Keys', () => {
  it('Identity s2: the JSON wrapper is the one old clients expect', async () => {
    const answer = await keys.mine.send('GET', '');
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      accessKeys: { accessKey: expect.any(Array) as unknown, anies: null, otherAttributes: {} },
    });
  });

  it('D-ACC-31: without a filter, active, inactive and expired keys are listed, without secrets', async () => {
    const list = await keys.mine.list();
    const states = list.map((key) => [key.accessKeyId, key.status, key.secretKey]);
    expect(states).toEqual([
      [ids['active'], 'active', undefined],
      [ids['inactive'], 'inactive', undefined],
      [ids['expired'], 'expired', undefined],
    ]);
  });

  it('Identity s3: each state can be requested; purging makes deleted keys purged', async () => {
    const { db } = keys.identity;
    for (const state of ['active', 'inactive', 'expired', 'revoked']) {
      expect(await listIds(`?status=${state}`)).toEqual([ids[state]]);
    }
    expect(await listIds('?status=deleted')).toEqual([ids['purged'], ids['deleted']]);
    const rules = retentionRules(testSettings());
    await runRetention(db, rules, new Date(keys.clock.now() + 30 * DAY_MS - 500));
    expect(await listIds('?status=deleted')).toEqual([ids['deleted']]);
    expect(await listIds('?status=purged')).toEqual([ids['purged']]);
  });

  it('Identity s4: export=true includes the secrets', async () => {
    const list = await keys.mine.list('?export=true');
    expect(list.every((key) => typeof key.secretKey === 'string')).toBe(true);
    expect((await keys.mine.list('?export=false')).some((key) => key.secretKey)).toBe(false);
  });

  it('Identity s2: lists keys in XML', async () => {
    const answer = await keys.mine.send('GET', '?status=active&export=true', { accept: 'xml' });
    const root = await parseXml(answer.text);
    expect(root).toMatchObject({
      name: 'accessKeys',
      namespace: 'http://docs.openstack.org/identity/api/ext/hp/v1.0',
    });
    const [key] = childrenOf(root, 'accessKey');
    expect(key?.attributes).toMatchObject({ accessKeyId: ids['active'], status: 'active' });
    expect(key && at(key, 'secretKey')?.text).toHaveLength(40);
  });

  it('Identity s4: domainId filters', async () => {
    expect(await listIds(`?domainId=${keys.identity.world.accountDomainId}`)).toHaveLength(3);
    expect(await listIds('?domainId=other')).toEqual([]);
  });

  it("D-ACC: only the administrator of that domain may list another user's keys", async () => {
    const query = `?userId=${keys.user.id}`;
    expect((await keys.other.send('GET', query)).status).toBe(401);
    expect((await keys.stranger.send('GET', query)).status).toBe(401);
    expect(await keys.admin.list(query)).toHaveLength(3);
    expect((await keys.other.send('GET', '?userId=unknown')).status).toBe(401);
    expect(await keys.other.list()).toEqual([]);
  });

  it.each(FORMATS)(
    'Identity s4: an unknown user gets 404 for an administrator (%s)',
    async (accept) => {
      const answer = await keys.admin.send('GET', '?userId=unknown', { accept });
      expect(await faultOf(answer)).toMatchObject({ code: 404, details: 'user not found' });
    },
  );

  it.each(FORMATS)('Identity s4: malformed parameters get 400 (%s)', async (accept) => {
    for (const query of [
      '?status=lost',
      '?export=yes',
      '?userId=a%00b',
      '?userId=',
      '?domainId=',
    ]) {
      expect((await keys.mine.send('GET', query, { accept })).status).toBe(400);
    }
  });
});
