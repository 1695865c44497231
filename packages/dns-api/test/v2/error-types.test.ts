import { describe, expect, it } from '@jest/globals';
import { createDomain, type ErrorBody } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';

const api = useApi();
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
type Method = Parameters<typeof api.callAs>[1];
const asOperator = (method: Method, path: string, body?: object) =>
  api.callAs('token-operator', method, path, body);

describe("Designate's types of errors (v2)", () => {
  it.each([
    ['zones', 'zone_id'],
    ['zones/tasks/exports', 'export_id'],
    ['zones/tasks/imports', 'import_id'],
    ['zones/tasks/transfer_requests', 'transfer_request_id'],
    ['zones/tasks/transfer_accepts', 'transfer_accept_id'],
    ['recordsets', 'recordset_id'],
    ['blacklists', 'blacklist_id'],
    ['tlds', 'tld_id'],
    ['tsigkeys', 'tsigkey_id'],
    ['pools', 'pool_id'],
    ['service_statuses', 'service_id'],
  ])('%s/foo: the message names %s', async (list, parameter) => {
    const response = await asOperator('get', `/v2/${list}/foo`).expect(400);
    expect(response.body).toMatchObject({
      type: 'invalid_uuid',
      message: `Invalid UUID ${parameter}: foo`,
      errors: [{ path: parameter, message: expect.stringContaining('ids are UUIDs') }],
    });
  });

  it.each([
    ['limit=0', 'invalid_limit'],
    ['marker=x', 'invalid_marker'],
    [`marker=${UNKNOWN}`, 'marker_not_found'],
    ['sort_key=colour', 'invalid_sort_key'],
    ['sort_dir=up', 'invalid_sort_dir'],
    ['colour=red', 'bad_request'],
    ['name=', 'bad_request'],
    ['limit=1&limit=2', 'invalid_limit'],
    ['name=a.&name=b.', 'bad_request'],
    ['name=%00', 'bad_request'],
  ])('?%s: %s', async (query, type) => {
    const response = await api.call('get', `/v2/zones?${query}`).expect(400);
    expect(response.body).toMatchObject({ type });
  });

  it('an invalid member of a body: invalid_object', async () => {
    const response = await api.call('post', '/v2/zones', { name: 5, email: 'a@example.com' });
    expect(response.body).toMatchObject({ code: 400, type: 'invalid_object' });
  });

  it('an invalid header or parameter of a write, and a share with the own project: bad_request', async () => {
    const zone = await createDomain(api);
    const path = `/v2/zones/${zone.id}`;
    const answers = [
      await asOperator('get', path).set('X-Auth-All-Projects', 'maybe'),
      await asOperator('get', path).set('X-Auth-Sudo-Project-ID', 'a b'),
      await api.call('patch', `${path}?colour=red`, { ttl: 60 }),
      await api.call('patch', `${path}?dry_run=maybe`, { ttl: 60 }),
      await api.call('post', `${path}/shares`, { target_project_id: 'tenant-a' }),
    ];
    for (const { status, body } of answers) {
      expect([status, (body as ErrorBody).type]).toEqual([400, 'bad_request']);
    }
  });

  it('a zone with zones below it: zone_has_sub_zone', async () => {
    const zone = await createDomain(api);
    await createDomain(api, { name: `child.${zone.name}` });
    const response = await api.call('delete', `/v2/zones/${zone.id}`).expect(400);
    expect(response.body).toMatchObject({ type: 'zone_has_sub_zone' });
  });

  it.each([
    ['post', '/v2/pools', 'GET, HEAD'],
    ['patch', `/v2/pools/${UNKNOWN}`, 'GET, HEAD'],
    ['delete', `/v2/pools/${UNKNOWN}`, 'GET, HEAD'],
    ['put', '/v2/zones', 'POST, GET, HEAD'],
  ] as const)('%s %s: 405 with Allow', async (method, path, allow) => {
    const response = await asOperator(method, path, {}).expect(405);
    expect(response.headers['allow']).toBe(allow);
    expect(response.body).toMatchObject({ type: 'method_not_allowed' });
  });
});
