import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@zonewright/zones';
import { waitFor } from '@zonewright/testkit';
import { EventListener } from './support/event-listener.js';
import { withTokens } from './support/fake-tokens.js';
import { createDomain, createRecord, type DomainBody } from './support/fixtures.js';
import { addServers, report, reportAll } from './support/nameserver-reports.js';
import { useApi } from './support/use-api.js';

const RULE = { zone: 'ruled.example.', name: 'www', types: ['A'], actions: ['read'] as const };
const restricted: Caller = {
  userId: 'user-k',
  tenantId: 'tenant-a',
  roles: ['dns-admin'],
  key: { id: 'KEY', rules: [RULE], networks: [], massDelete: false },
};
/** A connection that checks again and again whether its token is still valid. */
const ending = { isGood: true, isUnchanged: true, asked: 0 };
const tokens = withTokens({ 'token-key': restricted });
const api = useApi({
  env: { DNS_API_MAX_DOMAINS: '1000' },
  overrides: {
    tokens: {
      ...tokens,
      hold: async (token, source) => {
        const held = await tokens.hold(token === 'token-ending' ? 'token-b' : token, source);
        if (token !== 'token-ending') return held;
        ending.asked += 1;
        if (!ending.isGood) return await tokens.hold('none', source);
        ending.isUnchanged = true;
        return { ...held, isUnchanged: () => ending.isUnchanged };
      },
      validate: (token, source) =>
        tokens.validate(token === 'token-ending' ? 'token-b' : token, source),
    },
  },
});

const listeners: EventListener[] = [];
function listen(token = 'token-a', lastEventId = '', headers = {}): Promise<EventListener> {
  const listener = new EventListener(api.url, token, lastEventId, headers);
  listeners.push(listener);
  return listener.listening();
}
const add = (zone: DomainBody, name = 'www') =>
  createRecord(api, zone.id, { name: `${name}.${zone.name}`, type: 'A', data: '192.0.2.1' });

beforeAll(() => addServers(api.db));
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close();
});

describe('Listen to Events', () => {
  it('reports a change, and each of its steps to the nameservers', async () => {
    await reportAll(api.db);
    const listener = await listen();
    const zone = await createDomain(api);
    await add(zone);
    await waitFor(() => listener.of('change').length === 2);
    const [created, added] = listener.of('change');
    expect(created).toMatchObject({ domain_name: zone.name, counts: { 'domain-create': 1 } });
    expect(added).toMatchObject({
      domain_id: zone.id,
      counts: { 'record-create': 1 },
      names: [`www.${zone.name}`],
      user_id: 'user-a',
      source: 'api',
    });
    const serial = added?.['serial_after'];
    const progress = () => listener.of('publication').filter((each) => each['serial'] === serial);
    await reportAll(api.db, [1, 2]);
    await waitFor(() => progress().at(-1)?.['applied'] === 2);
    expect(progress().at(-1)).toMatchObject({ state: 'pending', live: 6, total: 6 });
    await reportAll(api.db, [3, 4, 5, 6]);
    await waitFor(() => progress().at(-1)?.['state'] === 'published');
    const nameservers = progress().at(-1)?.['nameservers'] as { name: string; applied: boolean }[];
    expect(nameservers.map(({ applied }) => applied)).toEqual(Array(6).fill(true));
  });

  it('is an event stream that no proxy compresses or delays', async () => {
    const listener = await listen('token-a', '', { 'Accept-Encoding': 'br, gzip' });
    expect(listener.status).toBe(200);
    expect(listener.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(listener.headers['content-encoding']).toBeUndefined();
    await api.call('get', '/v1/events').set('Accept', 'application/json').expect(406);
    await api.call('head', '/v1/events').expect(200);
  });

  it('sends nothing to other tenants', async () => {
    const [own, other] = [await listen(), await listen('token-b')];
    await add(await createDomain(api));
    const foreign = await createDomain(api, {}, 'token-b');
    await waitFor(() => other.of('change').length === 1 && own.of('change').length === 2);
    expect(other.of('change')[0]).toMatchObject({ domain_id: foreign.id });
    expect(own.text).not.toContain(foreign.name);
  });

  it('sends a restricted key only events of the domains in its rules, as these show them', async () => {
    const listener = await listen('token-key');
    const hidden = await createDomain(api);
    const zone = await createDomain(api, { name: RULE.zone });
    await add(zone, 'secret');
    await waitFor(() => listener.of('change').length === 2);
    expect(Object.keys(listener.of('change')[1] ?? {})).toEqual([
      'domain_id',
      'domain_name',
      'serial_after',
      'changed_at',
    ]);
    expect(listener.text).not.toContain('secret');
    expect(listener.text).not.toContain(hidden.name);
  });

  it('continues after Last-Event-ID: missed events are sent once', async () => {
    const zone = await createDomain(api);
    const first = await listen();
    await add(zone, 'one');
    await waitFor(() => first.text.includes('one.'));
    first.close();
    for (const name of ['two', 'three']) await add(zone, name);
    const second = await listen('token-a', first.lastEventId);
    await add(zone, 'four');
    await waitFor(() => second.of('change').length === 3);
    const names = second.of('change').flatMap((each) => each['names'] as string[]);
    expect(names).toEqual(['two', 'three', 'four'].map((name) => `${name}.${zone.name}`));
  });

  it('clients that reconnect again and again lose nothing while many changes are made', async () => {
    const zones = await Promise.all(Array.from({ length: 4 }, () => createDomain(api)));
    let listener = await listen();
    const heard = new Set<string>();
    const keep = () => {
      for (const each of listener.of('change')) {
        heard.add(`${String(each['domain_id'])} ${String(each['serial_after'])}`);
      }
    };
    const writing = { isOver: false };
    const written = Promise.all(
      zones.map(async (zone) => {
        const serials: string[] = [];
        for (let n = 0; n < 25; n++) {
          const { name } = zone;
          const response = await api
            .call('post', `/v1/domains/${zone.id}/records`, {
              name: `n${n}.${name}`,
              type: 'A',
              data: '192.0.2.1',
            })
            .expect(200);
          serials.push(`${zone.id} ${String(response.headers['x-zonewright-serial'])}`);
        }
        return serials;
      }),
    ).finally(() => (writing.isOver = true));
    while (!writing.isOver) {
      await waitFor(() => listener.of('change').length > 2 || writing.isOver);
      keep();
      listener.close();
      listener = await listen('token-a', listener.lastEventId);
    }
    const all = (await written).flat();
    await waitFor(() => {
      keep();
      return all.every((each) => heard.has(each));
    });
  });

  it('reports if some missed events cannot be sent', async () => {
    const listener = await listen('token-a', '9000000000000:9000000000000:');
    await waitFor(() => listener.of('gap').length === 1);
    await createDomain(api);
    await waitFor(() => listener.of('change').length === 1);
  });

  it('ADR 0020: reports if PostgreSQL was unavailable, because it reuses ids after a crash', async () => {
    const listener = await listen();
    const { rowCount } = await api.db.raw<{ rowCount: number }>(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'zonewright-dns-api-events'`,
    );
    expect(rowCount).toBe(1);
    await createDomain(api);
    await waitFor(() => listener.of('gap').length === 1);
    await createDomain(api);
    await waitFor(() => listener.of('change').length === 1);
  });

  it.each(['x', '5:4:', '1:2:3', '0:0:', '1:9:7,5', `1:${'9'.repeat(19)}:`])(
    'Last-Event-ID %s is refused',
    async (id) => {
      const response = await api.call('get', '/v1/events').set('Last-Event-ID', id).expect(400);
      expect((response.body as { errors: object[] }).errors).toHaveLength(1);
    },
  );

  it('a repeated report of one nameserver sends nothing new', async () => {
    const zone = await createDomain(api);
    await reportAll(api.db);
    const listener = await listen();
    await add(zone);
    await waitFor(() => listener.of('change').length === 1);
    await report(api.db, 1);
    await report(api.db, 1);
    await reportAll(api.db);
    const told = () => listener.of('publication').filter((each) => each['domain_id'] === zone.id);
    await waitFor(() => told().at(-1)?.['state'] === 'published');
    const counts = told().map((each) => each['applied']);
    expect(counts).toEqual([...new Set(counts)]);
  });

  it('after a revocation it continues when its token has been validated', async () => {
    Object.assign(ending, { isGood: true, isUnchanged: true, asked: 0 });
    const listener = await listen('token-ending');
    ending.isUnchanged = false;
    const zone = await createDomain(api, {}, 'token-b');
    await waitFor(() => listener.of('change').length === 1);
    expect(listener.of('change')[0]).toMatchObject({ domain_id: zone.id });
    expect(ending.asked).toBe(2);
  });

  it('ends with its token, and sends nothing afterwards', async () => {
    Object.assign(ending, { isGood: true, isUnchanged: true, asked: 0 });
    const listener = await listen('token-ending');
    Object.assign(ending, { isGood: false, isUnchanged: false });
    await createDomain(api, {}, 'token-b');
    await waitFor(() => listener.isEnded);
    expect(listener.events).toEqual([]);
    const metrics = await (await fetch(`${api.operationsUrl}/metrics`)).text();
    expect(metrics).toMatch(/event_streams_ended_total\{reason="token".*\} [1-9]/);
  });

  it('is counted as answered when it begins', async () => {
    const listener = await listen();
    listener.close();
    await waitFor(async () => {
      const metrics = await (await fetch(`${api.operationsUrl}/metrics`)).text();
      return (
        /route="\/v1\/events",status="200"/.test(metrics) && !/events",status="499"/.test(metrics)
      );
    });
  });
});
