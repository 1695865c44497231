import { beforeEach, describe, expect, it } from '@jest/globals';
import { createDomain, createRecord, type DomainBody, type ErrorBody } from './support/fixtures.js';
import { CALLERS, withTokens } from './support/fake-tokens.js';
import { useApi } from './support/use-api.js';

const ADA = { ...CALLERS['token-a'], userId: 'user-a', tenantId: 'tenant-a', roles: ['dns-admin'] };
const KEY = { id: 'KEY', rules: undefined, networks: [], massDelete: false };
const callers = {
  'token-ada': { ...ADA, userName: 'ada' },
  'token-key': { ...ADA, userId: 'user-k', userName: 'ada', key: KEY },
};

const api = useApi({
  env: { DNS_API_MAX_DOMAINS: '1000' },
  overrides: {
    tokens: withTokens(callers),
  },
});

let zone: DomainBody;
beforeEach(async () => {
  zone = await createDomain(api);
});

const path = (rest: string) => `/v1/domains/${zone.id}${rest}`;
const newRecord = (label: string, data = '192.0.2.1') => ({
  name: `${label}.${zone.name}`,
  type: 'A',
  data,
});

interface ChangeBody {
  readonly id: number;
  readonly action: string;
  readonly serial_after: number;
  readonly before: { name: string } | null;
  readonly after: { name: string } | null;
}
interface StepBody {
  readonly id: number;
  readonly serial_after: number;
  readonly counts: Record<string, number>;
  readonly names: string[];
}

/** Uses fetch, which sends the octets of a header unchanged; supertest encodes them again if there is a body. */
async function postNoted(token: string, note: string) {
  const response = await fetch(new URL(path('/records'), api.url), {
    method: 'POST',
    headers: {
      'X-Auth-Token': token,
      'X-Zonewright-Note': note,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(newRecord('www')),
  });
  return { status: response.status, body: (await response.json()) as ErrorBody };
}

async function list(query: string) {
  const response = await api.call('get', path(`/changes${query}`)).expect(200);
  const { changes, steps = [] } = response.body as { changes: ChangeBody[]; steps?: StepBody[] };
  return { changes, steps, headers: response.headers as Record<string, string> };
}

describe('extended=true (Beyond the specification, Authors of changes)', () => {
  it('shows the author by name, the restricted key, the source and the note', async () => {
    const note = 'moving mail — Grüße';
    expect(
      await postNoted('token-key', Buffer.from(note, 'utf8').toString('latin1')),
    ).toMatchObject({ status: 200 });
    const { changes } = await list('?extended=true');
    expect(changes[0]).toMatchObject({
      user_id: 'user-k',
      user_name: 'ada',
      access_key_id: 'KEY',
      source: 'api',
      note,
    });
    expect(changes[1]).toMatchObject({
      user_name: null,
      access_key_id: null,
      source: 'api',
      note: null,
    });
  });

  it('old clients see no new members', async () => {
    const { changes } = await list('');
    expect(Object.keys(changes[0] ?? {})).toEqual([
      'id',
      'action',
      'serial_before',
      'serial_after',
      'record_id',
      'before',
      'after',
      'user_id',
      'request_id',
      'changed_at',
    ]);
  });

  it("the service itself determines the source of a change, regardless of the client's headers", async () => {
    const { serial } = (await api.call('get', path(''))).body as DomainBody;
    const forged = { 'X-Zonewright-Source': 'operator' };
    const record = await createRecord(api, zone.id, newRecord('a'));
    await api
      .call('delete', path(`/records/${record.id}`))
      .set(forged)
      .expect(200);
    const operations = [{ action: 'create', record: newRecord('b') }];
    await api.call('post', path('/batch'), { operations }).set(forged).expect(200);
    await api.call('post', path('/import'), { zonefile: 'c 60 IN A 192.0.2.1\n' }).expect(200);
    await api.call('post', `/v2/zones/${zone.id}/recordsets`, {
      name: `d.${zone.name}`,
      type: 'A',
      records: ['192.0.2.1'],
    });
    await api.call('post', path('/restore'), { serial, confirm: true }).expect(200);
    const { steps } = await list('?group=serial');
    expect(steps.map((step) => (step as unknown as { source: string }).source)).toEqual([
      'restore',
      'designate',
      'import',
      'batch',
      'api',
      'api',
      'api',
    ]);
  });

  it.each([
    ['too long', 'x'.repeat(256)],
    ['no UTF-8', '\xe4'],
    ['a tab', 'a\tb'],
    ['a bidirectional override', Buffer.from('a\u202eb').toString('latin1')],
    ['a line separator', Buffer.from('a\u2028b').toString('latin1')],
  ])('a note that is %s gets 400, and nothing is done', async (_what, note) => {
    const { status, body } = await postNoted('token-a', note);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: 'X-Zonewright-Note', validator: 'format' }]);
    expect((await list('')).changes).toHaveLength(1);
  });
});

describe('Filters of changes', () => {
  it('filters by record_id, name (before and after), type and user_id', async () => {
    const www = await createRecord(api, zone.id, newRecord('www'));
    await createRecord(api, zone.id, newRecord('mail'));
    await api.call('put', path(`/records/${www.id}`), { name: `web.${zone.name}` }).expect(200);
    await api.callAs('token-key', 'delete', path(`/records/${www.id}`)).expect(200);
    const actions = async (query: string) =>
      (await list(query)).changes.map(({ action }) => action);
    const own = ['record-delete', 'record-update', 'record-create'];
    expect(await actions(`?record_id=${www.id}`)).toEqual(own);
    expect(await actions(`?name=WWW.${zone.name}`)).toEqual(own.slice(1));
    expect(await actions(`?name=web.${zone.name}`)).toEqual(own.slice(0, 2));
    expect(await actions(`?type=a&name=web.${zone.name}`)).toEqual(own.slice(0, 2));
    expect(await actions('?type=MX')).toEqual([]);
    expect(await actions('?user_id=user-k')).toEqual(['record-delete']);
    expect(await actions('?user_id=nobody')).toEqual([]);
    expect(await actions(`?name=www.${zone.name}&user_id=user-k`)).toEqual([]);
  });

  it('since and until are times in UTC; since is included, and until is not', async () => {
    await createRecord(api, zone.id, newRecord('www'));
    const { changes } = await list('');
    const [second, first] = changes.map(
      (each) => (each as unknown as { changed_at: string }).changed_at,
    );
    const count = async (query: string) => (await list(query)).changes.length;
    expect(await count(`?since=${second ?? ''}`)).toBe(1);
    expect(await count(`?since=${first ?? ''}Z`)).toBe(2);
    expect(await count(`?until=${second ?? ''}`)).toBe(1);
    expect(await count('?until=2020-01-01')).toBe(0);
  });

  it.each([
    'since=yesterday',
    'until=2026-99-01',
    'since=',
    'record_id=x',
    'name=',
    'type=',
    'type=NONE',
    'group=user',
    'extended=yes',
  ])('%s gets 400', async (query) => {
    const response = await api.call('get', path(`/changes?${query}`));
    expect(response.status).toBe(400);
  });

  it('the link to the next page repeats them', async () => {
    for (const label of ['a', 'b', 'c']) await createRecord(api, zone.id, newRecord(label));
    const { headers } = await list(`?limit=1&extended=true&user_id=user-a`);
    const next = /<([^>]+)>/.exec(headers['link'] ?? '')?.[1] ?? '';
    const parameters = new URL(next).searchParams;
    expect(parameters.get('extended')).toBe('true');
    expect(parameters.get('user_id')).toBe('user-a');
  });
});

describe('group=serial', () => {
  it('shows one step for each serial, with counts by action, the first three names, the author and the note', async () => {
    const labels = ['d', 'c', 'b', 'a'];
    const operations = labels.map((label) => ({ action: 'create', record: newRecord(label) }));
    await api
      .callAs('token-ada', 'post', path('/batch'), { operations })
      .set('X-Zonewright-Note', 'four')
      .expect(200);
    const { changes, steps } = await list('?group=serial');
    expect(changes).toEqual([]);
    expect(steps).toMatchObject([
      {
        counts: { 'record-create': 4 },
        names: labels.slice(0, 3).map((label) => `${label}.${zone.name}`),
        user_name: 'ada',
        source: 'batch',
        note: 'four',
      },
      { counts: { 'domain-create': 1 }, names: [], serial_before: null, note: null },
    ]);
  });

  it('has pages, and a filter returns whole steps that contain such a change', async () => {
    const operations = ['a', 'b'].map((label) => ({ action: 'create', record: newRecord(label) }));
    await api.call('post', path('/batch'), { operations }).expect(200);
    await createRecord(api, zone.id, newRecord('c'));
    const all = (await list('?group=serial')).steps;
    const first = await list('?group=serial&limit=2');
    expect(first.steps).toEqual(all.slice(0, 2));
    const link = /<([^>]+)>/.exec(first.headers['link'] ?? '')?.[1] ?? '';
    const second = await list(new URL(link).search);
    expect(second.steps).toEqual(all.slice(2));
    expect(second.headers).not.toHaveProperty('link');
    const found = await list(`?group=serial&name=b.${zone.name}`);
    expect(found.steps).toEqual(all.slice(1, 2));
  });
});
