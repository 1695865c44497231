import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@zonewright/service-kit';
import { insertAccessKey, waitFor } from '@zonewright/testkit';
import { createHash } from 'node:crypto';
import { OPERATIONS } from '../src/operations.js';
import { keyring, usePlatform } from './support/use-platform.js';

const lines: string[] = [];
const log = createLogger('dns-api', 'info', { write: (line) => void lines.push(line) });
const platform = usePlatform({ overrides: { log } });
const ZONE = 'small.example.';

interface Key {
  readonly id: string;
  readonly secret: string;
}

let token = '';
let domainId = '';
let full: Key;
/** Keys named after their rights; each has only `update` in its rules. */
let home: Key;
let acme: Key;

beforeAll(async () => {
  const { db, world } = platform;
  const { user, tenant, accountDomainId } = world;
  token = await platform.login(user, tenant.id);
  const created = await api('POST', '/v1/domains', { name: ZONE, email: 'a@small.example' });
  domainId = (created as { id: string }).id;
  const { accessKey, secretKey } = await insertAccessKey(db, keyring, {
    userId: user.id,
    accountDomainId,
  });
  full = { id: accessKey, secret: secretKey };
  home = await makeKey({ rules: [rule('home.**', ['A', 'AAAA'])] });
  acme = await makeKey({ rules: [rule('_acme-challenge.**', ['TXT'])] });
  await insertNameserver();
});

const rule = (name: string, types: string[]) => ({ zone: ZONE, name, types, actions: ['update'] });

/** Inserts a nameserver that has all changes, including future ones. */
async function insertNameserver(): Promise<void> {
  const all = `pg_snapshot '9000000000000:9000000000000:'`;
  await platform.db.raw(
    `insert into dns.servers (name, position, ipv4) values ('ns1-1.ns.example.', 1, '192.0.2.1')`,
  );
  await platform.db.raw(
    `insert into dns.nameserver_status as s
            (name, address, software, version, applied_before, horizon, zones, image_bytes, started_at, read_at, applied_at,
             heartbeat_at)
     values ('ns1-1', '127.0.0.1:53', 'test', '9.9.9', pg_snapshot_xmin(${all}), ${all}, 1, 1, now(), now(), now(),
             now() + interval '1 h')`,
  );
}

async function makeKey(restrictions: object): Promise<Key> {
  const response = await fetch(`${platform.identityUrl}/v2.0/EXT-IDM/v1.0/accesskeys`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ accessKey: { otherAttributes: { restrictions } } }),
  });
  const { accessKey } = (await response.json()) as {
    accessKey: { accessKeyId: string; secretKey: string };
  };
  return { id: accessKey.accessKeyId, secret: accessKey.secretKey };
}

async function api(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${platform.dnsUrl}${path}`, {
    method,
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === '' ? {} : (JSON.parse(text) as unknown);
}

interface ShownRecord {
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly ttl: number | null;
}

async function recordsOf(name: string): Promise<string[]> {
  const body = await api('GET', `/v1/domains/${domainId}/records`);
  return (body as { records: ShownRecord[] }).records
    .filter((each) => each.name === name)
    .map(({ type, data, ttl }) => `${type} ${data.replaceAll('"', '')} ${String(ttl)}`)
    .sort();
}

function basic({ id, secret }: Key): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${platform.dnsUrl}${path}`, init);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Returns the lines of the response. */
async function update(query: string, key: Key | null = home, status = 200): Promise<string[]> {
  const headers = key === null ? {} : basic(key);
  const answer = await ask(`/nic/update?${query}`, { headers });
  expect(answer).toMatchObject({ status });
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  return answer.text.trimEnd().split('\n');
}

async function post(path: string, headers: Record<string, string>, body?: unknown) {
  const answer = await ask(path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status, text } = answer;
  return { status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

const textOf = (seed: string) => createHash('sha256').update(seed).digest('base64url');
const wrong = (key: Key): Key => ({ ...key, secret: 'wrong' });

describe('dyndns2', () => {
  const host = `home.${ZONE}`;

  it('returns good and the address, then nochg, which keeps the serial; another address replaces it', async () => {
    expect(await update('hostname=home.small.example&myip=192.0.2.1')).toEqual(['good 192.0.2.1']);
    expect(await recordsOf(host)).toEqual(['A 192.0.2.1 60']);
    const before = await api('GET', `/v1/domains/${domainId}`);
    expect(await update('hostname=HOME.small.example.&myip=192.0.2.1')).toEqual([
      'nochg 192.0.2.1',
    ]);
    expect(await api('GET', `/v1/domains/${domainId}`)).toEqual(before);
    expect(await update('hostname=home.small.example&myip=192.0.2.2')).toEqual(['good 192.0.2.2']);
    expect(await recordsOf(host)).toEqual(['A 192.0.2.2 60']);
  });

  it('keeps address families that are not named; both can be named', async () => {
    const query = 'hostname=home.small.example';
    expect(await update(`${query}&myip=192.0.2.3&myipv6=2001:db8::3`)).toEqual([
      'good 192.0.2.3,2001:db8::3',
    ]);
    expect(await update(`${query}&myip=192.0.2.4,2001:db8::3`)).toEqual([
      'good 192.0.2.4,2001:db8::3',
    ]);
    expect(await update(`${query}&myip=2001:db8::5`)).toEqual(['good 2001:db8::5']);
    expect(await recordsOf(host)).toEqual(['A 192.0.2.4 60', 'AAAA 2001:db8::5 60']);
  });

  it.each(['', '&myip=', '&myip=&system=dyndns&wildcard=NOCHG&offline=NO'])(
    'uses the source address by default: %j',
    async (rest) => {
      await update('hostname=home.small.example&myip=192.0.2.1');
      const answer = await update(`hostname=home.small.example${rest}`);
      expect(answer).toEqual(['good 127.0.0.1']);
    },
  );

  it('keeps the TTL that the owner chose', async () => {
    const name = `ttl.home.${ZONE}`;
    const own = await makeKey({ rules: [rule('**', ['A'])] });
    await api('POST', `/v1/domains/${domainId}/records`, {
      name,
      type: 'A',
      data: '192.0.2.1',
      ttl: 1234,
    });
    await update('hostname=ttl.home.small.example&myip=192.0.2.2', own);
    expect(await recordsOf(name)).toEqual(['A 192.0.2.2 1234']);
  });

  it('returns a line for each host, in order', async () => {
    await update('hostname=home.small.example&myip=192.0.2.7');
    const own = await makeKey({ rules: [rule('**', ['A'])] });
    await api('POST', `/v1/domains/${domainId}/records`, {
      name: `alias.${ZONE}`,
      type: 'CNAME',
      data: 'elsewhere.example.',
    });
    const hosts = [
      'home.small.example',
      'localhost',
      'no.such.domain.example',
      'alias.small.example',
    ];
    const more = ['new.small.example', 'a..b.example', `${'x'.repeat(64)}.example`];
    const answer = await update(`hostname=${[...hosts, ...more].join(',')}&myip=192.0.2.7`, own);
    expect(answer).toEqual([
      ...['nochg 192.0.2.7', 'notfqdn', 'nohost', 'dnserr'],
      ...['good 192.0.2.7', 'notfqdn', 'notfqdn'],
    ]);
  });

  it.each([
    ['www.small.example', 'a name that the key is not for'],
    ['home.other.example', 'a domain that is not here'],
    ['small.example', 'the domain itself'],
  ])('returns nohost for %s: %s', async (name) => {
    expect(await update(`hostname=${name}&myip=192.0.2.1`)).toEqual(['nohost']);
  });

  it("returns nohost for another tenant's domain, as for an unknown one", async () => {
    const { tenant, secondTenant } = platform.world;
    await platform.db.raw(`update dns.domains set tenant_id = ? where id = ?`, [
      secondTenant.id,
      domainId,
    ]);
    try {
      expect(await update('hostname=home.small.example&myip=192.0.2.1')).toEqual(['nohost']);
    } finally {
      await platform.db.raw(`update dns.domains set tenant_id = ? where id = ?`, [
        tenant.id,
        domainId,
      ]);
    }
  });

  it('returns dnserr for an invalid address, numhost for too many hosts, notfqdn for none, and badagent for a dry run', async () => {
    const query = 'hostname=home.small.example';
    for (const address of ['1.2.3', 'fe80::1%25eth0', 'x'.repeat(100)]) {
      expect(await update(`${query}&myip=${address}`)).toEqual(['dnserr']);
    }
    const many = Array.from({ length: 21 }, (_, at) => `h${at}.home.small.example`);
    expect(await update(`hostname=${many.join(',')}`)).toEqual(['numhost']);
    expect(await update('myip=192.0.2.1')).toEqual(['notfqdn']);
    const before = await recordsOf(`home.${ZONE}`);
    expect(await update(`${query}&myip=192.0.2.9&dry_run=true`)).toEqual(['badagent']);
    expect(await recordsOf(`home.${ZONE}`)).toEqual(before);
  });

  it.each<[string, () => Promise<Key | null>]>([
    ['nothing', () => Promise.resolve(null)],
    ['a wrong secret', () => Promise.resolve(wrong(home))],
    ['an unknown key', () => Promise.resolve({ id: 'nobody', secret: 'x' })],
    ['a key without restrictions', () => Promise.resolve(full)],
    ['a key for a whole tenant', () => makeKey({})],
    [
      'a key for another network',
      () => makeKey({ rules: [rule('**', ['A'])], networks: ['192.0.2.0/24'] }),
    ],
    ['no secret', () => Promise.resolve({ ...home, secret: '' })],
  ])('returns badauth and 401 for %s', async (_what, which) => {
    const key = await which();
    const answer = await update('hostname=home.small.example&myip=192.0.2.66', key, 401);
    expect(answer).toEqual(['badauth']);
    expect(await recordsOf(`home.${ZONE}`)).not.toContain('A 192.0.2.66 60');
  });

  it('RFC 9110 s9.3.2 requires HEAD to act like GET, so it is refused like POST, and changes nothing', async () => {
    const before = await recordsOf(`home.${ZONE}`);
    for (const method of ['HEAD', 'POST']) {
      const headers = basic(home);
      const query = 'hostname=home.small.example&myip=192.0.2.99';
      expect(await ask(`/nic/update?${query}`, { method, headers })).toMatchObject({ status: 405 });
    }
    expect(await recordsOf(`home.${ZONE}`)).toEqual(before);
  });

  it('is in the history with its key, and has an audit line without a secret', async () => {
    lines.length = 0;
    await update('hostname=home.small.example&myip=192.0.2.200');
    const path = `/v1/domains/${domainId}/changes?limit=1&extended=true`;
    expect(await api('GET', path)).toMatchObject({
      changes: [{ source: 'dyndns', access_key_id: home.id, user_id: platform.world.user.id }],
    });
    await waitFor(() => lines.some((line) => line.includes('"audit"')));
    const line = lines.find((each) => each.includes('"audit"')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      event: 'Update Hosts (dyndns2)',
      outcome: 'success',
      accessKeyId: home.id,
      tenantId: platform.world.tenant.id,
      answers: ['good'],
    });
    expect(lines.join('')).not.toContain(home.secret);
  });
});

describe('httpreq of lego', () => {
  const fqdn = `_acme-challenge.www.${ZONE}`;

  it('present adds a text beside others, cleanup removes it; both may be repeated', async () => {
    const [one, other] = [textOf('one'), textOf('other')];
    for (const value of [one, other, one]) {
      expect(await post('/httpreq/present', basic(acme), { fqdn, value })).toEqual({ status: 200 });
    }
    expect(await recordsOf(fqdn)).toEqual([`TXT ${one} 60`, `TXT ${other} 60`].sort());
    for (const value of [one, one]) {
      expect(await post('/httpreq/cleanup', basic(acme), { fqdn, value })).toEqual({ status: 200 });
    }
    expect(await recordsOf(fqdn)).toEqual([`TXT ${other} 60`]);
    await post('/httpreq/cleanup', basic(acme), { fqdn, value: other });
    const path = `/v1/domains/${domainId}/changes?limit=1&extended=true`;
    expect(await api('GET', path)).toMatchObject({
      changes: [{ source: 'acme', access_key_id: acme.id }],
    });
  });

  it('RFC 8555 s8.4: also supports the mode RAW', async () => {
    const raw = { domain: 'raw.small.example', token: 'token', keyAuth: 'token.thumbprint' };
    const name = `_acme-challenge.raw.${ZONE}`;
    expect(await post('/httpreq/present', basic(acme), raw)).toMatchObject({ status: 200 });
    expect(await recordsOf(name)).toEqual([`TXT ${textOf('token.thumbprint')} 60`]);
    expect(await post('/httpreq/cleanup', basic(acme), raw)).toMatchObject({ status: 200 });
    expect(await recordsOf(name)).toEqual([]);
  });

  it.each([
    [403, { fqdn: `www.${ZONE}`, value: textOf('x') }, 'forbidden'],
    [404, { fqdn: '_acme-challenge.other.example.', value: textOf('x') }, 'domain_not_found'],
    [400, { fqdn, value: 'v=spf1 -all' }, 'invalid_object'],
    [400, { fqdn: 'a..b', value: textOf('x') }, 'invalid_object'],
    [400, { value: textOf('x') }, 'invalid_object'],
    [400, [], 'invalid_object'],
  ])('returns %i for %j', async (status, body, type) => {
    const answer = await post('/httpreq/present', basic(acme), body);
    expect(answer).toMatchObject({ status, body: { type } });
  });

  it('returns 401 without a valid key, and 400 for an unsupported dry run', async () => {
    const body = { fqdn, value: textOf('never') };
    for (const headers of [{}, basic(wrong(acme)), basic(full), { 'x-auth-token': token }]) {
      expect(await post('/httpreq/present', headers, body)).toMatchObject({ status: 401 });
    }
    const forAll = basic(await makeKey({}));
    expect(await post('/httpreq/present', forAll, body)).toMatchObject({ status: 403 });
    const tried = await post('/httpreq/present?dry_run=true', basic(acme), body);
    expect(tried).toMatchObject({ status: 400 });
    expect(await recordsOf(fqdn)).toEqual([]);
  });
});

describe('acme-dns', () => {
  const subdomain = '_acme-challenge.dns.small.example';
  const name = `${subdomain}.`;
  const asAccount = ({ id, secret }: Key) => ({ 'x-api-user': id, 'x-api-key': secret });

  it('update returns the text; the last two exist', async () => {
    const values = ['a', 'b', 'c'].map(textOf);
    for (const txt of values) {
      const answer = await post('/acme-dns/update', asAccount(acme), { subdomain, txt });
      expect(answer).toEqual({ status: 200, body: { txt } });
    }
    expect(await recordsOf(name)).toEqual(
      values
        .slice(1)
        .map((txt) => `TXT ${txt} 60`)
        .sort(),
    );
  });

  it('never removes a text that is not a challenge', async () => {
    const own = await makeKey({ rules: [rule('@', ['TXT'])] });
    const spf = { name: ZONE, type: 'TXT', data: 'v=spf1 -all' };
    await api('POST', `/v1/domains/${domainId}/records`, spf);
    for (const txt of ['a', 'b', 'c'].map(textOf)) {
      const body = { subdomain: 'small.example', txt };
      expect(await post('/acme-dns/update', asAccount(own), body)).toMatchObject({ status: 200 });
    }
    const texts = (await recordsOf(ZONE)).filter((each) => each.startsWith('TXT'));
    expect(texts).toHaveLength(3);
    expect(texts.join()).toContain('v=spf1 -all');
  });

  it.each([
    [400, { subdomain: 'a..b', txt: textOf('x') }, 'bad_subdomain'],
    [400, { txt: textOf('x') }, 'bad_subdomain'],
    [400, { subdomain: '_acme-challenge.other.example', txt: textOf('x') }, 'bad_subdomain'],
    [400, { subdomain, txt: 'too short' }, 'bad_txt'],
    [403, { subdomain: 'www.small.example', txt: textOf('x') }, 'forbidden'],
  ])('returns %i for %j: %s', async (status, body, error) => {
    const answer = await post('/acme-dns/update', asAccount(acme), body);
    expect(answer).toEqual({ status, body: { error } });
  });

  it('returns 401 and forbidden for a wrong key and for none; a body that is not JSON has its own error word', async () => {
    const body = { subdomain, txt: textOf('never') };
    for (const headers of [{}, asAccount(wrong(acme)), basic(wrong(acme))]) {
      const answer = await post('/acme-dns/update', headers, body);
      expect(answer).toEqual({ status: 401, body: { error: 'forbidden' } });
    }
    const headers = { ...asAccount(acme), 'content-type': 'application/json' };
    const answer = await ask('/acme-dns/update', { method: 'POST', headers, body: '{"txt":' });
    expect([answer.status, answer.text]).toEqual([400, '{"error":"malformed_json_payload"}']);
  });

  it('register shows the account of a key for one name, and creates no new one', async () => {
    const own = await makeKey({ rules: [rule('one.acme', ['TXT'])], networks: ['127.0.0.0/8'] });
    const subdomain = 'one.acme.small.example';
    const answer = await post('/acme-dns/register', basic(own));
    expect(answer).toEqual({
      status: 201,
      body: {
        username: own.id,
        password: own.secret,
        fulldomain: subdomain,
        subdomain,
        allowfrom: ['127.0.0.0/8'],
      },
    });
    const { username, password } = answer.body as { username: string; password: string };
    const txt = textOf('registered');
    const account = asAccount({ id: username, secret: password });
    expect(await post('/acme-dns/update', account, { subdomain, txt })).toMatchObject({
      status: 200,
    });
    expect(await recordsOf(`${subdomain}.`)).toEqual([`TXT ${txt} 60`]);
    expect(await post('/acme-dns/register', basic(acme))).toMatchObject({ status: 403 });
    expect(await post('/acme-dns/register', {})).toMatchObject({ status: 401 });
  });
});

it('RFC 6672 s2.4: none of them writes below a DNAME record, and each returns its error word', async () => {
  const dname = { name: `moved.${ZONE}`, type: 'DNAME', data: 'example.net.' };
  await api('POST', `/v1/domains/${domainId}/records?all_types=true`, dname);
  const names = rule('**.moved', ['A', 'TXT']);
  const key = await makeKey({ rules: [names] });
  const value = textOf('moved');
  expect(await update('hostname=www.moved.small.example&myip=192.0.2.1', key)).toEqual(['dnserr']);
  const fqdn = `_acme-challenge.moved.${ZONE}`;
  expect(await post('/httpreq/present', basic(key), { fqdn, value })).toMatchObject({
    status: 400,
    body: { type: 'invalid_object' },
  });
  const headers = { 'x-api-user': key.id, 'x-api-key': key.secret };
  const body = { subdomain: '_acme-challenge.moved.small.example', txt: value };
  expect(await post('/acme-dns/update', headers, body)).toMatchObject({ status: 400 });
  expect(await recordsOf(fqdn)).toEqual([]);
});

it('each operation that accepts an access key is tested above', () => {
  const paths = OPERATIONS.filter(({ access }) => access === 'key').map(({ path }) => path);
  expect(paths.sort()).toEqual([
    ...['/acme-dns/register', '/acme-dns/update'],
    ...['/httpreq/cleanup', '/httpreq/present', '/nic/update'],
  ]);
});
