import { beforeAll, describe, expect, it } from '@jest/globals';
import { nameToWire, RR_TYPE } from '@zonewright/dns-records';
import {
  DIGEST_TYPES,
  dnskeyToWire,
  dsToWire,
  generateSigningKey,
  keyTagOf,
  type PublicKey,
  type SigningAlgorithm,
  signedRecordsFromOctets,
} from '@zonewright/dns-records/dnssec';
import { addNameservers, FakeClock } from '@zonewright/testkit';
import { createDomain, createRecord, type DomainBody } from '../support/fixtures.js';
import { readSignedZone, ZoneVerifier } from '../support/signed-zone.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

const HOUR_MS = 3_600_000;

const clock = new FakeClock(Date.now());
const env = await signerEnv();
const api = useApi({ env: { ...env, DNS_API_MAX_DOMAINS: '1000' }, overrides: { clock } });
const signer = useSigner(api, env, clock);
const verifier = new ZoneVerifier();
beforeAll(async () => {
  await addNameservers(api.db);
});

function createKey(flags = 257, algorithm: SigningAlgorithm = 13): PublicKey {
  return { flags, algorithm, publicKey: generateSigningKey(algorithm).publicKey };
}

function toText({ flags, algorithm, publicKey }: PublicKey): string {
  return `${flags} 3 ${algorithm} ${Buffer.from(publicKey).toString('base64')}`;
}

interface Dnssec {
  readonly state: string;
  readonly ds: readonly string[];
  readonly keys: readonly { readonly key_tag: number }[];
  readonly foreign_keys: readonly { readonly key_tag: number; readonly state: string }[];
  readonly missing: string | null;
}

const pathOf = ({ id }: DomainBody) => `/v1/domains/${id}/dnssec`;
const put = (domain: DomainBody, body: object, query = '') =>
  api.call('put', `${pathOf(domain)}${query}`, { enabled: true, ...body });
const show = async (domain: DomainBody): Promise<Dnssec> =>
  (await api.call('get', pathOf(domain)).expect(200)).body as Dnssec;

async function createSigned(
  foreign: readonly PublicKey[] = [],
  members: object = {},
): Promise<DomainBody> {
  const domain = await createDomain(api, members);
  await createRecord(api, domain.id, { name: `a.${domain.name}`, type: 'A', data: '192.0.2.1' });
  await put(domain, { foreign_keys: foreign.map(toText) }).expect(200);
  await signer.run();
  return domain;
}

/** Returns the apex records of one type in hexadecimal. */
async function readApex({ id }: DomainBody, type: number): Promise<string[]> {
  const { rows } = await api.db.raw<{ rows: { records: Buffer }[] }>(
    `select n.records from dns.signed_names as n where n.domain_id = ? and n.canonical = ''`,
    [id],
  );
  return signedRecordsFromOctets(rows[0]!.records)
    .filter((record) => record.type === type)
    .map(({ rdata }) => Buffer.from(rdata).toString('hex'));
}

const inHex = (octets: Uint8Array) => Buffer.from(octets).toString('hex');
const cdsOf = ({ name }: DomainBody, key: PublicKey) =>
  inHex(dsToWire(nameToWire(name), key, DIGEST_TYPES.sha256));

/** Stores the result of a query for the parent's DS. */
async function showDs({ id }: DomainBody, shown: readonly string[]): Promise<void> {
  const ds = shown.map((each) => {
    const [keyTag, algorithm, digestType, digest = ''] = each.split(' ');
    const numbers = { keyTag: Number(keyTag), algorithm: Number(algorithm) };
    return { ...numbers, digestType: Number(digestType), digest: digest.toLowerCase() };
  });
  await api.db.raw(
    `insert into dns.parent_ds (domain_id, checked_at, agreed, ds, ds_ttl) values (?, ?, true, cast(? as jsonb), 3600)
         on conflict (domain_id) do update set checked_at = excluded.checked_at, ds = excluded.ds`,
    [id, new Date(clock.now()), JSON.stringify(ds)],
  );
}

/** Advances the clock by a few minutes at a time, which is how often the signer runs. */
async function waitHours(hours: number): Promise<void> {
  for (let quarter = 0; quarter < hours * 4; quarter += 1) {
    clock.advance(HOUR_MS / 4);
    await signer.run();
  }
}

describe('RFC 8901 s2.1.2: keys of another provider', () => {
  it('are in DNSKEY, CDS and CDNSKEY beside our own, also after changes of the domain', async () => {
    const [csk, zsk] = [createKey(257), createKey(256)];
    const domain = await createSigned([csk, zsk]);
    const before = await show(domain);
    expect(before.foreign_keys.map(({ state }) => state)).toEqual(['published', 'published']);
    await createRecord(api, domain.id, { name: `b.${domain.name}`, type: 'A', data: '192.0.2.1' });

    const keys = await readApex(domain, RR_TYPE.DNSKEY);
    expect(keys).toHaveLength(3);
    expect(keys).toEqual(expect.arrayContaining([csk, zsk].map((key) => inHex(dnskeyToWire(key)))));
    // The record is held back, as for every domain that has just been signed.
    expect(await readApex(domain, RR_TYPE.CDS)).toEqual([]);
    await waitHours(2);
    const cds = await readApex(domain, RR_TYPE.CDS);
    expect(cds).toHaveLength(2);
    expect(cds).toContain(cdsOf(domain, csk));
    expect(await readApex(domain, RR_TYPE.CDNSKEY)).toContain(inHex(dnskeyToWire(csk)));
    const text = await readSignedZone(api.db, domain.name);
    expect(await verifier.faultsAt(domain.name, text, new Date(clock.now()))).toBe('');
    expect((await show(domain)).ds.map((each) => Number(each.split(' ')[0]))).toEqual([
      ...Array<number>(2).fill(before.keys[0]!.key_tag),
      ...Array<number>(2).fill(keyTagOf(csk)),
    ]);
  });

  it('are removed when the parent shows only DS of our own keys, and no resolver has cached others', async () => {
    const key = createKey();
    const domain = await createSigned([key]);
    await waitHours(2);
    const { ds } = await show(domain);
    await put(domain, { foreign_keys: [] }).expect(200);
    await signer.run();
    // CDS informs the parent; validators need DNSKEY.
    expect(await readApex(domain, RR_TYPE.CDS)).not.toContain(cdsOf(domain, key));
    await showDs(domain, ds);
    await waitHours(4);
    expect(await show(domain)).toMatchObject({
      foreign_keys: [{ key_tag: keyTagOf(key), state: 'leaving' }],
      missing: expect.stringContaining('Delete the DS records of the other provider'),
    });
    await showDs(domain, ds.slice(0, 2));
    await waitHours(1);
    expect(await readApex(domain, RR_TYPE.DNSKEY)).toContain(inHex(dnskeyToWire(key)));
    await waitHours(1);
    expect(await readApex(domain, RR_TYPE.DNSKEY)).toHaveLength(1);
    expect((await show(domain)).foreign_keys).toEqual([]);
  });

  it('have DS beside ours in a parent that is hosted here', async () => {
    const parent = await createSigned();
    const child = await createSigned([createKey()], { name: `child.${parent.name}` });
    await waitHours(2);
    const shown = async () =>
      (await readSignedZone(api.db, parent.name)).split(`${child.name} 3600 IN DS `).length - 1;
    expect(await shown()).toBe(2);
    await put(child, { foreign_keys: [] }).expect(200);
    await signer.run();
    expect(await shown()).toBe(1);
    // The service publishes the child's DS itself, so no query is needed: the other provider's key is removed at most
    // one day and one TTL later.
    await waitHours(2);
    expect((await show(child)).foreign_keys).toEqual([]);
  });

  it('can be kept, are removed at once by "force", and can be added again', async () => {
    const key = createKey();
    const domain = await createSigned([key]);
    const states = async () => {
      await signer.run();
      return (await show(domain)).foreign_keys.map(({ state }) => state);
    };
    await put(domain, { foreign_keys: [] }).expect(200);
    expect(await states()).toEqual(['leaving']);
    await put(domain, { foreign_keys: [toText(key)] }).expect(200);
    expect(await states()).toEqual(['published']);
    await put(domain, { foreign_keys: [] }, '?force=true').expect(200);
    expect(await states()).toEqual([]);
    expect(await readApex(domain, RR_TYPE.DNSKEY)).toHaveLength(1);
    await put(domain, { foreign_keys: [toText(key)] }).expect(200);
    expect(await states()).toEqual(['published']);
  });

  it('RFC 8901 s6: our key is not replaced in the meantime, and a key that the other provider does not know signs nothing', async () => {
    const key = createKey();
    const domain = await createSigned([key]);
    const refused = await api.call('post', `${pathOf(domain)}/rollover`).expect(409);
    expect(refused.text).toContain('Another provider also signs the domain');
    await put(domain, { algorithm: 15 }).expect(409);
    await put(domain, { algorithm: 15, foreign_keys: [] }).expect(409);
    await put(domain, { foreign_keys: [] }, '?force=true').expect(200);
    await signer.run();
    await api.call('post', `${pathOf(domain)}/rollover`).expect(200);
    await put(domain, { foreign_keys: [toText(key)] }).expect(409);
  });

  it('have the algorithm of the domain (RFC 4035 s2.2), which is theirs if they sign it', async () => {
    const domain = await createSigned([createKey(257, 15)]);
    expect(await show(domain)).toMatchObject({ state: 'signed', algorithm: 15 });
    const refused = await put(domain, { foreign_keys: [toText(createKey())] }).expect(409);
    expect(refused.text).toContain('Both must be the same');
  });

  it.each<[string, unknown]>([
    ['no list', 'x'],
    ['no text', [7]],
    ['no DNSKEY', ['example. DNSKEY']],
    ['flags of a key that is revoked (RFC 5011)', [toText({ ...createKey(), flags: 385 })]],
    ['an algorithm that this service does not use', [toText({ ...createKey(), algorithm: 8 })]],
    ['not a point of the curve', [toText({ ...createKey(), publicKey: Buffer.alloc(64, 7) })]],
    ['a key that is too short', [toText({ ...createKey(), publicKey: Buffer.alloc(63, 7) })]],
    ['a megabyte', [`257 3 13 ${'A'.repeat(1_000_000)}`]],
    ['the same key twice', Array<string>(2).fill(toText(createKey()))],
    ['too many', Array.from({ length: 7 }, () => toText(createKey()))],
  ])('returns 400: %s', async (_what, keys) => {
    const domain = await createDomain(api);
    const { status } = await put(domain, { foreign_keys: keys });
    expect([400, 413]).toContain(status);
    expect(await show(domain)).toMatchObject({ state: 'unsigned' });
  });

  it('dns-api, which may have read the zone before them, gets no signatures without them', async () => {
    const key = createKey();
    const domain = await createSigned([key]);
    const all = await readApex(domain, RR_TYPE.DNSKEY);
    const sign = async (rdatas: readonly string[]) => {
      const item = { owner: Buffer.from(nameToWire(domain.name)).toString('base64'), ttl: 3_600 };
      const texts = rdatas.map((hex) => Buffer.from(hex, 'hex').toString('base64'));
      const { status } = await fetch(`${env.SIGNER_URL}/sign`, {
        method: 'POST',
        headers: { authorization: `Bearer ${env.SIGNER_SECRET}` },
        body: JSON.stringify({
          ...{ zoneId: domain.id, keys: 'not cached' },
          items: [{ ...item, type: RR_TYPE.DNSKEY, rdatas: texts }],
        }),
      });
      return status;
    };
    expect(await sign(all)).toBe(200);
    expect(await sign(all.filter((each) => each !== inHex(dnskeyToWire(key))))).toBe(400);
  });
});
