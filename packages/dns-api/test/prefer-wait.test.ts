import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsApiService } from '@zonewright/dns-api';
import { waitFor } from '@zonewright/testkit';
import { request as httpRequest } from 'node:http';
import { fakeTokens } from './support/fake-tokens.js';
import { createDomain, createRecord, type DomainBody, freshName } from './support/fixtures.js';
import { addServers, report, reportAll, silence } from './support/nameserver-reports.js';
import { testSettings, useApi } from './support/use-api.js';

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000', DNS_API_DATABASE_CONNECTIONS: '3' } });

/** A number larger than that of the service's database connections. */
const MANY = 4;

type Method = 'post' | 'put' | 'delete';

let domain: DomainBody;
let recordId: string;

beforeAll(async () => {
  await addServers(api.db);
});
beforeEach(async () => {
  await reportAll(api.db);
  domain = await createDomain(api);
  const body = { name: `www.${domain.name}`, type: 'A', data: '192.0.2.1' };
  recordId = (await createRecord(api, domain.id, body)).id;
});
afterEach(async () => {
  await waitFor(async () => (await countWaiters()) === 0);
});

const write = (method: Method, path: string, body: object | undefined, prefer: string) =>
  api.call(method, path, body).set('Prefer', prefer);

/**
 * Sends a request, and resolves when this number of requests is waiting. @throws Error with the response if it arrived
 * instead
 */
async function begin(answer: ReturnType<typeof write>, waiters = 1) {
  const state = { isAnswered: false };
  const answered = answer.then((response) => {
    state.isAnswered = true;
    return response;
  });
  await waitFor(async () => state.isAnswered || (await countWaiters()) === waiters);
  if (state.isAnswered) {
    const { status, headers, text } = await answered;
    throw new Error(`It did not wait: ${status} ${JSON.stringify(headers)} ${text}`);
  }
  return { state, answered };
}

async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`${api.operationsUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`zonewright_dns_api_${name} `));
  return Number(line?.split(' ')[1] ?? 0);
}

const countWaiters = () => readMetric('publication_waiters');
const countTimedOut = () => readMetric('publication_wait_seconds_count{outcome="timed-out"}');

const newRecord = () => ({ name: `x.${domain.name}`, type: 'A', data: '192.0.2.9' });

describe('Prefer: wait (RFC 7240)', () => {
  it('the response comes when all six have applied the change, with the usual status and body', async () => {
    const path = `/v1/domains/${domain.id}/records`;
    const { state, answered } = await begin(write('post', path, newRecord(), 'wait=10'));
    await reportAll(api.db, [1, 2, 3, 4, 5]);
    expect(state.isAnswered).toBe(false);
    await report(api.db, 6);
    const response = await answered;
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'preference-applied': 'wait',
      'x-zonewright-published': '6/6',
      location: expect.stringContaining(path) as unknown,
    });
    expect(response.body).toMatchObject(newRecord());
  });

  type Write = [Method, string, object?];
  const records = () => `/v1/domains/${domain.id}/records`;
  const newDomain = () => ({ name: freshName(), email: 'a@example.com' });
  const zonefile = 'imported 300 IN A 192.0.2.3';
  const everyWrite: [string, () => Write][] = [
    ['Create Domain', () => ['post', '/v1/domains', newDomain()]],
    ['Update Domain', () => ['put', `/v1/domains/${domain.id}`, { ttl: 77 }]],
    ['Delete Domain', () => ['delete', `/v1/domains/${domain.id}`]],
    ['Create Record', () => ['post', records(), newRecord()]],
    ['Update Record', () => ['put', `${records()}/${recordId}`, { data: '192.0.2.8' }]],
    ['Delete Record', () => ['delete', `${records()}/${recordId}`]],
    [
      'a batch',
      () => [
        'post',
        `/v1/domains/${domain.id}/batch`,
        { operations: [{ action: 'create', record: newRecord() }] },
      ],
    ],
    [
      'a restore',
      () => ['post', `/v1/domains/${domain.id}/restore`, { serial: domain.serial, confirm: true }],
    ],
    ['an import', () => ['post', `/v1/domains/${domain.id}/import`, { zonefile }]],
    [
      'an import as a new domain',
      () => ['post', '/v1/domains/import', { ...newDomain(), zonefile }],
    ],
  ];

  it.each(everyWrite)('%s waits', async (_, prepare) => {
    const [method, path, body] = prepare();
    const { state, answered } = await begin(write(method, path, body, 'wait=10'));
    await reportAll(api.db, [1, 2, 3, 4, 5]);
    expect(state.isAnswered).toBe(false);
    await report(api.db, 6);
    const response = await answered;
    expect(response.status).toBe(200);
    expect(response.headers['x-zonewright-published']).toBe('6/6');
  });

  it('an undelete waits', async () => {
    await api.call('delete', `/v1/domains/${domain.id}`).expect(200);
    await reportAll(api.db);
    const { answered } = await begin(
      write('post', `/v1/domains/${domain.id}/undelete`, undefined, 'wait=10'),
    );
    await reportAll(api.db);
    expect((await answered).headers['x-zonewright-published']).toBe('6/6');
  });

  it('after N seconds the response comes anyway and reports the state of the change', async () => {
    const { answered } = await begin(
      write('post', `/v1/domains/${domain.id}/records`, newRecord(), 'wait=2'),
    );
    await reportAll(api.db, [1, 2, 3, 4]);
    const response = await answered;
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({
      'preference-applied': 'wait',
      'x-zonewright-published': '4/6',
      'x-zonewright-publication': 'pending; applied=4; live=6; total=6',
    });
  });

  it('late nameservers are distinguished from stopped ones, as in the publication of the change', async () => {
    await silence(api.db, [2, 3, 4, 5, 6]);
    const { answered } = await begin(
      write('post', `/v1/domains/${domain.id}/records`, newRecord(), 'wait=10'),
    );
    await report(api.db, 1);
    const { headers } = await answered;
    expect(headers).toMatchObject({
      'x-zonewright-published': '1/6',
      'x-zonewright-publication': 'published; applied=1; live=1; total=6',
    });
    const serial = String(headers['x-zonewright-serial']);
    const publication = await api.call('get', `/v1/domains/${domain.id}/changes/${serial}`);
    expect(publication.body).toMatchObject({ state: 'published', applied: 1, live: 1, total: 6 });
  });

  it.each(['', 'wait=soon', 'wait=0', 'respond-async'])(
    'RFC 7240 s2: Prefer: %j requests no wait and is ignored',
    async (prefer) => {
      const path = `/v1/domains/${domain.id}/records`;
      const response = await write('post', path, newRecord(), prefer);
      expect(response.status).toBe(200);
      expect(response.headers).not.toHaveProperty('preference-applied');
      expect(response.headers).not.toHaveProperty('x-zonewright-published');
    },
  );

  it('a refused write does not wait', async () => {
    const path = `/v1/domains/${domain.id}/records`;
    const response = await write('post', path, { ...newRecord(), data: 'x' }, 'wait=10');
    expect(response.status).toBe(400);
    expect(response.headers).not.toHaveProperty('preference-applied');
  });

  it('a nameserver that becomes silent while a write waits ends the wait', async () => {
    await report(api.db, 6, { ageSeconds: 9.5 });
    const { answered } = await begin(
      write('post', `/v1/domains/${domain.id}/records`, newRecord(), 'wait=10'),
    );
    const timedOut = await countTimedOut();
    await reportAll(api.db, [1, 2, 3, 4, 5]);
    const response = await answered;
    expect(response.headers['x-zonewright-published']).toBe('5/6');
    expect(await countTimedOut()).toBe(timedOut);
  });

  it('without a live nameserver there is no wait', async () => {
    await silence(api.db, [1, 2, 3, 4, 5, 6]);
    const path = `/v1/domains/${domain.id}/records`;
    const response = await write('post', path, newRecord(), 'wait=10');
    expect(response.headers['x-zonewright-published']).toBe('0/6');
  });

  it('a write without effect waits for the change that led to this state', async () => {
    const path = `/v1/domains/${domain.id}/records/${recordId}`;
    const { answered } = await begin(write('put', path, { data: '192.0.2.1' }, 'wait=10'));
    await reportAll(api.db);
    expect((await answered).headers['x-zonewright-published']).toBe('6/6');
  });

  it('a repetition with the same Idempotency-Key waits for the change of the first request', async () => {
    const post = (prefer: string) =>
      write('post', `/v1/domains/${domain.id}/records`, newRecord(), prefer).set(
        'Idempotency-Key',
        `wait-${domain.id}`,
      );
    const first = await post('');
    const { answered } = await begin(post('wait=10'));
    await reportAll(api.db);
    const second = await answered;
    expect(second.body).toEqual(first.body);
    expect(second.headers['x-zonewright-published']).toBe('6/6');
    const third = await post('');
    expect(third.headers).not.toHaveProperty('x-zonewright-published');
  });

  it('a client that disconnects ends its wait', async () => {
    const call = httpRequest(`${api.url}/v1/domains/${domain.id}`, {
      method: 'PUT',
      headers: { 'X-Auth-Token': 'token-a', Prefer: 'wait=10' },
    });
    call.on('error', () => undefined);
    call.end('{"ttl":55}');
    await waitFor(async () => (await countWaiters()) === 1);
    const timedOut = await countTimedOut();
    call.destroy();
    await waitFor(async () => (await countWaiters()) === 0);
    expect(await countTimedOut()).toBe(timedOut);
  });

  it('while many wait, others get a connection to the database', async () => {
    const path = `/v1/domains/${domain.id}/records`;
    const waiting: Awaited<ReturnType<typeof begin>>[] = [];
    // The requests are sent one after the other: with so few connections a tenant has one slot, and the others wait at
    // most half a second for it.
    while (waiting.length < MANY) {
      const body = { ...newRecord(), name: `w${waiting.length}.${domain.name}` };
      waiting.push(await begin(write('post', path, body, 'wait=10'), waiting.length + 1));
    }
    await api.call('get', `/v1/domains/${domain.id}`).expect(200);
    await reportAll(api.db);
    const answers = await Promise.all(waiting.map(({ answered }) => answered));
    expect(answers.map(({ headers }) => headers['x-zonewright-published'])).toEqual(
      Array(MANY).fill('6/6'),
    );
  });
});

describe('A service of its own', () => {
  const started = new Set<DnsApiService>();
  afterEach(async () => {
    await Promise.all([...started].map((service) => service.stop()));
    started.clear();
  });

  async function startService(url: string) {
    const service = DnsApiService.create(testSettings(url), { tokens: fakeTokens });
    started.add(service);
    const { http = '' } = await service.start();
    const put = (ttl: number) =>
      fetch(`${http}/v1/domains/${domain.id}`, {
        method: 'PUT',
        headers: {
          'X-Auth-Token': 'token-a',
          'Content-Type': 'application/json',
          Prefer: 'wait=10',
        },
        body: JSON.stringify({ ttl }),
      });
    return { service, put };
  }

  it('that stops answers the waiting requests at once', async () => {
    const { service, put } = await startService(api.databaseUrl);
    const before = await serialOf();
    const answered = put(66);
    await waitFor(async () => (await serialOf()) > before);
    const stoppedAt = performance.now();
    await service.stop();
    const response = await answered;
    expect(response.status).toBe(200);
    started.delete(service);
    expect(performance.now() - stoppedAt).toBeLessThan(5_000);
  });

  it('that loses its notifications reads the status itself', async () => {
    const { put } = await startService(api.databaseUrl);
    // The row is written without a notification, as if the nameserver's notification were lost.
    const before = await serialOf();
    const answered = put(67);
    await waitFor(async () => (await serialOf()) > before);
    await api.db.raw(
      `update dns.nameserver_status set horizon = pg_current_snapshot(),
              applied_before = pg_snapshot_xmin(pg_current_snapshot()), heartbeat_at = now()`,
    );
    const response = await answered;
    expect(response.headers.get('x-zonewright-published')).toBe('6/6');
  });

  async function serialOf(): Promise<number> {
    const { rows } = await api.db.raw<{ rows: { serial: number }[] }>(
      'select d.serial from dns.domains as d where d.id = ?',
      [domain.id],
    );
    return rows[0]?.serial ?? 0;
  }
});
