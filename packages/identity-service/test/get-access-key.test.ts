import { describe, expect, it } from '@jest/globals';
import { at, faultOf, FORMATS, parseXml } from './client.js';
import { useAccessKeys } from './use-access-keys.js';

const keys = useAccessKeys();

describe('Get An Access Key', () => {
  it('Identity s4: returns one key, with its secret only for export=true', async () => {
    const { secretKey, ...key } = await keys.mine.create();
    expect(await keys.mine.get(key.accessKeyId)).toEqual(key);
    expect(await keys.mine.get(key.accessKeyId, '?export=false')).toEqual(key);
    expect(await keys.mine.get(key.accessKeyId, '?export=true')).toEqual({ ...key, secretKey });
  });

  it('Identity s2: returns the key in XML', async () => {
    const { accessKeyId, secretKey } = await keys.mine.create();
    const answer = await keys.mine.send('GET', `/${accessKeyId}?export=true`, { accept: 'xml' });
    const root = await parseXml(answer.text);
    expect(root.attributes['accessKeyId']).toBe(accessKeyId);
    expect(at(root, 'secretKey')?.text).toBe(secretKey);
  });

  it("D-ACC: only an administrator may get another user's key, with userId", async () => {
    const { accessKeyId } = await keys.mine.create();
    const query = `?userId=${keys.user.id}`;
    expect((await keys.other.send('GET', `/${accessKeyId}${query}`)).status).toBe(401);
    expect((await keys.stranger.send('GET', `/${accessKeyId}${query}`)).status).toBe(401);
    expect((await keys.other.send('GET', `/${accessKeyId}`)).status).toBe(404);
    expect((await keys.admin.send('GET', `/${accessKeyId}`)).status).toBe(404);
    expect((await keys.admin.get(accessKeyId, query)).userId).toBe(keys.user.id);
  });

  it.each(FORMATS)('Identity s4: an unknown key or user is 404 (%s)', async (accept) => {
    const answer = await keys.mine.send('GET', '/UNKNOWN', { accept });
    expect(await faultOf(answer)).toMatchObject({ code: 404, details: 'access key not found' });
    expect((await keys.admin.send('GET', '/UNKNOWN?userId=x', { accept })).status).toBe(404);
  });

  it('D-ACC: a key after its validity is shown as expired', async () => {
    const validTo = keys.clock.now() + 60_000;
    const { accessKeyId } = await keys.mine.create({ validTo });
    expect((await keys.mine.get(accessKeyId)).status).toBe('active');
    keys.clock.advance(60_000);
    expect((await keys.mine.get(accessKeyId)).status).toBe('expired');
  });

  it('Identity s4: export accepts only true and false', async () => {
    const { accessKeyId } = await keys.mine.create();
    expect((await keys.mine.send('GET', `/${accessKeyId}?export=1`)).status).toBe(400);
  });
});
