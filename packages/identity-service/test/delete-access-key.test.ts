import { describe, expect, it } from '@jest/globals';
import { call, faultOf, FORMATS } from './client.js';
import { useAccessKeys } from './use-access-keys.js';

const keys = useAccessKeys();

describe('Delete User Access Key', () => {
  it('Identity s4: returns 204 without a body; the key can no longer be fetched, updated or used', async () => {
    const { accessKeyId, secretKey } = await keys.mine.create();
    const auth = { apiAccessKeyCredentials: { accessKey: accessKeyId, secretKey } };
    const login = () =>
      call(keys.identity.url, { method: 'POST', path: '/v2.0/tokens', body: { auth } });
    expect((await login()).status).toBe(200);
    const answer = await keys.mine.send('DELETE', `/${accessKeyId}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await login()).status).toBe(401);
    expect((await keys.mine.send('GET', `/${accessKeyId}`)).status).toBe(404);
    expect((await keys.mine.setStatus(accessKeyId, 'active')).status).toBe(400);
    expect((await keys.mine.send('DELETE', `/${accessKeyId}`)).status).toBe(404);
  });

  it('D-ACC: marks the key and erases its secret', async () => {
    const { accessKeyId } = await keys.mine.create();
    await keys.mine.send('DELETE', `/${accessKeyId}`);
    const { rows } = await keys.identity.db.raw<{ rows: unknown[] }>(
      'select status, secret_sealed, secret_key_id from identity.access_keys where id = ?',
      [accessKeyId],
    );
    expect(rows).toEqual([{ status: 'deleted', secret_sealed: null, secret_key_id: null }]);
    const [shown] = await keys.mine.list('?status=deleted&export=true');
    expect(shown).not.toHaveProperty('secretKey');
  });

  it("D-ACC: only an administrator may delete another user's key, with userId", async () => {
    const { accessKeyId } = await keys.mine.create();
    const query = `?userId=${keys.user.id}`;
    expect((await keys.other.send('DELETE', `/${accessKeyId}`)).status).toBe(404);
    expect((await keys.other.send('DELETE', `/${accessKeyId}${query}`)).status).toBe(401);
    expect((await keys.stranger.send('DELETE', `/${accessKeyId}${query}`)).status).toBe(401);
    expect((await keys.mine.get(accessKeyId)).status).toBe('active');
    expect((await keys.admin.send('DELETE', `/${accessKeyId}${query}`)).status).toBe(204);
  });

  it.each(FORMATS)('Identity s4: an unknown key is 404 (%s)', async (accept) => {
    const answer = await keys.mine.send('DELETE', '/UNKNOWN', { accept });
    expect(await faultOf(answer)).toMatchObject({ root: 'itemNotFound', code: 404 });
  });

  it('D-REQ-5: a body and a Content-Type on DELETE are ignored', async () => {
    const { accessKeyId } = await keys.mine.create();
    const answer = await keys.mine.send('DELETE', `/${accessKeyId}`, { body: '<broken' });
    expect(answer.status).toBe(204);
  });
});
