import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generateKeyringText } from '@zonewright/database';
import { DnsApiService } from '@zonewright/dns-api';
import { createLogger } from '@zonewright/service-kit';
import { waitFor } from '@zonewright/testkit';
import request from 'supertest';
import { OPERATIONS } from '../src/operations.js';
import { DECLINED_OPERATIONS } from '../src/v2/operations.js';
import { type ErrorBody, freshName, readDomain } from './support/fixtures.js';
import { addServers, reportAll } from './support/nameserver-reports.js';
import { fakeTokens } from './support/fake-tokens.js';
import { useSoundWrites } from './support/sound-writes.js';
import { type Api, testSettings, useApi } from './support/use-api.js';

const lines: string[] = [];
const log = createLogger('dns-api', 'info', { write: (line) => void lines.push(line) });
const env = {
  DNS_API_MAX_DOMAINS: '1000',
  DNS_API_MAX_ZONE_TASKS: '1000',
  DNS_API_MAX_PEERS: '1000',
  DNS_API_SECONDARIES: 'false',
  TRANSFER_ENCRYPTION_KEYS: generateKeyringText('k1'),
};
// The domain is not signed while the signatures are still being requested.
const signer = { sign: () => Promise.reject(new Error('nothing is to be signed here')) };
const api = useApi({ env, overrides: { log, signer } });

/** The same API, in which every tenant has exceeded the write limit. */
let spent: DnsApiService;
let atSpent: Pick<Api, 'callAs'>;
beforeAll(async () => {
  const settings = testSettings(api.databaseUrl, {
    ...env,
    DNS_API_MAX_WRITE_BYTES_PER_MINUTE: '1024',
  });
  spent = DnsApiService.create(settings, { tokens: fakeTokens, signer });
  const { http = '' } = await spent.start();
  atSpent = {
    callAs: (token = '', method, path, body) =>
      request(http)[method](path).set('X-Auth-Token', token).send(body),
  };
  for (const token of ['token-a', 'token-b', 'token-operator']) {
    const name = freshName();
    const made = await atSpent.callAs(token, 'post', '/v1/domains', {
      name,
      email: 'a@example.com',
    });
    const { id } = made.body as { id: string };
    const long = { name, type: 'TXT', data: 'x'.repeat(20_000) };
    await atSpent.callAs(token, 'post', `/v1/domains/${id}/records`, long).expect(200);
  }
});
afterAll(() => spent.stop());

const sound = useSoundWrites(api);
const { prepare, send } = sound;

/** A stored response would contain the secret, so these operations accept no Idempotency-Key. */
const SECRET = new Set([
  'Create Zone Transfer Request (v2)',
  'Create TSIG Key (v2)',
  'Update TSIG Key (v2)',
  'Create Peer',
]);
/** These operations change data about zones, but no zone. */
const ABOUT_ZONES =
  /quotas|peers|dnssec|tsigkeys|tlds|blacklists|shares|refresh|tasks\/(export|exports|transfer_requests|xfr)|imports\/\{/;

// Declined operations have no effect.
const declined = new Set(DECLINED_OPERATIONS.map(({ id }) => id));
// Relayed messages are either signed and performed or not, so they have no dry run, and other projects' protocols do
// not have one either.
const writes = OPERATIONS.filter(
  ({ method, id, access, onlyReads }) =>
    method !== 'GET' &&
    onlyReads !== true &&
    access !== 'nameserver' &&
    access !== 'key' &&
    !declined.has(id),
);

/**
 * Returns for every table of the schema the number of rows and a checksum; data that retention counts in the meantime
 * is excluded.
 */
async function dump(): Promise<Record<string, unknown>> {
  const { rows: tables } = await api.db.raw<{ rows: { name: string }[] }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'dns' and table_type = 'BASE TABLE' and table_name not in ('history_counted', 'history_sizes')
      order by table_name`,
  );
  const sums = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as rows, sum(hashtextextended(t::text, 0)) as sum from dns.${name} as t`,
  );
  const { rows } = await api.db.raw<{ rows: { name: string }[] }>(sums.join(' union all '));
  return Object.fromEntries(rows.map((row) => [row.name, row]));
}

it('every operation that changes something is tested below', () => {
  expect(sound.names.toSorted()).toEqual(writes.map(({ name }) => name).sort());
});

describe.each(writes)('$name', (operation) => {
  let before: unknown;

  // One preparation is enough for all cases, because none of them has an effect.
  beforeAll(async () => {
    await prepare(operation);
    before = await dump();
  });

  it.each([
    ['?dryrun=true', 'dryrun', 'additionalProperties'],
    ['?x', 'x', 'additionalProperties'],
    ['?DRY_RUN=true', 'DRY_RUN', 'additionalProperties'],
    ['?dry_run=false&dry_run=true', 'dry_run', 'unique'],
    ['?dry_run=yes', 'dry_run', 'type'],
    ['?dry_run=', 'dry_run', 'type'],
  ])('D-REQ: the query %s gets 400, and nothing is done', async (query, path, validator) => {
    const response = await send(operation, query, sound.bodyOf(operation));
    expect(response.status).toBe(400);
    expect((response.body as ErrorBody).errors).toMatchObject([{ path, validator }]);
    expect(await dump()).toEqual(before);
  });

  it('DNS API s7: returns 429 after too many writes, 404 for a missing object, and 412 for a changed one', async () => {
    const body = sound.bodyOf(operation);
    const refused = await send(operation, '', body, { at: atSpent });
    expect(refused.status).toBe(429);
    if (operation.path.includes('{')) {
      const stale = await send(operation, '', body).set('If-Match', '"of another time"');
      expect(stale.status).toBe(412);
    }
    if (/\{(?!project_id)/.test(operation.path)) {
      const missing = await send(operation, '', body, { isThere: false });
      expect(missing.status).toBe(404);
    }
    expect(await dump()).toEqual(before);
  });

  it('D-REQ: ?dry_run=true answers like the write, changes no table and does not use the Idempotency-Key', async () => {
    const { status = 200 } = operation;
    const body = sound.bodyOf(operation);
    const key: Record<string, string> = SECRET.has(operation.name)
      ? {}
      : { 'Idempotency-Key': freshName() };
    const tried = await send(operation, '?dry_run=true', body).set(key);
    expect({ status: tried.status, body: tried.body as unknown }).toMatchObject({ status });
    expect(tried.headers['x-zonewright-dry-run']).toBe('true');
    for (const name of ['etag', 'location', 'x-zonewright-serial']) {
      expect(tried.headers).not.toHaveProperty(name);
    }
    expect(await dump()).toEqual(before);

    const done = await send(operation, '?dry_run=false', body).set(key);
    expect(done.status).toBe(status);
    expect(done.headers).not.toHaveProperty('x-zonewright-dry-run');
    expect(Object.keys(tried.body as object)).toEqual(
      expect.arrayContaining(Object.keys(done.body as object)),
    );
    expect(await dump()).not.toEqual(before);
  });
});

describe.each(writes.filter(({ path }) => !ABOUT_ZONES.test(path)))('$name', (operation) => {
  it("D-ZONE: the response to a write has the domain's serial", async () => {
    await prepare(operation);
    const response = await send(operation, '', sound.bodyOf(operation));
    expect(response.status).toBe(operation.status ?? 200);
    const serial = Number(response.headers['x-zonewright-serial']);
    const { rows } = await api.db.raw<{ rows: { serial: number }[] }>(
      'select max(serial) as serial from dns.domains where changed_in = (select max(changed_in) from dns.domains)',
    );
    expect(serial).toBe(rows[0]?.serial);
    const changes = await api.db.raw<{ rows: unknown[] }>(
      'select id from dns.zone_changes where serial_after = ? and changed_in = (select max(changed_in) from dns.domains)',
      [serial],
    );
    expect(changes.rows).not.toEqual([]);
  });
});

it('DNS API s7: reading a file gets 429 after too many writes, and stores nothing', async () => {
  const before = await dump();
  const body = { zonefile: '$ORIGIN read.example.\nwww 60 A 192.0.2.1\n' };
  const path = '/v1/domains/import/read';
  const refused = await atSpent.callAs('token-a', 'post', path, body);
  const read = await api.call('post', path, body);
  const tried = await api.call('post', `${path}?dry_run=true`, body);
  expect([refused.status, read.status, tried.status]).toEqual([429, 200, 400]);
  expect(await dump()).toEqual(before);
});

describe('DNS API s7: 409 for what stands in the way', () => {
  it('reports an existing name of a zone that is created or imported', async () => {
    await prepare();
    const body = { name: sound.zone.name, email: 'a@example.com' };
    const created = await api.call('post', '/v2/zones', body);
    const zonefile = 'www 60 IN A 192.0.2.7\n';
    const imported = await api.call('post', '/v1/domains/import', { ...body, zonefile });
    expect([created.status, imported.status]).toEqual([409, 409]);
  });

  it('reports an existing name of another TSIG key', async () => {
    const update = writes.find(({ id }) => id === 'updateTsigKey')!;
    await prepare(update);
    const { tsigkeys } = (await api.callAs('token-operator', 'get', '/v2/tsigkeys')).body as {
      tsigkeys: { name: string }[];
    };
    await prepare(update);
    const renamed = await send(update, '', { name: tsigkeys[0]?.name });
    expect(renamed.status).toBe(409);
  });

  it('reports primaries of a domain that is to be signed', async () => {
    await prepare(writes.find(({ id }) => id === 'deletePrimaries'));
    const path = `/v1/domains/${sound.zone.id}/dnssec`;
    expect((await api.call('put', path, { enabled: true })).status).toBe(409);
  });
});

describe('A dry run', () => {
  beforeEach(() => prepare());

  it('is refused like the write', async () => {
    const path = `/v1/domains/${sound.zone.id}`;
    const records = `${path}/records`;
    const twin = await api.call('post', `${records}?dry_run=true`, sound.newRecord('www'));
    expect(twin.status).toBe(409);
    const other = await api.callAs('token-b', 'delete', `${path}?dry_run=true`);
    expect(other.status).toBe(404);
    const old = await api.call('delete', `${path}?dry_run=true`).set('If-Match', '"1"');
    expect(old.status).toBe(412);
    expect(await readDomain(api, sound.zone.id)).toMatchObject({ id: sound.zone.id });
  });

  it('shows the domain after the change, with its current serial', async () => {
    const { serial } = await readDomain(api, sound.zone.id);
    const tried = await api.call('put', `/v1/domains/${sound.zone.id}?dry_run=true`, { ttl: 7 });
    expect(tried.body).toMatchObject({ ttl: 7, serial });
    expect(await readDomain(api, sound.zone.id)).toMatchObject({ ttl: sound.zone.ttl, serial });
  });

  it('does not wait for nameservers', async () => {
    await addServers(api.db);
    await reportAll(api.db);
    const tried = await api
      .call('put', `/v1/domains/${sound.zone.id}?dry_run=true`, { ttl: 7 })
      .set('Prefer', 'wait=10');
    expect(tried.status).toBe(200);
    expect(tried.headers).not.toHaveProperty('preference-applied');
    expect(tried.headers).not.toHaveProperty('x-zonewright-published');
  });

  it('is marked as a dry run in the audit log', async () => {
    lines.length = 0;
    await api.call('delete', `/v1/domains/${sound.zone.id}?dry_run=true`).expect(200);
    await api.call('delete', `/v1/domains/${sound.zone.id}`).expect(200);
    const audit = () =>
      lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === 'audit');
    await waitFor(() => audit().length === 2);
    expect(audit().map(({ dryRun }) => dryRun)).toEqual([true, undefined]);
  });
});
