import { describe, expect, it } from '@jest/globals';
import { assignRole, insertRole, insertUser } from '@zonewright/testkit';
import { keyOf } from './access-keys-client.js';
import { at, call, faultOf, FORMATS, parseXml } from './client.js';
import { useAccessKeys } from './use-access-keys.js';

const keys = useAccessKeys();
const DAY_MS = 24 * 60 * 60 * 1000;

describe('Create User Access Key', () => {
  it('Identity s4: returns 201 with id, secret and times, and the defaults of D-ACC', async () => {
    const answer = await keys.mine.send('POST', '', { body: { accessKey: {} } });
    expect(answer.status).toBe(201);
    const now = keys.clock.now();
    const validFrom = Math.floor(now / 1000) * 1000;
    expect(keyOf(answer)).toEqual({
      accessKeyId: expect.stringMatching(/^[A-Z0-9]{20}$/) as unknown,
      secretKey: expect.stringMatching(/^[A-Za-z0-9+/]{40}$/) as unknown,
      algorithm: 'HmacSHA256',
      keyLength: 240,
      domainId: keys.identity.world.accountDomainId,
      userId: keys.user.id,
      status: 'active',
      validFrom,
      validTo: validFrom + 3650 * DAY_MS,
      createdOn: now,
      otherAttributes: {},
    });
  });

  it('Identity s2: reads and writes the XML form', async () => {
    const answer = await keys.mine.send('POST', '', {
      accept: 'xml',
      body: `<accessKey xmlns="http://docs.openstack.org/identity/api/ext/hp/v1.0" status="inactive"
               validFrom="2030-01-02T03:04:05" validTo="2031-01-02T03:04:05+02:00">
               <algorithm>HmacSHA1</algorithm><keyLength>128</keyLength>
             </accessKey>`,
    });
    expect(answer.status).toBe(201);
    const root = await parseXml(answer.text);
    expect(root).toMatchObject({
      name: 'accessKey',
      namespace: 'http://docs.openstack.org/identity/api/ext/hp/v1.0',
    });
    expect(root.attributes).toEqual({
      accessKeyId: expect.stringMatching(/^[A-Z0-9]{20}$/) as unknown,
      userId: keys.user.id,
      domainId: keys.identity.world.accountDomainId,
      status: 'inactive',
      validFrom: '2030-01-02T03:04:05.000+00:00',
      validTo: '2031-01-02T01:04:05.000+00:00',
      createdOn: new Date(keys.clock.now()).toISOString().replace('Z', '+00:00'),
    });
    expect(at(root, 'algorithm')?.text).toBe('HmacSHA1');
    expect(at(root, 'keyLength')?.text).toBe('128');
    expect(at(root, 'secretKey')?.text).toHaveLength(22);
  });

  it('Identity s5: the new key authenticates', async () => {
    const { accessKeyId, secretKey } = await keys.mine.create();
    const answer = await call(keys.identity.url, {
      method: 'POST',
      path: '/v2.0/tokens',
      body: { auth: { apiAccessKeyCredentials: { accessKey: accessKeyId, secretKey } } },
    });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['HmacSHA1', 64, 11],
    ['HmacSHA224', 240, 40],
    ['HmacSHA384', 256, 43],
    ['HmacSHA512', 512, 86],
  ])('D-ACC: %s with %d bits has %d characters', async (algorithm, keyLength, length) => {
    const key = await keys.mine.create({ algorithm, keyLength });
    expect(key).toMatchObject({ algorithm, keyLength });
    expect(key.secretKey).toHaveLength(length);
  });

  it.each([
    ['2030-01-02T03:04:05', '2030-01-02T03:04:05Z'],
    ['2030-01-02T03:04:05+05:30', '2030-01-01T21:34:05Z'],
    ['2030-01-02T03:04:05.250Z', '2030-01-02T03:04:05.250Z'],
    [1893553445000, '2030-01-02T03:04:05Z'],
    ['1893553445000', '2030-01-02T03:04:05Z'],
  ])('D-ACC: validFrom may be written as %s', async (validFrom, meaning) => {
    expect((await keys.mine.create({ validFrom })).validFrom).toBe(Date.parse(meaning));
  });

  it('D-ACC: a year has four digits, so the default of validTo ends with the last one', async () => {
    const body = { accessKey: { validFrom: '9999-12-31T00:00:00' } };
    const answer = await keys.mine.send('POST', '', { accept: 'xml', body });
    expect(answer.status).toBe(201);
    const { attributes } = await parseXml(answer.text);
    expect(attributes['validTo']).toBe('9999-12-31T23:59:59.999+00:00');
  });

  it("the server's own members never take effect", async () => {
    const key = await keys.mine.create({
      id: 'ID',
      accessKeyId: 'CHOSENBYCALLER',
      secretKey: 'chosen',
      domainId: 'other',
      createdOn: 5,
      otherAttributes: {},
    });
    expect(key.accessKeyId).not.toBe('CHOSENBYCALLER');
    expect(key.secretKey).not.toBe('chosen');
    expect(key.domainId).toBe(keys.identity.world.accountDomainId);
    expect(key.createdOn).toBe(keys.clock.now());
    expect(key.otherAttributes).toEqual({});
  });

  it.each(FORMATS)('Identity s4: malformed members get 400 (%s)', async (accept) => {
    const cases: [object, RegExp][] = [
      [{ keyLength: 56 }, /keyLength/],
      [{ keyLength: 520 }, /keyLength/],
      [{ keyLength: 100 }, /multiple of 8/],
      [{ keyLength: 'x' }, /keyLength/],
      [{ algorithm: 'md5' }, /algorithm/],
      [{ status: 'revoked' }, /active or inactive/],
      [{ status: 'expired' }, /active or inactive/],
      [{ validFrom: 'yesterday' }, /validFrom/],
      [{ validFrom: '2030-02-30T00:00:00' }, /validFrom/],
      [{ validFrom: '2030-01-01T00:00:00', validTo: '2030-01-01T00:00:00' }, /after validFrom/],
      [{ validTo: '2001-01-01T00:00:00' }, /after validFrom/],
    ];
    for (const [accessKey, details] of cases) {
      const answer = await keys.mine.send('POST', '', { accept, body: { accessKey } });
      expect([accessKey, answer.status]).toEqual([accessKey, 400]);
      expect((await faultOf(answer)).details).toMatch(details);
    }
    expect((await keys.mine.send('POST', '', { accept, body: {} })).status).toBe(400);
  });

  it('D-ACC: only the administrator of that domain may do so for another user', async () => {
    const accessKey = { userId: keys.user.id };
    const statusOf = async (who: 'other' | 'stranger') =>
      (await keys[who].send('POST', '', { body: { accessKey } })).status;
    expect([await statusOf('other'), await statusOf('stranger')]).toEqual([401, 401]);
    expect((await keys.admin.create(accessKey)).userId).toBe(keys.user.id);
    const unknown = await keys.admin.send('POST', '', { body: { accessKey: { userId: 'x' } } });
    expect(unknown.status).toBe(404);
  });

  it('D-ACC-23: an administrator creates no key for users with a role that only the operator grants', async () => {
    const { db, world } = keys.identity;
    const higher = await insertUser(db, { accountDomainId: world.accountDomainId });
    await assignRole(db, { userId: higher.id, roleId: await insertRole(db) });
    const accessKey = { userId: higher.id };
    expect((await keys.admin.send('POST', '', { body: { accessKey } })).status).toBe(401);
    const imported = [{ userId: higher.id, secretKey: 'x'.repeat(40), algorithm: 'HmacSHA256' }];
    const body = { accessKeys: { accessKey: imported } };
    expect((await keys.admin.send('PUT', '', { body })).status).toBe(401);
    expect((await keys.admin.send('GET', `?userId=${higher.id}`)).status).toBe(200);
  });
});
