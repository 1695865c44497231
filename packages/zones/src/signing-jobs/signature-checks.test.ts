import { describe, expect, it } from '@jest/globals';
import { nameToWire, RR_TYPE } from '@zonewright/dns-records';
import {
  CSK_FLAGS,
  generateSigningKey,
  keyTagOf,
  octetsToSign,
  type Rrset,
  rrsigHead,
  SIGNING_ALGORITHMS,
  signOctets,
} from '@zonewright/dns-records/dnssec';
import type { UsedKey } from '../signing/signing-ground-store.js';
import { SignatureChecks } from './find-fault.js';

const algorithm = SIGNING_ALGORITHMS.ecdsaP256;
const { privateKey, publicKey } = generateSigningKey(algorithm);
const own = { algorithm, flags: CSK_FLAGS, publicKey };
const key: UsedKey = {
  ...{ ...own, id: '', keyTag: keyTagOf(own), state: 'active', dsFrom: null, retireAt: null },
};
const owner = nameToWire('www.example.');
const addresses = (last: number): Rrset => ({
  type: RR_TYPE.A,
  ttl: 300,
  rdatas: [Uint8Array.of(192, 0, 2, last)],
});

function sign(rrset: Rrset): Uint8Array {
  const signerName = nameToWire('example.');
  const terms = { algorithm, keyTag: key.keyTag, signerName, inception: 1, expiration: 2 };
  const head = rrsigHead(owner, rrset, terms);
  return Buffer.concat([head, signOctets(algorithm, privateKey, octetsToSign(head, owner, rrset))]);
}

describe('Signatures that are verified while they are written', () => {
  const rrset = addresses(1);
  const good = sign(rrset);
  const bad = Uint8Array.from(good, (octet, at) => (at === good.length - 1 ? octet ^ 1 : octet));

  it.each([
    ['holds', good, good, rrset, true],
    ['belongs to other records', good, good, addresses(2), false],
    ['is wrong', bad, bad, rrset, false],
    ['was changed in transit', good, bad, rrset, false],
    ['differs from the one that was created', bad, good, rrset, true],
  ])('%s', async (_, made, read, there, holds) => {
    const checks = new SignatureChecks();
    checks.begin({ keys: [key], items: [{ owner, rrset }], signatures: [[made]] });
    expect(await checks.holds(key, { owner, rrset: there, rdata: read })).toBe(holds);
  });

  it('is detected if it was not started', async () => {
    const checks = new SignatureChecks();
    expect(await checks.holds(key, { owner, rrset, rdata: good })).toBe(true);
    expect(await checks.holds(key, { owner, rrset, rdata: bad })).toBe(false);
  });

  it('cannot be checked: a caller is informed, and other work continues', async () => {
    const checks = new SignatureChecks();
    const broken = { ...key, publicKey: Buffer.alloc(3) };
    checks.begin({ keys: [broken], items: [{ owner, rrset }], signatures: [[good]] });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    await expect(checks.holds(broken, { owner, rrset, rdata: good })).rejects.toThrow();
  });
});
