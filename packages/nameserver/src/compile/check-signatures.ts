import { RR_TYPE, typeMnemonic, wireToName } from '@zonewright/dns-records';
import { keyTagOf } from '@zonewright/dns-records/dnssec';
import { readInt32, readUint16 } from '../wire/octets.js';
import { nsec3ParametersOf, planHashedDenial } from './hashed-denial.js';
import { NODE_FLAG } from '../image/layout.js';
import { isSignedBy } from './node-writer.js';
import { inOrder, type ZoneOrder } from './order-writer.js';
import type { Rrset } from './rrset.js';
import { NODES_PER_YIELD, type Interruptible } from '../image/steps.js';
import type { ZoneContent } from './zone-tree.js';
import { findRrsetOfNode, type ZoneNode, type ZoneTree } from './zone-tree.js';

/** Offsets in the rdata of RRSIG (RFC 4034 s3.1) and DNSKEY (s2.1). */
const RRSIG_ALGORITHM_OFFSET = 2;
export const RRSIG_EXPIRATION_OFFSET = 8;
const RRSIG_KEY_TAG_OFFSET = 16;
const RRSIG_LEAST_OCTETS = 19;
const DNSKEY_ALGORITHM_OFFSET = 3;
const DNSKEY_LEAST_OCTETS = 5;
const SOA_SERIAL_OCTETS_FROM_END = 20;

/** Later than every 32-bit time. */
export const NEVER = 0xffffffff;

/**
 * Checks whether a version of a signed zone can be published. It does not verify signatures. It checks that none is
 * missing, that all keys are in DNSKEY, and that the SOA is the signed one. An incomplete zone would be bogus to
 * every validating resolver, while the previous version is valid.
 */
export class SignatureCheck {
  readonly #keys = new Set<number>();
  readonly #algorithms = new Set<number>();
  readonly #isHashed: boolean;
  /** Time at which the first of the checked signatures expires. */
  expiration = NEVER;

  /**
   * Checks the apex.
   * @param serial serial of its SOA, if known
   * @param isHashed whether the zone has NSEC3, whose chain is checked elsewhere (hashed-denial.ts)
   * @throws Error if something is missing
   */
  constructor(apex: ZoneNode, serial: number | undefined, isHashed = false) {
    this.#isHashed = isHashed;
    const soa = findRrsetOfNode(apex, RR_TYPE.SOA)?.rdatas[0];
    if (soa === undefined || soa.length < SOA_SERIAL_OCTETS_FROM_END)
      throw new Error('The zone has no SOA record.');
    const signed = readInt32(soa, soa.length - SOA_SERIAL_OCTETS_FROM_END) >>> 0;
    if (serial !== undefined && signed !== serial)
      throw new Error(`The signed SOA record has the serial ${signed}.`);
    this.#readKeys(apex);
  }

  #readKeys(apex: ZoneNode): void {
    for (const key of findRrsetOfNode(apex, RR_TYPE.DNSKEY)?.rdatas ?? []) {
      if (key.length < DNSKEY_LEAST_OCTETS) throw new Error('A DNSKEY record is too short.');
      const algorithm = key[DNSKEY_ALGORITHM_OFFSET]!;
      this.#algorithms.add(algorithm);
      const publicKey = key.subarray(DNSKEY_ALGORITHM_OFFSET + 1);
      this.#keys.add(
        keyId(algorithm, keyTagOf({ flags: readUint16(key, 0), algorithm, publicKey })),
      );
    }
  }

  /**
   * @param flags NODE_FLAG
   * @throws Error if a record is missing at the name, or must not be there
   */
  check(node: ZoneNode, flags: number): void {
    for (const [place, rrset] of node.rrsets.entries()) {
      if (rrset.covers === 0) checkIsSigned(node, flags, place);
      else this.#checkSignatures(node, rrset, node.rrsets[place - 1]);
    }
    if (this.#isHashed) return;
    const hasNsec = findRrsetOfNode(node, RR_TYPE.NSEC) !== undefined;
    const needsNsec = node.rrsets.length > 0 && (flags & NODE_FLAG.BELOW_CUT) === 0;
    if (hasNsec !== needsNsec)
      fail(node, hasNsec ? 'an NSEC record below a zone cut' : 'no NSEC record');
  }

  #checkSignatures(node: ZoneNode, rrset: Rrset, covered: Rrset | undefined): void {
    if (covered === undefined || !isSignedBy(covered, rrset)) {
      fail(node, `an RRSIG record of ${typeMnemonic(rrset.covers)}, which does not exist`);
    }
    let known = 0;
    for (const rdata of rrset.rdatas) {
      if (rdata.length < RRSIG_LEAST_OCTETS) fail(node, 'an RRSIG record that is too short');
      known += this.#isByKnownKey(node, rdata) ? 1 : 0;
      const expiration = readInt32(rdata, RRSIG_EXPIRATION_OFFSET) >>> 0;
      if (expiration < this.expiration) this.expiration = expiration;
    }
    // Each algorithm in DNSKEY signs everything (RFC 4035 s2.2).
    if (known < this.#algorithms.size) {
      fail(
        node,
        `no RRSIG record of ${typeMnemonic(rrset.covers)} with one of the algorithms in the DNSKEY records`,
      );
    }
  }

  /**
   * Whether DNSKEY contains the key. During an algorithm change, RRSIGs may use an algorithm that DNSKEY lacks (RFC
   * 6781 s4.1.4).
   */
  #isByKnownKey(node: ZoneNode, rdata: Uint8Array): boolean {
    const algorithm = rdata[RRSIG_ALGORITHM_OFFSET]!;
    const tag = readUint16(rdata, RRSIG_KEY_TAG_OFFSET);
    if (this.#keys.has(keyId(algorithm, tag))) return true;
    if (this.#keys.size === 0 || this.#algorithms.has(algorithm)) {
      fail(node, `an RRSIG record by the key ${tag}, which has no DNSKEY record`);
    }
    return false;
  }
}

/** Checks all names of a zone and sorts them. */
export function* checkSignedZone(content: ZoneContent, tree: ZoneTree): Interruptible<ZoneOrder> {
  const apex = tree.get('')!;
  const serial = content.isForeign === true ? undefined : content.serial;
  const parameters = content.isForeign === true ? nsec3ParametersOf(apex) : undefined;
  const hashed = parameters && (yield* planHashedDenial(content.apex, parameters, tree));
  const check = new SignatureCheck(apex, serial, hashed !== undefined);
  const names: string[] = [];
  let done = 0;
  for (const node of tree.values()) {
    check.check(node, node.flags);
    if (findRrsetOfNode(node, RR_TYPE.NSEC) !== undefined) names.push(node.name);
    if (++done % NODES_PER_YIELD === 0) yield;
  }
  const { expiration } = check;
  return hashed === undefined
    ? { names: inOrder(names), expiration }
    : { names: hashed.names, expiration, hashed };
}

/** Data at and below cuts is not signed, except DS and NSEC at the cut (RFC 4035 s2.2). */
function checkIsSigned(node: ZoneNode, flags: number, place: number): void {
  const rrset = node.rrsets[place]!;
  const isOurs =
    (flags & NODE_FLAG.BELOW_CUT) === 0 &&
    ((flags & NODE_FLAG.CUT) === 0 || rrset.type === RR_TYPE.DS || rrset.type === RR_TYPE.NSEC);
  const isSigned = isSignedBy(rrset, node.rrsets[place + 1]);
  if (isSigned === isOurs) return;
  const type = typeMnemonic(rrset.type);
  fail(
    node,
    isSigned
      ? `an RRSIG record of ${type}, which belongs to the child zone`
      : `no RRSIG record of ${type}, which must be signed`,
  );
}

/** Combines algorithm and key tag into one number. Keys with the same pair are not distinguished. */
function keyId(algorithm: number, tag: number): number {
  return (algorithm << 16) | tag;
}

function fail({ name }: ZoneNode, what: string): never {
  const wire = Buffer.from(`${name}\0`, 'latin1');
  throw new Error(`${name === '' ? 'The apex' : wireToName(wire)} has ${what}.`);
}
