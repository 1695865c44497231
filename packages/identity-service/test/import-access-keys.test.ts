import { describe, expect, it } from '@jest/globals';
import { keysOf } from './access-keys-client.js';
import { call, childrenOf, faultOf, FORMATS, parseXml } from './client.js';
import { useAccessKeys } from './use-access-keys.js';

const keys = useAccessKeys();

async function importKeys(accessKey: unknown, accept: 'json' | 'xml' = 'json') {
  return await keys.mine.send('PUT', '', { accept, body: { accessKeys: { accessKey } } });
}

async function statusOfLogin(accessKey: string, secretKey: string): Promise<number> {
  const auth = { apiAccessKeyCredentials: { accessKey, secretKey } };
  const path = '/v2.0/tokens';
  return (await call(keys.identity.url, { method: 'POST', path, body: { auth } })).status;
}

describe('Import User Access Key', () => {
  it('Identity s4: imports several keys, listed with a new createdOn and without secrets', async () => {
    const validFrom = Date.parse('2020-01-01T00:00:00Z');
    const answer = await importKeys([
      { accessKeyId: 'OLD-1', secretKey: 's3cret-1', algorithm: 'anything', createdOn: 5 },
      {
        secretKey: 's3cret-2',
        algorithm: 'HmacSHA1',
        status: 'inactive',
        keyLength: 240,
        validFrom,
      },
    ]);
    expect(answer.status).toBe(200);
    const [first, second] = keysOf(answer);
    expect(first).toMatchObject({
      accessKeyId: 'OLD-1',
      algorithm: 'anything',
      status: 'active',
      userId: keys.user.id,
      domainId: keys.identity.world.accountDomainId,
      createdOn: keys.clock.now(),
    });
    expect(second).toMatchObject({
      algorithm: 'HmacSHA1',
      status: 'inactive',
      keyLength: 240,
      validFrom,
    });
    expect(second?.accessKeyId).toMatch(/^[A-Z0-9]{20}$/);
    expect(answer.text).not.toContain('s3cret');
    expect(await statusOfLogin('OLD-1', 's3cret-1')).toBe(200);
    expect(await statusOfLogin(second?.accessKeyId ?? '', 's3cret-2')).toBe(401);
  });

  it('D-ACC: returns 404 to an administrator for a user who does not exist', async () => {
    const accessKey = [{ secretKey: 's', algorithm: 'x', userId: 'x' }];
    const body = { accessKeys: { accessKey } };
    expect((await keys.admin.send('PUT', '', { body })).status).toBe(404);
  });

  it('Identity s2: reads and writes the XML form', async () => {
    const answer = await keys.mine.send('PUT', '', {
      accept: 'xml',
      body: `<accessKeys xmlns="http://docs.openstack.org/identity/api/ext/hp/v1.0">
               <accessKey accessKeyId="XML-1"><algorithm>HmacSHA256</algorithm><secretKey>a&amp;b</secretKey></accessKey>
               <accessKey accessKeyId="XML-2"><algorithm>HmacSHA256</algorithm><secretKey>c</secretKey></accessKey>
             </accessKeys>`,
    });
    expect(answer.status).toBe(200);
    const imported = childrenOf(await parseXml(answer.text), 'accessKey');
    expect(imported.map(({ attributes }) => attributes['accessKeyId'])).toEqual(['XML-1', 'XML-2']);
    expect(await statusOfLogin('XML-1', 'a&b')).toBe(200);
  });

  it('Identity s4: id and secret may have at most 999 characters', async () => {
    const long = 'k'.repeat(999);
    const answer = await importKeys({
      accessKeyId: long,
      secretKey: 's'.repeat(999),
      algorithm: 'x',
    });
    expect(answer.status).toBe(200);
    expect(await statusOfLogin(long, 's'.repeat(999))).toBe(200);
    const tooLong = 'k'.repeat(1000);
    for (const extra of [{ accessKeyId: tooLong }, { secretKey: tooLong }]) {
      expect((await importKeys({ secretKey: 's', algorithm: 'x', ...extra })).status).toBe(400);
    }
  });

  it.each(FORMATS)(
    'Identity s4: an existing id gets 409, and nothing is imported (%s)',
    async (accept) => {
      const existing = `TAKEN-${accept}`;
      const key = { secretKey: 's', algorithm: 'x' };
      await importKeys({ ...key, accessKeyId: existing });
      const answer = await importKeys(
        [
          { ...key, accessKeyId: `FRESH-${accept}` },
          { ...key, accessKeyId: existing },
        ],
        accept,
      );
      expect(answer.status).toBe(409);
      expect(await faultOf(answer)).toEqual({
        root: 'conflict',
        code: 409,
        message: 'Conflict',
        details: `an access key with the id ${existing} already exists`,
      });
      expect((await keys.mine.send('GET', `/FRESH-${accept}`)).status).toBe(404);
    },
  );

  it.each(FORMATS)('Identity s4: required members must be present: 400 (%s)', async (accept) => {
    const cases: [unknown, RegExp][] = [
      [[], /at least one key/],
      [{ algorithm: 'x' }, /secretKey is required/],
      [{ secretKey: 's' }, /algorithm is required/],
      [{ secretKey: 's', algorithm: 'x', status: 'deleted' }, /active or inactive/],
      [{ secretKey: 's', algorithm: 'x', accessKeyId: '' }, /accessKeyId/],
      ['text', /must be an object/],
    ];
    for (const [accessKey, details] of cases) {
      const answer = await importKeys(accessKey, accept);
      expect([accessKey, answer.status]).toEqual([accessKey, 400]);
      expect((await faultOf(answer)).details).toMatch(details);
    }
  });

  it('D-ACC: only the administrator of that domain may import for another user, all keys or none', async () => {
    const body = {
      accessKeys: {
        accessKey: [
          { accessKeyId: 'MIXED-1', secretKey: 's', algorithm: 'x' },
          { accessKeyId: 'MIXED-2', secretKey: 's', algorithm: 'x', userId: keys.user.id },
        ],
      },
    };
    expect((await keys.other.send('PUT', '', { body })).status).toBe(401);
    expect((await keys.stranger.send('PUT', '', { body })).status).toBe(401);
    expect((await keys.other.send('GET', '/MIXED-1')).status).toBe(404);
    const imported = keysOf(await keys.admin.send('PUT', '', { body }));
    expect(imported.map((key) => key.userId)).toEqual([
      keys.identity.world.administrator.id,
      keys.user.id,
    ]);
  });
});
