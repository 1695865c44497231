import { describe, expect, it } from '@jest/globals';
import type { Database } from '@zonewright/database';
import { nameToWire, rdataToWire, RR_TYPE } from '@zonewright/dns-records';
import {
  CSK_FLAGS,
  dnskeyToWire,
  generateSigningKey,
  keyTagOf,
  rrsigFromWire,
} from '@zonewright/dns-records/dnssec';
import type { PrivateKeys, PrivateZoneKey, ZoneWithKeys } from '../keys/private-keys.js';
import { ZoneKeySigner } from './zone-key-signer.js';

const NOW = Date.UTC(2030, 0, 31);

function keyOf(state: PrivateZoneKey['state'] = 'active'): PrivateZoneKey {
  const { privateKey, publicKey } = generateSigningKey(13);
  const keyTag = keyTagOf({ flags: CSK_FLAGS, algorithm: 13, publicKey });
  const at = new Date(0);
  return {
    ...{ id: String(keyTag), algorithm: 13, flags: CSK_FLAGS, keyTag, publicKey, privateKey },
    ...{ state, publishedAt: at, activeAt: at, dsSeenAt: null, retireAt: null },
    ...{ removedAt: null, dsFrom: null },
  };
}

const OWN = keyOf();
const OTHER = keyOf();
const FOREIGN = keyOf('foreign');

function itemOf(type: number, rdatas: readonly Uint8Array[]) {
  return { owner: nameToWire('example.'), rrset: { type, ttl: 300, rdatas } };
}

const ADDRESS = itemOf(RR_TYPE.A, [rdataToWire('A', '192.0.2.1', null)]);
const dnskeys = (...keys: readonly PrivateZoneKey[]) =>
  itemOf(RR_TYPE.DNSKEY, keys.map(dnskeyToWire));

/** Returns a signer of a zone with these keys, and a record of its calls. */
function signerOf(zone: ZoneWithKeys | undefined, foreign: readonly PrivateZoneKey[] = []) {
  const seen = { signed: [] as number[], asked: [] as unknown[], readKeys: 0 };
  const find = (how: string) => {
    return (_db: Database, id: string, version?: string) => {
      seen.asked.push([how, id, version]);
      return Promise.resolve(zone);
    };
  };
  const keys = { find: find('find'), findKnown: find('findKnown') };
  const raw = () => {
    seen.readKeys += 1;
    return Promise.resolve({ rows: [...(zone?.keys ?? []), ...foreign] });
  };
  const signer = new ZoneKeySigner({ raw } as unknown as Database, {
    keys: keys as unknown as PrivateKeys,
    clock: { now: () => NOW },
    random: () => 1,
    onSigned: (count) => seen.signed.push(count),
  });
  return { signer, seen };
}

describe('ZoneKeySigner', () => {
  const zone = { name: 'example.', keys: [OWN] };

  it('signs with the keys of the zone, and counts the signatures', async () => {
    const keys = [OWN, { ...OTHER, state: 'published' as const }];
    const { signer, seen } = signerOf({ name: 'example.', keys });
    const signed = await signer.sign({ id: 'z' }, [ADDRESS, dnskeys(OWN, OTHER)]);
    const tags = signed.map((each) => each.map((rdata) => rrsigFromWire(rdata).keyTag));
    expect(tags).toEqual([[OWN.keyTag], [OWN.keyTag, OTHER.keyTag]]);
    expect(rrsigFromWire(signed[0]![0]!).expiration).toBe(NOW / 1_000 + 20 * 86_400);
    expect(seen).toMatchObject({ signed: [3], asked: [['find', 'z', undefined]] });
  });

  it('signs with the keys that the caller has seen', async () => {
    const { signer, seen } = signerOf(zone);
    const known = { id: 'z', keyVersion: 'v' } as Parameters<typeof signer.signKnown>[0];
    expect(await signer.signKnown(known, [ADDRESS])).toHaveLength(1);
    expect(seen.asked).toEqual([['findKnown', 'z', 'v']]);
    // Most requests do not concern keys.
    expect(seen.readKeys).toBe(0);
  });

  it('signs nothing for a zone without keys', async () => {
    await expect(signerOf(undefined).signer.sign({ id: 'z' }, [ADDRESS])).rejects.toMatchObject({
      kind: 'not-found',
    });
  });

  it("signs another provider's keys in DNSKEY, but no unknown ones", async () => {
    const { signer, seen } = signerOf(zone, [FOREIGN]);
    expect(await signer.sign({ id: 'z' }, [ADDRESS, dnskeys(OWN, FOREIGN)])).toHaveLength(2);
    for (const wrong of [dnskeys(OWN, FOREIGN, OTHER), dnskeys(OWN)])
      await expect(signer.sign({ id: 'z' }, [wrong])).rejects.toMatchObject({ kind: 'invalid' });
    expect(seen.signed).toEqual([2]);
  });
});
