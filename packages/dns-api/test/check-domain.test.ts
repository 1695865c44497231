import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { APEX_OF_SECONDARY } from '@zonewright/database';
import { DnsApiService } from '@zonewright/dns-api';
import { FakeClock } from '@zonewright/testkit';
import { fakeTokens } from './support/fake-tokens.js';
import { DnsResponder, type Script } from './support/dns-responder.js';
import { createDomain, createRecord, type DomainBody, freshName } from './support/fixtures.js';
import { addServers } from './support/nameserver-reports.js';
import { testSettings, useApi } from './support/use-api.js';

interface CheckBody {
  readonly state: string;
  readonly checked: readonly string[];
  readonly not_checked: readonly string[];
  readonly findings: readonly {
    severity: string;
    code: string;
    message: string;
    action: string;
    about?: object;
    fix?: object;
  }[];
  readonly nameservers: readonly { name: string; status: string; serial: number | null }[];
}

const api = useApi({ env: { DNS_API_MAX_DOMAINS: '1000' } });
const SERVERS = [1, 2, 3, 4, 5, 6].map((number) => `ns1-${number}.ns.example`);
const clock = new FakeClock();
const resolver = new DnsResponder();
const nameservers = SERVERS.map(() => new DnsResponder());
/** The first of the six nameservers, whose responses a test can change. */
const first = nameservers[0]!;
let service: DnsApiService;
let withoutResolver: DnsApiService;
let withOneAddress: DnsApiService;
let url: string;
let urlWithoutResolver: string;
let urlWithOneAddress: string;
let domain: DomainBody;
let serial: number;

beforeAll(async () => {
  await addServers(api.db);
  const ports = await Promise.all(nameservers.map((each) => each.start()));
  const addresses = SERVERS.map((name, at) => `${name}.=127.0.0.1:${ports[at]}`);
  const start = async (env: Record<string, string>) => {
    const started = DnsApiService.create(
      testSettings(api.databaseUrl, { DNS_API_CHECK_NAMESERVERS: addresses.join(','), ...env }),
      { tokens: fakeTokens, clock },
    );
    return [started, (await started.start())['http'] ?? ''] as const;
  };
  const withResolver = { DNS_API_CHECK_RESOLVER: `127.0.0.1:${await resolver.start()}` };
  [service, url] = await start(withResolver);
  [withoutResolver, urlWithoutResolver] = await start({});
  [withOneAddress, urlWithOneAddress] = await start({
    ...withResolver,
    DNS_API_CHECK_NAMESERVERS: SERVERS.map((name) => `${name}.=127.0.0.1:${ports[0]}`).join(','),
  });
});
afterAll(async () => {
  await service.stop();
  await withoutResolver.stop();
  await withOneAddress.stop();
  for (const responder of [resolver, ...nameservers]) responder.stop();
});
beforeEach(async () => {
  clock.advance(60_000);
  domain = await createDomain(api);
  serial = domain.serial;
  resolver.questions.length = 0;
  resolver.script = goodResolver;
  for (const each of nameservers) each.script = goodNameserver;
});

const goodNameserver: Script = (name) => ({
  answers: [
    {
      type: 'SOA',
      name,
      ttl: 3_600,
      data: {
        mname: SERVERS[0]!,
        rname: 'a.example',
        serial,
        refresh: 1,
        retry: 1,
        expire: 1,
        minimum: 200,
      },
    },
  ],
});

const goodResolver: Script = (name, type) => {
  if (SERVERS.includes(name))
    return { answers: type === 'A' ? [{ type, name, ttl: 1, data: '192.0.2.1' }] : [] };
  if (`${name}.` === domain.name && type === 'NS') {
    return { answers: SERVERS.map((data) => ({ type: 'NS' as const, name, ttl: 1, data })) };
  }
  return `${name}.` === domain.name ? {} : { rcode: 'NXDOMAIN' };
};

async function check(base = url): Promise<CheckBody> {
  const response = await fetch(`${base}/v1/domains/${domain.id}/check`, {
    headers: { 'X-Auth-Token': 'token-a' },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as CheckBody;
}

const codes = ({ findings }: CheckBody) =>
  findings.map(({ severity, code }) => `${severity} ${code}`);

describe('Check a Domain', () => {
  it('finds no faults in a correct domain', async () => {
    const result = await check();
    expect(result).toMatchObject({ state: 'ok', findings: [], not_checked: [] });
    expect(result.checked).toContain('delegation');
    expect(result.nameservers).toHaveLength(6);
    expect(result.nameservers[0]).toMatchObject({ status: 'NOERROR', serial });
  });

  const ns =
    (...names: string[]): Script =>
    (name, type) =>
      `${name}.` === domain.name && type === 'NS'
        ? { answers: names.map((data) => ({ type: 'NS', name, ttl: 1, data })) }
        : goodResolver(name, type);

  it.each<[string, Script, string]>([
    ['is unknown to the parent', () => ({ rcode: 'NXDOMAIN' }), 'error not-delegated'],
    ['is delegated to others', ns('ns.other.example'), 'error delegated-elsewhere'],
    ['is delegated to some of the six', ns(...SERVERS.slice(1)), 'warning delegation-incomplete'],
    [
      'is also delegated to others',
      ns(...SERVERS, 'ns.other.example'),
      'warning delegation-names-others',
    ],
    [
      'is delegated to servers that do not answer',
      () => ({ rcode: 'SERVFAIL' }),
      'error delegation-broken',
    ],
    ['cannot be checked', () => undefined, 'info resolver-silent'],
    [
      'is signed according to the parent',
      (name, type) =>
        type === 'DS'
          ? {
              answers: [
                {
                  type,
                  name,
                  ttl: 1,
                  data: { keyTag: 1, algorithm: 8, digestType: 2, digest: Buffer.alloc(32) },
                },
              ],
            }
          : goodResolver(name, type),
      'error ds-at-parent',
    ],
    [
      'has nameservers whose addresses cannot be found',
      (name, type) => (SERVERS[2] === name ? { rcode: 'NXDOMAIN' } : goodResolver(name, type)),
      'warning nameserver-address-unknown',
    ],
  ])('reports a domain that %s', async (_, script, expected) => {
    resolver.script = script;
    const result = await check();
    expect(codes(result)).toContain(expected);
    for (const { message, action } of result.findings) {
      expect(message).toMatch(/\.$/);
      expect(action).not.toBe('');
    }
  });

  it('reports a missing resolver, sends no queries, and does not report success', async () => {
    const result = await check(urlWithoutResolver);
    expect(codes(result)).toEqual(['info resolver-not-configured']);
    expect(result).toMatchObject({
      state: 'unknown',
      not_checked: ['delegation', 'nameserver-addresses'],
    });
    expect(result.checked).toEqual([
      ...['nameservers', 'glue', 'targets', 'targets-elsewhere', 'ttls', 'records', 'spf-includes'],
    ]);
    expect(resolver.questions).toEqual([]);
  });

  it('a silent resolver leaves its checks unknown', async () => {
    const record = { name: `out.${domain.name}`, type: 'CNAME', data: 'gone.outside.test.' };
    await createRecord(api, domain.id, record);
    serial += 1;
    resolver.script = () => undefined;
    expect(await check()).toMatchObject({
      state: 'unknown',
      not_checked: ['delegation', 'nameserver-addresses', 'targets-elsewhere'],
    });
  });

  it('names the nameservers that share an address, because one response does not prove six', async () => {
    const result = await check(urlWithOneAddress);
    expect(codes(result)).toEqual(['info nameservers-share-address']);
    for (const name of SERVERS) expect(result.findings[0]?.message).toContain(`${name}. `);
    expect(result).toMatchObject({ state: 'unknown', not_checked: ['nameservers'] });
  });

  it('a fault is more serious than an unknown result', async () => {
    first.script = () => ({ rcode: 'REFUSED' });
    expect(await check(urlWithoutResolver)).toMatchObject({ state: 'warning' });
  });

  it('RFC 2181 s5.2: reports records of one name and type with different TTLs', async () => {
    const records = [
      { name: `www.${domain.name}`, type: 'A', data: '192.0.2.1', ttl: 60 },
      { name: `www.${domain.name}`, type: 'A', data: '192.0.2.2' },
      { name: `www.${domain.name}`, type: 'TXT', data: 'alone' },
      { name: domain.name, type: 'NS', data: 'ns.partner.test.', ttl: 30 },
    ];
    for (const record of records) await createRecord(api, domain.id, record);
    serial += records.length;
    const { findings } = await check();
    const mixed = findings.filter(({ code }) => code === 'mixed-ttl');
    expect(
      mixed.map(({ message }) => /^The (\w+) .* from (\d+) to (\d+)/.exec(message)?.slice(1)),
    ).toEqual([
      ['A', '60', '3600'],
      ['NS', '30', '3600'],
    ]);
    expect(mixed[0]?.about).toEqual({ name: `www.${domain.name}`, type: 'A' });
  });

  it("a user's NS records at the apex are not a delegation, so targets in the domain are checked", async () => {
    const records = [
      { name: domain.name, type: 'NS', data: `ns.${domain.name}` },
      { name: `bad.${domain.name}`, type: 'CNAME', data: `nowhere.${domain.name}` },
    ];
    for (const record of records) await createRecord(api, domain.id, record);
    serial += records.length;
    expect(codes(await check())).toContain('error target-missing');
  });

  it.each<[string, Script, string]>([
    ['does not answer', () => undefined, 'warning nameserver-silent'],
    ['refuses', () => ({ rcode: 'REFUSED' }), 'warning nameserver-lacks-domain'],
  ])('reports a nameserver that %s', async (_, script, expected) => {
    first.script = script;
    expect(codes(await check())).toEqual([expected]);
  });

  it('reports a nameserver that is behind', async () => {
    first.script = (name, type) => {
      const said = goodNameserver(name, type);
      serial = domain.serial - 1;
      return said;
    };
    serial = domain.serial - 1;
    const result = await check();
    expect(codes(result)).toContain('warning nameserver-behind');
    expect(result.findings[0]?.message).toContain(String(domain.serial));
  });

  it("compares a secondary domain with its primary's serial, and accepts SERVFAIL before a transfer", async () => {
    await api.db.raw(
      `insert into dns.secondaries (domain_id, primaries, serial, next_at) values (?, '[]', 7, 'infinity')`,
      [domain.id],
    );
    serial = 7;
    expect(codes(await check())).not.toContain('warning nameserver-behind');
    clock.advance(60_000);
    serial = 6;
    expect(codes(await check())).toContain('warning nameserver-behind');
    clock.advance(60_000);
    await api.db.raw('update dns.domains set apex_version = ? where id = ?', [
      APEX_OF_SECONDARY.withheld,
      domain.id,
    ]);
    for (const each of nameservers) each.script = () => ({ rcode: 'SERVFAIL' });
    expect(codes(await check()).filter((each) => each.includes('lacks-domain'))).toEqual([]);
  });

  it('compares the delegation of a secondary domain with the NS records and keys of its primaries', async () => {
    await api.db.raw(
      `insert into dns.secondaries (domain_id, primaries, serial, next_at) values (?, '[]', ?, 'infinity')`,
      [domain.id, serial],
    );
    const codesNow = async () => {
      clock.advance(60_000);
      return codes(await check()).filter((code) => code !== 'error target-missing');
    };
    // Nothing has been transferred.
    expect(await codesNow()).toEqual([]);
    const insert = (type: string, data: string, rdata: Buffer) =>
      api.db.raw(
        `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest, ttl, created_at)
         values (?, ?, ?, ?, ?, sha256(?), 60, now())`,
        [domain.id, domain.name, type, data, rdata, rdata],
      );
    await insert('NS', 'NS.Other.example.', Buffer.from('ns'));
    expect(await codesNow()).toEqual(['error delegated-elsewhere', 'info nameservers-not-listed']);
    for (const name of SERVERS) await insert('NS', `${name}.`, Buffer.from(name));
    expect(await codesNow()).toEqual(['warning delegation-incomplete']);
    resolver.script = ns(...SERVERS, 'ns.other.example');
    expect(await codesNow()).toEqual([]);
    resolver.script = ns(...SERVERS, 'ns.other.example', 'ns.more.example');
    expect(await codesNow()).toEqual(['warning delegation-names-others']);
    resolver.script = ns(...SERVERS, 'ns.other.example');
    await insert('DNSKEY', '', Buffer.from([1, 1, 3, 13, 7]));
    expect(await codesNow()).toEqual(['warning ds-missing']);
  });

  it('reports targets that do not exist, here and elsewhere, and accepts existing ones', async () => {
    const other = await createDomain(api, { name: freshName() }, 'token-b');
    const at = (label: string) => `${label}.${domain.name}`;
    const records = [
      { name: at('there'), type: 'A', data: '192.0.2.1' },
      { name: at('*.wild'), type: 'A', data: '192.0.2.1' },
      { name: at('good'), type: 'CNAME', data: at('there') },
      { name: at('fine'), type: 'CNAME', data: at('any.wild') },
      { name: at('bad'), type: 'CNAME', data: at('nowhere') },
      { name: at('theirs'), type: 'CNAME', data: `gone.${other.name}` },
      { name: at('out'), type: 'CNAME', data: 'gone.outside.test.' },
      { name: at('ok'), type: 'MX', data: 'mail.outside.test.', priority: 1 },
      { name: at('sub'), type: 'NS', data: at('ns.sub') },
    ];
    for (const record of records) await createRecord(api, domain.id, record);
    serial += records.length;
    resolver.script = (name, type) =>
      name === 'mail.outside.test'
        ? { answers: type === 'A' ? [{ type, name, ttl: 1, data: '192.0.2.1' }] : [] }
        : goodResolver(name, type);
    const { findings } = await check();
    const missing = findings.filter(({ code }) => code === 'target-missing');
    expect(missing.map(({ message }) => /record of (\w+)/.exec(message)?.[1]).sort()).toEqual([
      'bad',
      'out',
      'theirs',
    ]);
    const about = { name: at('out'), type: 'CNAME', target: 'gone.outside.test.' };
    expect(missing.map((each) => each.about)).toContainEqual(about);
    const glue = findings.find(({ code }) => code === 'glue-missing');
    expect(glue?.about).toMatchObject({ type: 'NS', target: expect.stringContaining(domain.name) });
    expect(resolver.questions.join()).not.toContain(domain.name.replace(/\.$/, 'x'));
  });

  it('reports content that programs cannot read, with the records that are right', async () => {
    const records = [
      { name: domain.name, type: 'TXT', data: 'v=spf1 mx -all' },
      { name: domain.name, type: 'TXT', data: 'v=spf1 include:_spf.outside.test ~all' },
      { name: domain.name, type: 'CAA', data: '0 issue "https://ca.outside.test"' },
    ];
    const operations = records.map((record) => ({ action: 'create', record }));
    await api.call('post', `/v1/domains/${domain.id}/batch`, { operations }).expect(200);
    serial += 1;
    const { state, findings } = await check();
    expect(state).toBe('warning');
    const found = findings.filter(({ fix }) => fix !== undefined);
    expect(found.map(({ code }) => code).toSorted()).toEqual(['caa-value', 'spf-several']);
    expect(found.find(({ code }) => code === 'spf-several')?.fix).toMatchObject({
      remove: [{ type: 'TXT' }, { type: 'TXT' }],
      add: [{ name: domain.name, data: expect.stringMatching(/mx.* ~all"$/) }],
    });
  });

  it('RFC 7208 s4.6.4: counts the lookups of included SPF records', async () => {
    const [small, large, lost] = ['small', 'large', 'lost'].map(
      (label) => `${label}.${domain.name}`,
    );
    await createRecord(api, domain.id, {
      name: small,
      type: 'TXT',
      data: 'v=spf1 include:b.test -all',
    });
    await createRecord(api, domain.id, {
      name: large,
      type: 'TXT',
      data: 'v=spf1 include:a.test -all',
    });
    serial += 2;
    const eight = Array.from({ length: 8 }, (_, at) => `a:h${at}.test`).join(' ');
    const texts: Readonly<Record<string, string>> = {
      'a.test': 'v=spf1 include:b.test mx -all',
      'b.test': `v=spf1 ${eight} -all`,
    };
    resolver.script = (name, type) =>
      type === 'TXT' && texts[name] !== undefined
        ? { answers: [{ type, name, ttl: 1, data: texts[name] }] }
        : goodResolver(name, type);
    const found = await check();
    expect(found.findings.filter(({ code }) => code === 'spf-lookups')).toMatchObject([
      { message: expect.stringContaining(`${large} takes 11 DNS lookups`) },
    ]);
    await createRecord(api, domain.id, {
      name: lost,
      type: 'TXT',
      data: 'v=spf1 include:%{d}.test -all',
    });
    serial += 1;
    clock.advance(60_000);
    expect((await check()).not_checked).toEqual(['spf-includes']);
  });

  it('reports TTLs that are still running after the last change', async () => {
    const record = { name: `www.${domain.name}`, type: 'A', data: '192.0.2.1', ttl: 5_000 };
    const { id } = await createRecord(api, domain.id, record);
    serial += 1;
    const created = await check();
    expect(created.findings[0]).toMatchObject({ severity: 'info', code: 'old-answers-remembered' });
    // This is the value of the SOA in the nameservers' answers (RFC 2308, section 5).
    expect(created.findings[0]?.message).toMatch(/did not exist for another (200|19\d) s/);
    await api
      .call('put', `/v1/domains/${domain.id}/records/${id}`, { data: '192.0.2.2' })
      .expect(200);
    clock.advance(10_000);
    serial += 1;
    expect((await check()).findings[0]?.message).toMatch(
      /the previous records for another (5000|49\d\d) s/,
    );
  });

  it('checks again after 5 s or a change of the domain, at most once a second for a tenant, whose second check waits', async () => {
    await check();
    const asked = resolver.questions.length;
    expect(asked).toBeLessThan(30);
    await check();
    expect(resolver.questions).toHaveLength(asked);
    await createRecord(api, domain.id, { name: domain.name, type: 'A', data: '192.0.2.1' });
    clock.advance(1_000);
    const [changed, ...others] = [domain, await createDomain(api), await createDomain(api)];
    const look = async ({ id }: { id: string }) => {
      const answer = await fetch(`${url}/v1/domains/${id}/check`, {
        headers: { 'X-Auth-Token': 'token-a' },
      });
      return answer.status;
    };
    expect(await look(changed)).toBe(200);
    expect(resolver.questions.length).toBeGreaterThan(asked);
    clock.advance(1_000);
    expect((await Promise.all(others.map(look))).toSorted()).toEqual([200, 200]);
    expect(await look(await createDomain(api))).toBe(429);
    clock.advance(2_000);
    expect(await look(await createDomain(api))).toBe(200);
  });
});

describe('Check Records Before They Are Written', () => {
  const ask = (body: object) => api.call('post', `/v1/domains/${domain.id}/check`, body);
  const found = async (body: object) =>
    ((await ask(body).expect(200)).body as CheckBody).findings.map(({ code }) => code);
  const spf = (data: string) => ({ name: domain.name, type: 'TXT', data });

  it('judges them together with the records that they do not replace', async () => {
    const { id } = await createRecord(api, domain.id, spf('v=spf1 mx -all'));
    const records = [spf('v=spf1 a -all')];
    expect(await found({ records })).toEqual(['spf-several']);
    expect(await found({ records, without: [id] })).toEqual([]);
    expect(await found({ records: [spf('v=spf1 mx -all')] })).toEqual([]);
  });

  it('says nothing about records that were there', async () => {
    await createRecord(api, domain.id, spf('v=spf1 +all'));
    expect(await found({ records: [spf('another text')] })).toEqual([]);
  });

  it('finds targets in this service that do not exist, and accepts those that come with them', async () => {
    const alias = (data: string) => ({ name: `www.${domain.name}`, type: 'CNAME', data });
    const host = { name: `host.${domain.name}`, type: 'A', data: '192.0.2.1' };
    expect(await found({ records: [alias(host.name)] })).toEqual(['target-missing']);
    expect(await found({ records: [alias(host.name), host] })).toEqual([]);
    expect(await found({ records: [alias('app.web.')] })).toEqual([]);
    await createRecord(api, domain.id, { ...host, name: `app.web.${domain.name}` });
    expect(await found({ records: [alias('app.web.')] })).toEqual(['target-unfinished']);
  });

  it('leaves out what cannot be written, refuses other bodies, and stores nothing', async () => {
    expect(await found({ records: [{ ...spf('v=spf1 +all'), ttl: -1 }] })).toEqual([]);
    await ask({ records: [] }).expect(400);
    await ask({ records: [spf('x')], without: ['x'] }).expect(400);
    const listed = await api.call('get', `/v1/domains/${domain.id}/records`).expect(200);
    expect(listed.body).toEqual({ records: [] });
  });
});
