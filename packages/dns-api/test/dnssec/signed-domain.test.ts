import { beforeAll, describe, expect, it } from '@jest/globals';
import { addNameservers, addRecord } from '@zonewright/testkit';
import { createDomain, createRecord, type DomainBody, freshName } from '../support/fixtures.js';
import { readSignedZone, ZoneVerifier } from '../support/signed-zone.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

const env = await signerEnv();
const api = useApi({ env: { ...env, DNS_API_MAX_DOMAINS: '1000' } });
const signer = useSigner(api, env);
const verifier = new ZoneVerifier();
beforeAll(async () => {
  await addNameservers(api.db);
});

/** Creates a signed domain with records of many kinds. */
async function createSigned(members: object = {}): Promise<DomainBody> {
  const domain = await createDomain(api, members);
  const add = (name: string, type: string, data: string, more: object = {}) =>
    createRecord(api, domain.id, { name: `${name}.${domain.name}`, type, data, ...more });
  await add('www', 'A', '192.0.2.1');
  await add('deep.below', 'AAAA', '2001:db8::1', { ttl: 60 });
  await add('*.wild', 'TXT', '"anything"');
  await add('mail', 'MX', 'Mail.Example.NET.', { priority: 10 });
  await add('cut', 'NS', 'ns.example.net.');
  await sign(domain);
  return domain;
}

async function sign({ id }: DomainBody, body: object = { enabled: true }): Promise<void> {
  await api.call('put', `/v1/domains/${id}/dnssec`, body).expect(200);
  await signer.run();
}

async function readDnssec(id: string): Promise<unknown> {
  const response = await api.call('get', `/v1/domains/${id}/dnssec`).expect(200);
  return response.body;
}

async function expectValid({ name }: DomainBody): Promise<void> {
  const text = await readSignedZone(api.db, name);
  expect(await verifier.faultsOf(name, text)).toBe('');
}

describe('DNSSEC of a domain', () => {
  it('is unsigned by default', async () => {
    const { id } = await createDomain(api);

    const body = await readDnssec(id);
    expect(body).toEqual({
      ...{ enabled: false, state: 'unsigned', algorithm: null, ds: [], dnskey: [], cds: null },
      catching_up: false,
      ...{ keys: [], foreign_keys: [], parent: null, ds_from: null, missing: null },
    });
  });

  it('has DNAME records in its chain, but none of the names below them', async () => {
    const domain = await createSigned();
    const name = `old.${domain.name}`;
    const at = `/v1/domains/${domain.id}/records`;
    const dname = { name, type: 'DNAME', data: 'example.net.' };
    const created = await api.call('post', `${at}?all_types=true`, dname).expect(200);
    await expectValid(domain);
    const { id } = created.body as { id: string };
    await api.call('put', `${at}/${id}?all_types=true`, { data: 'example.org.' }).expect(200);
    await expectValid(domain);
    await api.call('delete', `${at}/${id}?all_types=true`).expect(200);
    await createRecord(api, domain.id, { name: `a.${name}`, type: 'A', data: '192.0.2.1' });
    await expectValid(domain);
  });

  it('omits names that a former primary left below DNAME records, until these are removed', async () => {
    const domain = await createDomain(api);
    const add = (label: string, type: string, data: string) =>
      addRecord(api.db, domain.id, { name: `${label}${domain.name}`, type, data });
    await add('www.old.', 'A', '192.0.2.1');
    await add('cut.old.', 'NS', 'ns.example.net.');
    await add('www.', 'A', '192.0.2.1');
    await add('old.', 'DNAME', 'example.net.');
    await sign(domain);
    const text = await readSignedZone(api.db, domain.name);
    expect(await verifier.faultsOf(domain.name, text, { hidesNames: true })).toBe('');
    const nsecsBelow = async () =>
      (await readSignedZone(api.db, domain.name)).match(/^\S+\.old\.\S+ \d+ IN NSEC /gm) ?? [];
    expect(await nsecsBelow()).toEqual([]);
    const list = await api.call('get', `/v1/domains/${domain.id}/records?all_types=true`);
    const { records } = list.body as { records: { id: string; type: string }[] };
    const dname = records.find(({ type }) => type === 'DNAME')!;
    await api
      .call('delete', `/v1/domains/${domain.id}/records/${dname.id}?all_types=true`)
      .expect(200);
    await expectValid(domain);
    expect(await nsecsBelow()).toHaveLength(2);
  });

  it.each([13, 15])(
    'algorithm %s: is signed, and shows the data for the registrar',
    async (algorithm) => {
      const domain = await createDomain(api);
      await createRecord(api, domain.id, {
        name: `a.${domain.name}`,
        type: 'A',
        data: '192.0.2.1',
      });
      await sign(domain, { enabled: true, algorithm });

      const body = await readDnssec(domain.id);
      expect(body).toMatchObject({
        ...{ enabled: true, state: 'signed', algorithm, cds: 'wait', parent: null },
        ds_from: expect.any(String),
        ds: [
          expect.stringMatching(new RegExp(`^\\d+ ${algorithm} 2 [0-9A-F]{64}$`)),
          expect.stringMatching(new RegExp(`^\\d+ ${algorithm} 4 [0-9A-F]{96}$`)),
        ],
        dnskey: [expect.stringMatching(new RegExp(`^257 3 ${algorithm} `))],
        missing: expect.stringContaining('Add the DS record'),
      });
      await expectValid(domain);
    },
  );

  it('RFC 4035 s2: every kind of change leaves a zone that other programs accept', async () => {
    const domain = await createSigned();
    await expectValid(domain);
    const at = (name: string) => `${name}.${domain.name}`;
    const path = `/v1/domains/${domain.id}`;

    const one = await createRecord(api, domain.id, {
      name: at('new'),
      type: 'A',
      data: '192.0.2.9',
    });
    await expectValid(domain);
    await api.call('put', `${path}/records/${one.id}`, { data: '192.0.2.10', ttl: 77 }).expect(200);
    await expectValid(domain);
    await api.call('put', `${path}/records/${one.id}`, { name: at('moved') }).expect(200);
    await expectValid(domain);
    await api.call('delete', `${path}/records/${one.id}`).expect(200);
    await expectValid(domain);
    // The delegation hides names below it, and its removal makes them visible again.
    const ns = { name: at('below'), type: 'NS', data: 'ns.example.net.' };
    const cut = await createRecord(api, domain.id, ns);
    await expectValid(domain);
    await api.call('delete', `${path}/records/${cut.id}`).expect(200);
    await expectValid(domain);
    await api.call('put', path, { ttl: 120 }).expect(200);
    await expectValid(domain);
    await api.call('put', path, { email: 'other@example.com' }).expect(200);
    await expectValid(domain);
  });

  it('RFC 4035 s2.2: NS records of the owner at the apex and those of the service are one signed RRset', async () => {
    const domain = await createSigned();
    const path = `/v1/domains/${domain.id}/records`;
    const ns = { name: domain.name, type: 'NS', data: 'ns.other-provider.net.', ttl: 60 };
    const { id } = await createRecord(api, domain.id, ns);
    await expectValid(domain);
    const text = await readSignedZone(api.db, domain.name);
    expect(text.match(new RegExp(`^${domain.name} 60 IN NS `, 'gm'))).toHaveLength(3);
    await api.call('put', `${path}/${id}`, { data: 'ns2.other-provider.net.' }).expect(200);
    await expectValid(domain);
    await api.call('put', `${path}/${id}`, { disabled: true }).expect(200);
    await expectValid(domain);
    await api.call('put', `${path}/${id}`, { disabled: false }).expect(200);
    await expectValid(domain);
    await api.call('delete', `${path}/${id}`).expect(200);
    await expectValid(domain);
    expect(await readSignedZone(api.db, domain.name)).not.toContain(`${domain.name} 60 IN NS `);
  });

  it('has the NS records of the owner at its apex in the first signing, too', async () => {
    const domain = await createDomain(api);
    const ns = { name: domain.name, type: 'NS', data: 'ns.other-provider.net.' };
    await createRecord(api, domain.id, ns);
    await sign(domain);
    await expectValid(domain);
  });

  it('is signed correctly after it was a secondary of a signed primary, whatever records that left', async () => {
    const domain = await createDomain(api);
    const at = (name: string) => `${name}.${domain.name}`;
    await createRecord(api, domain.id, { name: at('www'), type: 'A', data: '192.0.2.1' });
    const left = [
      [at('www'), 'RRSIG'],
      [at('www'), 'NSEC'],
      [at('gone'), 'RRSIG'],
      [at('gone'), 'NSEC'],
      [at('0p9mhaveqvm6t7vbl5lop2u3t2rp3tom'), 'NSEC3'],
      ...['NSEC3PARAM', 'DNSKEY', 'CDS', 'CDNSKEY', 'RRSIG', 'NSEC'].map((type) => [
        domain.name,
        type,
      ]),
    ];
    for (const [name, type] of left) {
      await api.db.raw(
        `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest)
         values (?, ?, ?, '', '\\x00010203', sha256('\\x00010203'))`,
        [domain.id, name ?? '', type ?? ''],
      );
    }
    await sign(domain);
    await expectValid(domain);
    await createRecord(api, domain.id, { name: at('www'), type: 'TXT', data: '"new"' });
    await createRecord(api, domain.id, { name: at('gone'), type: 'TXT', data: '"new"' });
    await expectValid(domain);
    expect(await readSignedZone(api.db, domain.name)).not.toContain('0p9mhaveqvm6t7vbl5lop2u3');
  });

  it('RFC 8198: a signed parent shows the zones below it that are hosted here, with each change', async () => {
    const parent = await createSigned();
    const child = await createDomain(api, { name: `child.${parent.name}` });
    await expectValid(parent);
    expect(await readSignedZone(api.db, parent.name)).toContain(`child.${parent.name} 300 IN NSEC`);
    await sign(child);
    await expectValid(child);
    await expectValid(parent);
    // Resolvers may have cached the unsigned child.
    expect(await readSignedZone(api.db, parent.name)).not.toContain(' IN DS');
    await api.call('delete', `/v1/domains/${child.id}`).expect(200);
    await expectValid(parent);
    expect(await readSignedZone(api.db, parent.name)).not.toContain('child.');
  });

  it('is restored with signatures, and with a zone below it that was created in the meantime', async () => {
    const domain = await createSigned();
    await api.call('delete', `/v1/domains/${domain.id}`).expect(200);
    await createDomain(api, { name: `comes.${domain.name}` });
    await api.call('post', `/v1/domains/${domain.id}/undelete`).expect(200);
    await expectValid(domain);
    const text = await readSignedZone(api.db, domain.name);
    expect(text).toContain(`comes.${domain.name} 300 IN NSEC`);
  });

  it.each([
    ['signatures that remain valid are kept', 11, true],
    ['signatures that expire soon are renewed', 13, false],
  ])('after a restore, %s', async (_, daysAgo, isKept) => {
    const domain = await createSigned();
    const readSignature = async () =>
      (await readSignedZone(api.db, domain.name))
        .split('\n')
        .find((line) => line.startsWith(`www.${domain.name} `) && line.includes(' RRSIG '));
    const before = await readSignature();
    await api.call('delete', `/v1/domains/${domain.id}`).expect(200);
    await api.db.raw(
      `update dns.signed_names as n set resign_at = now() - make_interval(days => ?) where n.domain_id = ?`,
      [daysAgo, domain.id],
    );
    await api.call('post', `/v1/domains/${domain.id}/undelete`).expect(200);
    await expectValid(domain);
    expect((await readSignature()) === before).toBe(isKept);
  });

  it('without the signer, only unsigned domains can be changed', async () => {
    const domain = await createSigned();
    const other = await createDomain(api);
    const record = { type: 'A', data: '192.0.2.1' };
    await signer.stop();
    try {
      const response = await api
        .call('post', `/v1/domains/${domain.id}/records`, { name: `x.${domain.name}`, ...record })
        .expect(503);
      expect(response.headers['retry-after']).toBeDefined();
      await createRecord(api, other.id, { name: `x.${other.name}`, ...record });
    } finally {
      await signer.start();
    }
    await createRecord(api, domain.id, { name: `x.${domain.name}`, ...record });
    await expectValid(domain);
  });

  it.each([
    [{ enabled: false }, 'enabled'],
    [{ enabled: true, algorithm: 8 }, 'algorithm'],
    [{ enabled: true, other: 1 }, 'other'],
  ])('%j is refused: %s', async (body, path) => {
    const { id } = await createDomain(api);
    const response = await api.call('put', `/v1/domains/${id}/dnssec`, body).expect(400);
    expect((response.body as { errors: unknown[] }).errors).toEqual([
      expect.objectContaining({ path }),
    ]);
  });

  it('v2: the attribute dnssec shows whether a zone is signed, and enables signing', async () => {
    const body = { name: freshName(), email: 'a@example.com', attributes: { dnssec: 'true' } };
    const made = await api.call('post', '/v2/zones', body).expect(202);
    expect(made.body).toMatchObject({ attributes: { dnssec: 'true' } });
    const { id, name } = made.body as { id: string; name: string };
    await signer.run();
    await expectValid({ ...(made.body as DomainBody), name });
    const path = `/v2/zones/${id}`;
    await api.call('patch', path, { attributes: { dnssec: 'yes' } }).expect(400);
    const patched = await api.call('patch', path, { attributes: { dnssec: 'false' } }).expect(202);
    expect(patched.body).toMatchObject({ attributes: { dnssec: 'false' }, status: 'PENDING' });
    expect(await readDnssec(id)).toMatchObject({ state: 'leaving' });
    await api.call('patch', path, { attributes: { dnssec: 'true' } }).expect(202);
    expect(await readDnssec(id)).toMatchObject({ state: 'signed' });
    const other = await createDomain(api);
    const plain = await api.call('get', `/v2/zones/${other.id}`).expect(200);
    expect(plain.body).toMatchObject({ attributes: {} });
  });

  it.each<[string, readonly string[], string]>([
    ['signs, ends and signs again', ['put', 'delete', 'put'], 'signed'],
    ['ends by force and signs again', ['put', 'delete?force=true', 'put'], 'signed'],
    ['signs and ends', ['put', 'delete'], 'unsigned'],
  ])('the last request wins if the signer has not started: %s', async (_, requests, state) => {
    const domain = await createDomain(api);
    const signed = await createSigned();
    for (const { id } of [domain, signed]) {
      for (const request of requests) {
        const [method, query = ''] = request.split('?');
        const path = `/v1/domains/${id}/dnssec?${query}`;
        const body = method === 'put' ? { enabled: true } : undefined;
        await api.call(method as 'put' | 'delete', path, body).expect(200);
      }
    }
    await signer.run();
    expect(await readDnssec(domain.id)).toMatchObject({ state });
    // If resolvers may have seen the domain signed, it stays signed until its parent shows no DS.
    const leaves = state === 'signed' ? state : 'leaving';
    expect(await readDnssec(signed.id)).toMatchObject({ state: leaves });
    await expectValid(signed);
  });

  it('shows a forced unsigning at once, and not after it was cancelled', async () => {
    const domain = await createSigned();
    const path = `/v1/domains/${domain.id}/dnssec`;
    const ended = await api.call('delete', `${path}?force=true`).expect(200);
    expect(ended.body).toMatchObject({
      state: 'unsigning',
      missing: expect.stringContaining('Signing ends at once'),
    });
    await api.call('post', `${path}/rollover`).expect(409);
    const again = await api.call('put', path, { enabled: true, algorithm: 15 }).expect(200);
    expect(again.body).toMatchObject({ enabled: true, state: 'signed', algorithm: 15 });
    await signer.run();
    expect(await readDnssec(domain.id)).toMatchObject({ state: 'signed', algorithm: 15 });
    await expectValid(domain);
  });

  it('is unsigned at once if that is forced', async () => {
    const domain = await createSigned({ name: freshName() });
    await api.call('delete', `/v1/domains/${domain.id}/dnssec?force=true`).expect(200);
    await signer.run();
    const body = await readDnssec(domain.id);
    expect(body).toMatchObject({ enabled: false, state: 'unsigned' });
    expect(await readSignedZone(api.db, domain.name)).not.toContain('RRSIG');
  });
});
