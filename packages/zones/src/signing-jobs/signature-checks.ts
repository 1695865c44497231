import {
  octetsToSign,
  type Rrset,
  type Rrsig,
  rrsigFromWire,
  verifyOctetsAside,
} from '@zonewright/dns-records/dnssec';
import type { UsedKey } from '../signing/signing-ground-store.js';
import type { SignedItems } from '../signing/sign-step.js';

const SIGNATURE_OCTETS = 64;

/** An RRset with one of its signatures: the rdata of the RRSIG. */
interface SignedRrset {
  readonly owner: Uint8Array;
  readonly rrset: Rrset;
  readonly rdata: Uint8Array;
}

interface Check {
  readonly octets: Uint8Array;
  readonly holds: Promise<boolean>;
}

/** Verifies signatures; those that were made just now while they are written, by other threads. */
export class SignatureChecks {
  readonly #begun = new Map<string, Check>();

  /** Starts verifications early; `holds` returns their results if the data is still the same. */
  readonly begin = ({ keys, items, signatures }: SignedItems): void => {
    for (const [at, { owner, rrset }] of items.entries()) {
      for (const rdata of signatures[at] ?? []) {
        const key = keyOf(rrsigFromWire(rdata), keys);
        if (key === undefined) continue;
        const check = verify(key, { owner, rrset, rdata });
        check.holds.catch(() => undefined);
        this.#begun.set(nameOf(rdata), check);
      }
    }
  };

  /** Whether a signature of the key is valid for the current data. */
  async holds(key: UsedKey, signed: SignedRrset): Promise<boolean> {
    const begun = this.#begun.get(nameOf(signed.rdata));
    if (begun !== undefined && isSame(begun.octets, octetsOf(signed))) return await begun.holds;
    return await verify(key, signed).holds;
  }
}

/** The key that has made a signature, of those that are known. */
export function keyOf(
  { keyTag, algorithm }: Pick<Rrsig, 'keyTag' | 'algorithm'>,
  keys: readonly UsedKey[],
): UsedKey | undefined {
  return keys.find((each) => each.keyTag === keyTag && each.algorithm === algorithm);
}

function verify({ algorithm, publicKey }: UsedKey, signed: SignedRrset): Check {
  const octets = octetsOf(signed);
  const signature = signed.rdata.subarray(-SIGNATURE_OCTETS);
  return { octets, holds: verifyOctetsAside(algorithm, publicKey, octets, signature) };
}

function octetsOf({ owner, rrset, rdata }: SignedRrset) {
  return octetsToSign(rdata.subarray(0, -SIGNATURE_OCTETS), owner, rrset);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** A signature is that of one RRset. */
function nameOf(rdata: Uint8Array): string {
  return Buffer.from(rdata).toString('latin1');
}
