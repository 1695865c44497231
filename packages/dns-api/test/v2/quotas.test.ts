import { describe, expect, it } from '@jest/globals';
import { createDomain } from '../support/fixtures.js';
import { insist } from '../support/insist.js';
import { type Api, useApi } from '../support/use-api.js';

const api = useApi();

const operator: Pick<Api, 'call'> = {
  call: (...request) => api.callAs('token-operator', ...request),
};
const QUOTAS = '/v2/quotas/tenant-a';
const set = async (body: object) => await insist(operator, ['patch', QUOTAS, body]);
const call = async (...request: Parameters<Api['call']>) => await insist(api, request);

describe('Quotas (Designate v2; D-ZONE-128)', () => {
  it('zone_recordsets limits the recordsets of a zone, beside zone_records', async () => {
    const before = (await insist(operator, ['get', QUOTAS])).body as object;
    const limits = { zone_records: 10, zone_recordsets: 2 };
    expect((await set(limits)).body).toEqual({
      ...{ ...before, ...limits, api_export_size: 10 },
    });
    expect((await call('get', '/v2/limits')).body).toMatchObject({
      max_zone_records: 10,
      max_zone_recordsets: 2,
    });
    const { id, name } = await createDomain(api);
    const path = `/v2/zones/${id}/recordsets`;
    const create = async (label: string) =>
      await call('post', path, {
        ...{ name: `${label}.${name}`, type: 'A', records: ['192.0.2.1', '192.0.2.2'] },
      });
    const first = await create('a');
    expect([first.status, (await create('b')).status]).toEqual([202, 202]);
    const refused = await create('c');
    expect(refused.status).toBe(413);
    expect(refused.body).toMatchObject({
      type: 'over_quota',
      message: 'The domain would have 3 recordsets; its limit is 2.',
    });
    // A recordset may get more records, and another may take its place.
    const one = `${path}/${(first.body as { id: string }).id}`;
    const more = { records: ['192.0.2.1', '192.0.2.3', '192.0.2.4'] };
    expect((await call('put', one, more)).status).toBe(202);
    const file = `c 60 A 192.0.2.1\nd 60 A 192.0.2.1\n`;
    const imported = await call('post', `/v1/domains/${id}/import`, {
      ...{ zonefile: file, mode: 'merge' },
    });
    expect(imported.status).toBe(413);
    expect((await call('delete', one)).status).toBe(202);
    expect((await create('c')).status).toBe(202);
    // A lower limit deletes nothing, and refuses only what is new.
    await set({ zone_recordsets: 0 });
    const [listed] = (
      (await call('get', path)).body as { recordsets: { id: string; type: string }[] }
    ).recordsets.filter(({ type }) => type === 'A');
    expect((await call('put', `${path}/${listed?.id ?? ''}`, { ttl: 60 })).status).toBe(202);
    expect((await create('e')).status).toBe(413);
    await insist(operator, ['delete', QUOTAS]);
    expect((await create('e')).status).toBe(202);
  });
});
