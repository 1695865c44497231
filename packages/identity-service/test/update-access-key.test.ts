import { describe, expect, it } from '@jest/globals';
import { insertAccessKey } from '@zonewright/testkit';
import { keyOf } from './access-keys-client.js';
import { call, faultOf, FORMATS, parseXml } from './client.js';
import { useAccessKeys } from './use-access-keys.js';
import { keyring } from './use-identity.js';

const keys = useAccessKeys();

async function statusOfLogin(key: { accessKeyId: string; secretKey?: string }): Promise<number> {
  const { accessKeyId: accessKey, secretKey } = key;
  const auth = { apiAccessKeyCredentials: { accessKey, secretKey } };
  const path = '/v2.0/tokens';
  return (await call(keys.identity.url, { method: 'POST', path, body: { auth } })).status;
}

describe('Update User Access Key', () => {
  it('Identity s3: changes active to inactive and back; only active keys authenticate', async () => {
    const { secretKey, ...key } = await keys.mine.create();
    const credentials = { accessKeyId: key.accessKeyId, ...(secretKey && { secretKey }) };
    expect(await statusOfLogin(credentials)).toBe(200);
    const asleep = await keys.mine.setStatus(key.accessKeyId, 'inactive');
    expect(asleep.status).toBe(200);
    expect(keyOf(asleep)).toEqual({ ...key, status: 'inactive' });
    expect(await statusOfLogin(credentials)).toBe(401);
    expect(keyOf(await keys.mine.setStatus(key.accessKeyId, 'active'))).toEqual(key);
    expect(await statusOfLogin(credentials)).toBe(200);
  });

  it('Identity s2: reads and writes the XML form', async () => {
    const { accessKeyId } = await keys.mine.create();
    const answer = await keys.mine.send('PUT', `/${accessKeyId}`, {
      accept: 'xml',
      body: '<accessKey xmlns="http://docs.openstack.org/identity/api/ext/hp/v1.0" status="inactive"/>',
    });
    expect((await parseXml(answer.text)).attributes).toMatchObject({
      accessKeyId,
      status: 'inactive',
    });
  });

  it('Identity s4: only the status can be modified', async () => {
    const key = await keys.mine.get((await keys.mine.create()).accessKeyId);
    const accessKey = {
      ...key,
      status: 'inactive',
      algorithm: 'HmacSHA1',
      validTo: 5,
      userId: 'x',
      createdOn: 5,
    };
    const answer = await keys.mine.send('PUT', `/${key.accessKeyId}`, { body: { accessKey } });
    expect(keyOf(answer)).toEqual({ ...key, status: 'inactive' });
  });

  it.each(FORMATS)('D-ACC: status is required, active or inactive: 400 (%s)', async (accept) => {
    const { accessKeyId } = await keys.mine.create();
    for (const accessKey of [{}, { status: 'revoked' }, { status: 'deleted' }, { status: 5 }]) {
      const answer = await keys.mine.send('PUT', `/${accessKeyId}`, {
        accept,
        body: { accessKey },
      });
      expect(answer.status).toBe(400);
      expect((await faultOf(answer)).details).toMatch(/status/);
    }
  });

  it.each(FORMATS)(
    'D-ACC-29: an expired, revoked or deleted key cannot be updated: 400 (%s)',
    async (accept) => {
      const { identity, user, clock } = keys;
      const values = { userId: user.id, accountDomainId: identity.world.accountDomainId };
      const validTo = new Date(clock.now() - 1);
      const expired = await insertAccessKey(identity.db, keyring, { ...values, validTo });
      const revoked = await insertAccessKey(identity.db, keyring, { ...values, status: 'revoked' });
      const { accessKeyId: deleted } = await keys.mine.create();
      await keys.mine.send('DELETE', `/${deleted}`);
      for (const [id, state] of [
        [expired.accessKey, 'expired'],
        [revoked.accessKey, 'revoked'],
        [deleted, 'deleted'],
      ] as const) {
        const body = { accessKey: { status: 'active' } };
        const answer = await keys.mine.send('PUT', `/${id}`, { accept, body });
        expect(await faultOf(answer)).toMatchObject({
          code: 400,
          details: `a key that is ${state} cannot be updated`,
        });
      }
    },
  );

  it("D-ACC: only an administrator may change another user's key, with userId", async () => {
    const { accessKeyId } = await keys.mine.create();
    const query = `?userId=${keys.user.id}`;
    expect((await keys.other.setStatus(accessKeyId, 'inactive')).status).toBe(404);
    expect((await keys.other.setStatus(accessKeyId, 'inactive', query)).status).toBe(401);
    expect((await keys.stranger.setStatus(accessKeyId, 'inactive', query)).status).toBe(401);
    expect((await keys.mine.get(accessKeyId)).status).toBe('active');
    expect((await keys.admin.setStatus(accessKeyId, 'inactive', query)).status).toBe(200);
  });

  it.each(FORMATS)('Identity s4: an unknown key gets 404 (%s)', async (accept) => {
    const body = { accessKey: { status: 'active' } };
    const answer = await keys.mine.send('PUT', '/UNKNOWN', { accept, body });
    expect(await faultOf(answer)).toMatchObject({ code: 404 });
  });
});
