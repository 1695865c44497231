import { beforeAll, describe, expect, it } from '@jest/globals';
import { nameToWire, rdataToWire, RR_TYPE } from '@zonewright/dns-records';
import { DIGEST_TYPES, dnskeyToWire, dsToWire } from '@zonewright/dns-records/dnssec';
import { addNameservers } from '@zonewright/testkit';
import { keyVersion } from '@zonewright/zones';
import { randomUUID } from 'node:crypto';
import { createDomain, type DomainBody } from '../support/fixtures.js';
import { useApi } from '../support/use-api.js';
import { signerEnv, useSigner } from '../support/use-signer.js';

const env = await signerEnv();
const api = useApi({ env: { ...env, DNS_API_MAX_DOMAINS: '1000' } });
const signer = useSigner(api, env);

let domain: DomainBody;
beforeAll(async () => {
  await addNameservers(api.db);
  domain = await createDomain(api);
  await api.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true }).expect(200);
  await signer.run();
});

interface Item {
  readonly owner: string;
  readonly type: number;
  readonly ttl: number;
  readonly rdatas: readonly string[];
}

const toText = (octets: Uint8Array) => Buffer.from(octets).toString('base64');

function itemAt(name: string, type: number, rdata: Uint8Array): Item {
  return { owner: toText(nameToWire(name)), type, ttl: 300, rdatas: [toText(rdata)] };
}

async function ask(
  body: object,
  secret = env.SIGNER_SECRET,
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${env.SIGNER_URL}/sign`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

/** Sends a request that names keys of which the signer has none in its cache, so that it reads the zone's keys. */
async function sign(
  items: readonly Item[],
  { secret = env.SIGNER_SECRET, zoneId = domain.id } = {},
): Promise<number> {
  return (await ask({ zoneId, keys: 'not cached', items }, secret)).status;
}

const ADDRESS = rdataToWire('A', '192.0.2.1', null);
const FOREIGN_KEY = { flags: 257, algorithm: 13, publicKey: Buffer.alloc(64, 7) } as const;

async function readKey() {
  const { rows } = await api.db.raw<{
    rows: { algorithm: 13; flags: number; publicKey: Buffer }[];
  }>(
    'select k.algorithm, k.flags, k.public_key as "publicKey" from dns.zone_keys as k where k.domain_id = ?',
    [domain.id],
  );
  return rows[0]!;
}

describe('What dns-api has signed', () => {
  it('are records of the zone', async () => {
    expect(await sign([itemAt(`www.${domain.name}`, RR_TYPE.A, ADDRESS)])).toBe(200);
  });

  it('is refused without the shared secret', async () => {
    const items = [itemAt(`www.${domain.name}`, RR_TYPE.A, ADDRESS)];
    expect(await sign(items, { secret: 'a secret of another, also thirty-two' })).toBe(401);
  });

  it('is refused for an unsigned zone', async () => {
    const other = await createDomain(api);
    const items = [itemAt(`www.${other.name}`, RR_TYPE.A, ADDRESS)];
    expect(await sign(items, { zoneId: other.id })).toBe(404);
  });

  it.each([
    ['a name outside of the zone', () => itemAt('www.example.', RR_TYPE.A, ADDRESS)],
    ['a name that ends as the zone does', () => itemAt(`x${domain.name}`, RR_TYPE.A, ADDRESS)],
    ['a signature', () => itemAt(domain.name, RR_TYPE.RRSIG, ADDRESS)],
    ['a question', () => itemAt(domain.name, RR_TYPE.ANY, ADDRESS)],
    [
      'the key of somebody else',
      () => itemAt(domain.name, RR_TYPE.DNSKEY, dnskeyToWire(FOREIGN_KEY)),
    ],
    [
      'the wish for a key of somebody else',
      () => itemAt(domain.name, RR_TYPE.CDNSKEY, dnskeyToWire(FOREIGN_KEY)),
    ],
  ])('is never %s', async (_what, item) => {
    expect(await sign([item()])).toBe(400);
  });

  it('accepts DNSKEY only at the apex', async () => {
    const dnskey = dnskeyToWire(await readKey());
    expect(await sign([itemAt(domain.name, RR_TYPE.DNSKEY, dnskey)])).toBe(200);
    expect(await sign([itemAt(`www.${domain.name}`, RR_TYPE.DNSKEY, dnskey)])).toBe(400);
  });

  it('RFC 7583 s3.3.1: is no CDS and no CDNSKEY while the DS is held back', async () => {
    const key = await readKey();
    const announcements = [
      itemAt(domain.name, RR_TYPE.CDNSKEY, dnskeyToWire(key)),
      itemAt(domain.name, RR_TYPE.CDS, dsToWire(nameToWire(domain.name), key, DIGEST_TYPES.sha256)),
    ];
    for (const item of announcements) expect(await sign([item])).toBe(400);
    await api.db.raw('update dns.zone_keys as k set ds_from = null where k.domain_id = ?', [
      domain.id,
    ]);
    for (const item of announcements) expect(await sign([item])).toBe(200);
  });
});

describe('What dns-api has signed for several domains at once', () => {
  const SIGNED = { signatures: [[expect.any(String)]] };

  async function readVersion(): Promise<string> {
    const { rows } = await api.db.raw<{ rows: { id: string; state: 'active'; dsFrom: null }[] }>(
      `select k.id, k.state, k.ds_from as "dsFrom" from dns.zone_keys as k
        where k.domain_id = ? and k.state <> 'removed' order by k.published_at, k.id`,
      [domain.id],
    );
    return keyVersion(rows);
  }

  const request = (keys: string, owner = `www.${domain.name}`, zoneId = domain.id) => ({
    ...{ zoneId, keys },
    items: [itemAt(owner, RR_TYPE.A, ADDRESS)],
  });

  it('each request is answered separately, so that one error does not affect the others', async () => {
    const keys = await readVersion();
    const requests = [
      request(keys, 'www.example.'),
      request(keys),
      request(keys, `www.${domain.name}`, randomUUID()),
      'no request',
    ];
    const wrong = (status: number) => ({ status, error: expect.any(String) });
    expect(await ask({ requests })).toEqual({
      status: 200,
      body: { answers: [wrong(400), SIGNED, wrong(404), wrong(400)] },
    });
  });

  it('contains at least one request, and at most 64', async () => {
    const one = request(await readVersion());
    expect((await ask({ requests: [] })).status).toBe(400);
    expect((await ask({ requests: Array(65).fill(one) })).status).toBe(400);
  });

  it('is signed with the keys that dns-api has seen, even if others were just cached', async () => {
    const before = await readVersion();
    expect((await ask({ requests: [request(before)] })).body).toEqual({ answers: [SIGNED] });
    const setState = (state: string) =>
      api.db.raw('update dns.zone_keys as k set state = ? where k.domain_id = ?', [
        state,
        domain.id,
      ]);
    await setState('removed');
    const gone = { status: 404, error: expect.any(String) };
    expect((await ask({ requests: [request(await readVersion())] })).body).toEqual({
      answers: [gone],
    });
    // Earlier results are not cached any longer either.
    expect((await ask({ requests: [request(before)] })).body).toEqual({ answers: [gone] });
    await setState('active');
    expect((await ask({ requests: [request(before)] })).body).toEqual({ answers: [SIGNED] });
  });
});
