import { describe, expect, it } from '@jest/globals';
import { createDomain, createRecord } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const MANY = { DNS_API_MAX_DOMAINS: '1000' };

const hosted = useApi({ env: MANY });
const strict = useApi({ env: { ...MANY, MX_TARGET_CHECK: 'strict' } });
const off = useApi({ env: { ...MANY, MX_TARGET_CHECK: 'off' } });

type Api = typeof hosted;

/** Creates an MX record at the apex of a domain and returns the result. */
async function createMx(api: Api, zone: { id: string; name: string }, data: string) {
  const response = await api.call('post', `/v1/domains/${zone.id}/records`, {
    name: zone.name,
    type: 'MX',
    data,
    priority: 10,
  });
  return response.status === 200
    ? 'created'
    : (response.body as { errors: { path: string; validator: string }[] }).errors.map(
        ({ path, validator }) => `${path} ${validator}`,
      );
}

const REFUSED = ['data mailTarget'];

describe('MX rule (DNS API s4; D-REC-37)', () => {
  it('hosted: a target inside the domain needs an A or AAAA record', async () => {
    const zone = await createDomain(hosted);
    const target = `mail.${zone.name}`;
    expect(await createMx(hosted, zone, target)).toEqual(REFUSED);
    await createRecord(hosted, zone.id, { name: target, type: 'TXT', data: 'no address' });
    expect(await createMx(hosted, zone, target)).toEqual(REFUSED);
    await createRecord(hosted, zone.id, { name: target, type: 'AAAA', data: '2001:db8::1' });
    expect(await createMx(hosted, zone, target)).toBe('created');
  });

  it('hosted: a target inside another domain needs one, too, even of another tenant', async () => {
    const zone = await createDomain(hosted);
    const other = await createDomain(hosted, {}, 'token-b');
    const target = `mail.${other.name}`;
    expect(await createMx(hosted, zone, target)).toEqual(REFUSED);
    await hosted
      .callAs('token-b', 'post', `/v1/domains/${other.id}/records`, {
        name: target,
        type: 'A',
        data: '192.0.2.1',
      })
      .expect(200);
    expect(await createMx(hosted, zone, target)).toBe('created');
  });

  it('RFC 2181 s10.3: a target must not be an alias', async () => {
    const zone = await createDomain(hosted);
    const name = `alias.${zone.name}`;
    await createRecord(hosted, zone.id, { name, type: 'CNAME', data: 'www.example.net.' });
    expect(await createMx(hosted, zone, name)).toEqual(REFUSED);
  });

  it('RFC 4592: an address of a wildcard counts for the names that it matches', async () => {
    const zone = await createDomain(hosted);
    await createRecord(hosted, zone.id, { name: `*.${zone.name}`, type: 'A', data: '192.0.2.1' });
    expect(await createMx(hosted, zone, `any.${zone.name}`)).toBe('created');
  });

  it('hosted: a target in an unknown domain is accepted', async () => {
    const zone = await createDomain(hosted);
    expect(await createMx(hosted, zone, 'mail.elsewhere.example.')).toBe('created');
  });

  it('hosted: an update to a target without an address is refused, and one that leaves it is not', async () => {
    const zone = await createDomain(hosted);
    const name = `mail.${zone.name}`;
    const address = await createRecord(hosted, zone.id, { name, type: 'A', data: '192.0.2.1' });
    const mx = await createRecord(hosted, zone.id, {
      name: zone.name,
      type: 'MX',
      data: name,
      priority: 10,
    });
    const update = (body: object) =>
      hosted.call('put', `/v1/domains/${zone.id}/records/${mx.id}`, body);
    expect((await update({ data: `none.${zone.name}` })).status).toBe(400);
    await hosted.call('delete', `/v1/domains/${zone.id}/records/${address.id}`).expect(200);
    expect((await update({ priority: 20 })).status).toBe(200);
  });

  it('strict: a target in an unknown domain is refused, too', async () => {
    const zone = await createDomain(strict);
    expect(await createMx(strict, zone, 'mail.elsewhere.example.')).toEqual(REFUSED);
  });

  it('off: nothing is checked', async () => {
    const zone = await createDomain(off);
    expect(await createMx(off, zone, `mail.${zone.name}`)).toBe('created');
  });
});

describe("A tenant's own MX rule (D-REC-37)", () => {
  const setRule = (api: Api, rule: string | null) =>
    api.db.raw(
      `insert into dns.quotas as q (tenant_id, mx_target_check) values ('tenant-a', ?)
       on conflict (tenant_id) do update set mx_target_check = excluded.mx_target_check`,
      [rule as string],
    );

  it.each([
    ['hosted', () => hosted],
    ['strict', () => strict],
    ['off', () => off],
  ])('takes precedence over MX_TARGET_CHECK=%s, from one request to the next', async (_, apiOf) => {
    const api = apiOf();
    const zone = await createDomain(api);
    const other = await createDomain(api, {}, 'token-b');
    await setRule(api, 'strict');
    expect(await createMx(api, zone, 'mail.outside.test.')).toEqual(REFUSED);
    expect(await createMx(api, zone, `mail.${other.name}`)).toEqual(REFUSED);
    await setRule(api, 'hosted');
    expect(await createMx(api, zone, 'mail.outside.test.')).toBe('created');
    expect(await createMx(api, zone, `mail.${other.name}`)).toEqual(REFUSED);
    await setRule(api, 'off');
    expect(await createMx(api, zone, `mail.${other.name}`)).toBe('created');
    expect(await createMx(api, zone, `mail.${zone.name}`)).toBe('created');
    await setRule(api, null);
  });

  it('applies only to the tenant', async () => {
    await setRule(hosted, 'off');
    const zone = await createDomain(hosted, {}, 'token-b');
    const response = await hosted.callAs('token-b', 'post', `/v1/domains/${zone.id}/records`, {
      name: zone.name,
      type: 'MX',
      data: `mail.${zone.name}`,
      priority: 10,
    });
    expect(response.status).toBe(400);
    await setRule(hosted, null);
  });
});
