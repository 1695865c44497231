import { createPrivateKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { rdataToWire } from '../rdata/rdata.js';
import { RR_TYPE } from '../values/rr-type.js';
import { nameToWire } from '../wire/name-to-wire.js';
import { canonicalRdatas } from './canonical.js';
import { DIGEST_TYPES, dsToWire, keyTagOf } from './dnskey.js';
import { nsecFromWire, nsecToWire } from './nsec.js';
import { octetsToSign, rrsigFromWire, rrsigHead } from './rrsig.js';
import {
  generateSigningKey,
  type SigningAlgorithm,
  signOctets,
  verifyOctets,
} from './signing-keys.js';
import { signedRecordsFromOctets, signedRecordsToOctets } from './signed-records.js';

const base64 = (text: string) => Buffer.from(text, 'base64');
const hex = (octets: Uint8Array) => Buffer.from(octets).toString('hex');
const seconds = (text: string) => Date.parse(text) / 1_000;

const EXAMPLES = [
  {
    source: 'RFC 6605 s6.1',
    zone: 'example.net.',
    key: {
      flags: 257,
      algorithm: 13 as SigningAlgorithm,
      publicKey: base64(
        'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
      ),
    },
    tag: 55648,
    digest: 'b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17',
    owner: 'www.example.net.',
    rrset: { type: RR_TYPE.A, ttl: 3600, rdatas: [rdataToWire('A', '192.0.2.1', null)] },
    times: {
      expiration: seconds('2010-09-09T10:04:39Z'),
      inception: seconds('2010-08-12T10:04:39Z'),
    },
    signature:
      'qx6wLYqmh+l9oCKTN6qIc+bw6ya+KJ8oMz0YP107epXAyGmt+3SNruPFKG7tZoLBLlUzGGus7ZwmwWep666VCw==',
  },
  {
    source: 'RFC 8080 s6.1',
    zone: 'example.com.',
    key: {
      flags: 257,
      algorithm: 15 as SigningAlgorithm,
      publicKey: base64('l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4='),
    },
    tag: 3613,
    digest: '3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b',
    owner: 'example.com.',
    rrset: { type: RR_TYPE.MX, ttl: 3600, rdatas: [rdataToWire('MX', 'mail.example.com.', 10)] },
    times: { expiration: 1_440_021_600, inception: 1_438_207_200 },
    signature:
      'oL9krJun7xfBOIWcGHi7mag5/hdZrKWw15jPGrHpjQeRAvTdszaPD+QLs3fx8A4M3e23mRZ9VrbpMngwcrqNAg==',
  },
];

describe('Keys, DS and signatures of the RFCs', () => {
  it.each(EXAMPLES)('$source: has the expected key tag and DS', ({ zone, key, tag, digest }) => {
    expect(keyTagOf(key)).toBe(tag);
    const ds = dsToWire(nameToWire(zone), key, DIGEST_TYPES.sha256);
    expect(hex(ds)).toBe(
      `${tag.toString(16).padStart(4, '0')}${hex(Uint8Array.of(key.algorithm))}02${digest}`,
    );
  });

  it('RFC 4034 s5.4, RFC 4509 s2.3: computes the key tag and the SHA-256 digest of an RSA key', () => {
    const key = {
      flags: 256,
      algorithm: 5,
      publicKey: base64(
        'AQOeiiR0GOMYkDshWoSKz9XzfwJr1AYtsmx3TGkJaNXVbfi/2pHm822aJ5iI9BMzNXxeYCmZDRD99WYwYqUSdjMmmAphXdvx' +
          'egXd/M5+X7OrzKBaMbCVdFLUUh6DhweJBjEVv5f2wwjM9XzcnOf+EPbtG9DMBmADjFDc2w/rljwvFw==',
      ),
    };
    expect(keyTagOf(key)).toBe(60485);
    expect(hex(dsToWire(nameToWire('DSKEY.example.com.'), key, 2)).slice(8)).toBe(
      'd4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a',
    );
  });

  it.each(EXAMPLES)(
    '$source: the signature covers the octets of this implementation',
    (example) => {
      const { zone, key, tag, owner, rrset, times, signature } = example;
      const terms = {
        algorithm: key.algorithm,
        keyTag: tag,
        signerName: nameToWire(zone),
        ...times,
      };
      const head = rrsigHead(nameToWire(owner), rrset, terms);
      const octets = octetsToSign(head, nameToWire(owner), rrset);
      expect(verifyOctets(key.algorithm, key.publicKey, octets, base64(signature))).toBe(true);
      expect(rrsigFromWire(Buffer.concat([head, base64(signature)]))).toMatchObject({
        typeCovered: rrset.type,
        keyTag: tag,
        originalTtl: 3600,
        ...times,
      });
    },
  );

  it('RFC 8080 s6.1: Ed25519 gives exactly this signature', () => {
    const { zone, key, tag, owner, rrset, times, signature } = EXAMPLES[1]!;
    const seed = base64('ODIyNjAzODQ2MjgwODAxMjI2NDUxOTAyMDQxNDIyNjI=');
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const terms = { algorithm: 15, keyTag: tag, signerName: nameToWire(zone), ...times };
    const head = rrsigHead(nameToWire(owner), rrset, terms);
    const octets = octetsToSign(head, nameToWire(owner), rrset);
    expect(Buffer.from(signOctets(key.algorithm, privateKey, octets))).toEqual(base64(signature));
  });

  it.each([13, 15] as const)(
    'algorithm %s: verifies the signatures of a new key, and nothing else',
    (algorithm) => {
      const { privateKey, publicKey } = generateSigningKey(algorithm);
      const { owner, rrset, zone } = EXAMPLES[0]!;
      const terms = {
        algorithm,
        keyTag: 1,
        signerName: nameToWire(zone),
        inception: 1,
        expiration: 2,
      };
      const head = rrsigHead(nameToWire(owner), rrset, terms);
      const octets = octetsToSign(head, nameToWire(owner), rrset);
      const signature = signOctets(algorithm, privateKey, octets);
      expect([publicKey.length, signature.length]).toEqual([algorithm === 13 ? 64 : 32, 64]);
      expect(verifyOctets(algorithm, publicKey, octets, signature)).toBe(true);
      const other = octetsToSign(head, nameToWire(owner), { ...rrset, ttl: 60 });
      expect(verifyOctets(algorithm, publicKey, other, signature)).toBe(false);
    },
  );
});

describe('Canonical forms', () => {
  it('RFC 4034 s4.3: writes the rdata of its NSEC example', () => {
    const nsec = {
      next: nameToWire('host.example.com.'),
      types: [RR_TYPE.A, RR_TYPE.MX, RR_TYPE.RRSIG, RR_TYPE.NSEC, 1234],
    };
    const wire = nsecToWire(nsec);
    expect(hex(wire)).toBe(
      `04686f7374076578616d706c6503636f6d000006400100000003041b${'00'.repeat(26)}20`,
    );
    expect(nsecFromWire(wire)).toEqual({ ...nsec, next: expect.anything() });
  });

  it('RFC 4034 s6.3: sorts rdata by octets without duplicates, with names in lower case as in s6.2', () => {
    const mx = (name: string, priority: number) => rdataToWire('MX', name, priority);
    const rdatas = [
      mx('B.example.', 10),
      mx('a.example.', 10),
      mx('b.EXAMPLE.', 10),
      mx('z.example.', 5),
    ];
    const sorted = canonicalRdatas({ type: RR_TYPE.MX, ttl: 1, rdatas });
    expect(sorted.map(hex)).toEqual(
      [mx('z.example.', 5), mx('a.example.', 10), mx('b.example.', 10)].map(hex),
    );
    const https = rdataToWire('HTTPS', '1 WWW.Example.', null);
    expect(canonicalRdatas({ type: RR_TYPE.HTTPS, ttl: 1, rdatas: [https] })).toEqual([https]);
  });

  it('RFC 4034 s3.1.3: counts labels without the root and a leading asterisk', () => {
    const { rrset, times, zone } = EXAMPLES[0]!;
    const terms = { algorithm: 13, keyTag: 1, signerName: nameToWire(zone), ...times };
    const labels = ['example.', '*.example.', 'a.example.', '*a.example.', 'a.*.example.', '.'].map(
      (name) => rrsigHead(nameToWire(name), rrset, terms)[3],
    );
    expect(labels).toEqual([1, 1, 2, 2, 3, 0]);
  });

  it("restores a name's records from their octets, and refuses truncated octets", () => {
    const records = [
      { type: 47, ttl: 300, rdata: Buffer.from('abc') },
      { type: 65280, ttl: 2 ** 31 - 1, rdata: Buffer.alloc(0) },
    ];
    const octets = signedRecordsToOctets(records);
    expect(signedRecordsFromOctets(octets)).toEqual(
      records.map((record) => ({ ...record, rdata: new Uint8Array(record.rdata) })),
    );
    expect(() => signedRecordsFromOctets(octets.subarray(0, -1))).toThrow(RangeError);
    expect(() => signedRecordsFromOctets(octets.subarray(0, 10))).toThrow(RangeError);
  });
});
