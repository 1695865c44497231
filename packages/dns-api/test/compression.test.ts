import http from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { generateKeyringText } from '@zonewright/database';
import { Compression } from '../src/limits/compression.js';
import { OPERATIONS } from '../src/operations.js';
import { createDomain, type DomainBody, freshName } from './support/fixtures.js';
import { useApi } from './support/use-api.js';

const api = useApi({
  env: {
    DNS_API_MAX_DOMAIN_RECORDS: '20000',
    TRANSFER_ENCRYPTION_KEYS: generateKeyringText('k1'),
  },
});

interface Answer {
  readonly status: number;
  readonly encoding: string | undefined;
  readonly etag: string | undefined;
  readonly octets: Buffer;
  readonly vary: string | undefined;
}

/** Returns the response as it was sent; higher-level clients decompress it themselves. */
async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    http
      .get(new URL(path, api.url), { headers: { 'X-Auth-Token': 'token-a', ...headers } })
      .on('error', reject)
      .on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const { etag, vary, 'content-encoding': encoding } = response.headers;
          const octets = Buffer.concat(parts);
          resolve({ status: response.statusCode ?? 0, encoding, etag, octets, vary });
        });
      });
  });
}

let small: DomainBody;
let middle: DomainBody;
let large: DomainBody;
const recordsOf = ({ id }: DomainBody) => `/v1/domains/${id}/records`;

beforeAll(async () => {
  const domainWith = async (count: number) => {
    const zone = await createDomain(api);
    const lines = Array.from(
      { length: count },
      (_, n) => `host-${n} IN A 10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
    );
    const zonefile = lines.join('\n');
    await api.call('post', `/v1/domains/${zone.id}/import`, { zonefile }).expect(200);
    return zone;
  };
  small = await domainWith(1);
  middle = await domainWith(100);
  large = await domainWith(10_000);
}, 60_000);

const ways = [
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const;

describe.each(ways)('Compression (D-ZONE-62): %s', (encoding, decompress) => {
  it('a list that is read, cached or streamed is the same after decompression, with the same tag', async () => {
    const paths = [
      recordsOf(middle),
      recordsOf(middle),
      recordsOf(large),
      `${recordsOf(large)}?limit=900`,
    ];
    for (const path of paths) {
      const plain = await get(path);
      expect(plain.encoding).toBeUndefined();
      const answer = await get(path, { 'Accept-Encoding': encoding });
      expect([answer.status, answer.encoding, answer.etag]).toEqual([200, encoding, plain.etag]);
      expect(answer.vary).toContain('Accept-Encoding');
      expect(decompress(answer.octets).equals(plain.octets)).toBe(true);
      expect(answer.octets.length).toBeLessThan(plain.octets.length / 4);
    }
  });

  it('a list of 10,000 records is smaller than 300 KB, and a repeated request gets 304', async () => {
    const headers = { 'Accept-Encoding': encoding };
    const answer = await get(recordsOf(large), headers);
    expect(answer.octets.length).toBeLessThan(300_000);
    const again = await get(recordsOf(large), { ...headers, 'If-None-Match': answer.etag ?? '' });
    expect([again.status, again.octets.length]).toEqual([304, 0]);
  });

  it('compresses changes, exports and domains, too', async () => {
    const { id } = middle;
    for (const path of [
      `/v1/domains/${id}/changes`,
      `/v1/domains/${id}/zonefile`,
      `/v2/zones/${id}/recordsets`,
    ]) {
      const answer = await get(path, { 'Accept-Encoding': encoding });
      expect([path, answer.encoding]).toEqual([path, encoding]);
      expect(decompress(answer.octets).equals((await get(path)).octets)).toBe(true);
    }
  });

  it('does not compress short responses', async () => {
    for (let times = 0; times < 2; times += 1) {
      const answer = await get(recordsOf(small), { 'Accept-Encoding': encoding });
      expect([answer.status, answer.encoding]).toEqual([200, undefined]);
    }
  });
});

it('10,000 records that were created one by one at different times are smaller than 300 KB as br', async () => {
  await api.db.raw(
    `update dns.records
        set created_at = created_at + (random() + split_part(split_part(name, '.', 1), '-', 2)::int) * interval '10 ms'
      where domain_id = ?`,
    [large.id],
  );
  // The list of the earlier state may be cached.
  const record = { name: `one-more.${large.name}`, type: 'A', data: '192.0.2.1' };
  await api.call('post', recordsOf(large), record).expect(200);
  const answer = await get(recordsOf(large), { 'Accept-Encoding': 'br' });
  expect(answer.encoding).toBe('br');
  expect(answer.octets.length).toBeLessThan(300_000);
});

describe('Accept-Encoding (RFC 9110 s12.5.3)', () => {
  it.each([
    ['gzip, deflate', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip; q=0.000', undefined],
    ['identity', undefined],
    ['deflate', undefined],
    [',;,;q=,', undefined],
  ])('%s: %s', async (accepted, encoding) => {
    const answer = await get(recordsOf(middle), { 'Accept-Encoding': accepted });
    expect([answer.status, answer.encoding]).toEqual([200, encoding]);
  });
});

describe('What is never compressed', () => {
  it('does not compress writes, errors, and responses that can contain a secret', async () => {
    const compressed = OPERATIONS.filter(({ compresses }) => compresses === true);
    expect(compressed.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(compressed.filter(({ path }) => /tsigkeys|transfer/.test(path))).toEqual([]);
    for (let n = 0; n < 10; n += 1) {
      await api
        .callAs('token-operator', 'post', '/v2/tsigkeys', {
          name: freshName(),
          algorithm: 'hmac-sha256',
          secret: Buffer.alloc(64, 7).toString('base64'),
          scope: 'POOL',
          resource_id: '794ccc2c-d751-44fe-b57f-8894c9f5c842',
        })
        .expect(201);
    }
    const keys = await get('/v2/tsigkeys', {
      'X-Auth-Token': 'token-operator',
      'Accept-Encoding': 'gzip, br',
    });
    expect(keys.octets.length).toBeGreaterThan(2_048);
    expect([keys.status, keys.encoding]).toEqual([200, undefined]);
  });
});

describe('A bound on the work', () => {
  it('sends lists above the limit uncompressed', async () => {
    const compression = new Compression();
    const body = Buffer.alloc(1_000_000, 'text');
    const all = await Promise.all(
      Array.from({ length: 5 }, () => compression.compress(body, 'gzip')),
    );
    expect(all.filter((each) => each !== undefined)).toHaveLength(2);
    expect(await compression.compress(body, 'br')).toBeDefined();
  });

  it('a client that disconnects ends the reading of its list, and frees its slot', async () => {
    const compression = new Compression();
    let ended = 0;
    async function* endless() {
      try {
        for (;;) yield await Promise.resolve(Math.random().toString().repeat(1_000));
      } finally {
        ended += 1;
      }
    }
    for (let times = 0; times < 20; times += 1) {
      const pieces = compression.compressPieces(endless(), 'gzip');
      expect(pieces).toBeDefined();
      for await (const piece of pieces ?? []) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
    }
    expect(ended).toBe(20);
  });
});
