import { describe, expect, it } from '@jest/globals';
import { nameToWire, rdataToWire, RR_TYPE } from '@zonewright/dns-records';
import {
  CSK_FLAGS,
  generateSigningKey,
  keyTagOf,
  octetsToSign,
  rrsigFromWire,
  rrsigHead,
  verifyOctets,
} from '@zonewright/dns-records/dnssec';
import type { PrivateZoneKey } from '../keys/private-keys.js';
import { signItems } from './sign-items.js';

const NOW = Date.UTC(2030, 0, 31, 12, 0, 0, 900);
const SECONDS = Math.floor(NOW / 1_000);
const DAY_SECONDS = 86_400;
const ECDSA = 13;
const ED25519 = 15;

function keyOf(state: PrivateZoneKey['state'], algorithm: 13 | 15 = ECDSA): PrivateZoneKey {
  const { privateKey, publicKey } = generateSigningKey(algorithm);
  const keyTag = keyTagOf({ flags: CSK_FLAGS, algorithm, publicKey });
  const at = new Date(0);
  return {
    ...{ id: `${state} ${keyTag}`, algorithm, flags: CSK_FLAGS, keyTag, publicKey, privateKey },
    ...{ state, publishedAt: at, activeAt: at, dsSeenAt: null, retireAt: null },
    ...{ removedAt: null, dsFrom: null },
  };
}

function itemAt(owner: string, type: number = RR_TYPE.A) {
  const rdatas = [rdataToWire('A', '192.0.2.1', null)];
  return { owner: nameToWire(owner), rrset: { type, ttl: 300, rdatas } };
}

type Item = ReturnType<typeof itemAt>;

async function sign(keys: readonly PrivateZoneKey[], items: readonly Item[], jitter = 0) {
  const signed = await signItems({ zoneName: 'example.', items, keys, now: NOW, jitter });
  return signed.map((each) => each.map(rrsigFromWire));
}

function isValid(rrsig: ReturnType<typeof rrsigFromWire>, key: PrivateZoneKey, item: Item) {
  const head = rrsigHead(item.owner, item.rrset, rrsig);
  const octets = octetsToSign(head, item.owner, item.rrset);
  return verifyOctets(key.algorithm, key.publicKey, octets, rrsig.signature);
}

describe('signItems', () => {
  it.each([1, 32, 33])('RFC 4035 s2.2: signs each of %s RRsets, in order', async (count) => {
    const key = keyOf('active');
    const items = Array.from({ length: count }, (_, at) => itemAt(`host${at}.example.`));
    const signed = await sign([key], items);
    expect(signed.map(({ length }) => length)).toEqual(items.map(() => 1));
    signed.forEach(([rrsig], at) => {
      expect(isValid(rrsig!, key, items[at]!)).toBe(true);
    });
  });

  it.each([
    ['21 days without jitter', 0, 21],
    ['a day less at the most', 1, 20],
    ['in between', 0.5, 20.5],
    ['whole seconds', 0.5 / DAY_SECONDS, 21],
  ])('signatures are valid for %s, starting an hour ago', async (_, jitter, days) => {
    const [[rrsig]] = (await sign([keyOf('active')], [itemAt('example.')], jitter)) as [[never]];
    expect(rrsig).toMatchObject({
      inception: SECONDS - 3_600,
      expiration: SECONDS + days * DAY_SECONDS,
    });
  });

  it('a key with the private part of another key signs nothing', async () => {
    const wrong = { ...keyOf('active'), privateKey: keyOf('active').privateKey };
    for (const keys of [[wrong], [keyOf('active'), wrong]])
      await expect(sign(keys, [itemAt('example.')])).rejects.toThrow(
        `A signature by the key ${wrong.keyTag} of example. cannot be verified.`,
      );
  });

  const active = keyOf('active');
  const published = keyOf('published');
  const retiring = keyOf('retiring');
  const unlisted = keyOf('unlisted');
  const unlistedNew = keyOf('unlisted', ED25519);
  const publishedNew = keyOf('published', ED25519);

  it.each<[string, readonly PrivateZoneKey[], number, readonly PrivateZoneKey[]]>([
    ['A: the active key', [active, published, retiring], RR_TYPE.A, [active]],
    [
      'A: without an active key, every other',
      [published, retiring],
      RR_TYPE.A,
      [published, retiring],
    ],
    ['A: each algorithm', [active, publishedNew], RR_TYPE.A, [active, publishedNew]],
    [
      'A: before an algorithm is in DNSKEY, too (RFC 6781 s4.1.4)',
      [active, unlistedNew],
      RR_TYPE.A,
      [active, unlistedNew],
    ],
    ['DNSKEY: keys that are in it', [active, published], RR_TYPE.DNSKEY, [active, published]],
    ['CDS: keys that are in DNSKEY', [active, retiring], RR_TYPE.CDS, [active, retiring]],
    ['CDNSKEY: keys that are in DNSKEY', [active, retiring], RR_TYPE.CDNSKEY, [active, retiring]],
    ['DNSKEY: no key that is not in it', [active, unlistedNew], RR_TYPE.DNSKEY, [active]],
    ['DNSKEY: not the only one that is not in it', [unlisted], RR_TYPE.DNSKEY, []],
  ])('signs %s', async (_, keys, type, expected) => {
    const item = itemAt('example.', type);
    const [signed = []] = await sign(keys, [item]);
    expect(signed.map(({ keyTag }) => keyTag)).toEqual(expected.map(({ keyTag }) => keyTag));
    signed.forEach((rrsig, at) => {
      expect(isValid(rrsig, expected[at]!, item)).toBe(true);
    });
  });
});
