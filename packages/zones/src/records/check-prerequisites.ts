import { createHash } from 'node:crypto';
import {
  DnsSyntaxError,
  findRecordType,
  type MessageRecord,
  type Prerequisite,
  readPrerequisite,
  typeMnemonic,
  UpdateFault,
} from '@zonewright/dns-records';
import type { SignedRecord } from '@zonewright/dns-records/dnssec';
import { NO_SIGNED_RECORDS, type SignedRecords } from '../signing/zone-being-signed.js';
import { digestOf, type ZoneView } from '../write/zone-view.js';

/**
 * Checks prerequisites one after the other, then the complete RRsets that are given record by record (RFC 2136 s3.2.5).
 *
 * @param signed records that the zone has because it is signed
 * @throws UpdateFault
 */
export function checkPrerequisites(
  view: Pick<ZoneView, 'digestsAt'>,
  records: readonly MessageRecord[],
  zoneName: string,
  signed: SignedRecords = NO_SIGNED_RECORDS,
): void {
  const digestsAt = (name: string) => withSigned(view.digestsAt(name), signed.get(name));
  const wanted = new Map<string, { name: string; type: string; digests: Set<string> }>();
  for (const record of records) {
    const prerequisite = readPrerequisite(record, zoneName);
    if (prerequisite.kind !== 'record') {
      check(digestsAt(prerequisite.name), prerequisite);
      continue;
    }
    const { name, rdata } = prerequisite;
    const type = typeMnemonic(prerequisite.type);
    const key = `${name} ${type}`;
    const set = wanted.get(key) ?? { name, type, digests: new Set() };
    set.digests.add(rdataDigest(type, rdata));
    wanted.set(key, set);
  }
  for (const { name, type, digests } of wanted.values()) {
    const there = digestsAt(name).get(type);
    const isSame = there?.size === digests.size && [...digests].every((each) => there.has(each));
    if (!isSame) throw new UpdateFault('NXRRSET');
  }
}

type Looked = Exclude<Prerequisite, { kind: 'record' }>;

type Digests = ReturnType<ZoneView['digestsAt']>;

function withSigned(digests: Digests, signed: readonly SignedRecord[] = []): Digests {
  const all = new Map([...digests].map(([type, each]) => [type, new Set(each)]));
  for (const { type, rdata } of signed) {
    const mnemonic = typeMnemonic(type);
    all.set(mnemonic, (all.get(mnemonic) ?? new Set()).add(rdataDigest(mnemonic, rdata)));
  }
  return all;
}

function check(there: Digests, prerequisite: Looked): void {
  switch (prerequisite.kind) {
    case 'name-in-use':
      if (there.size === 0) throw new UpdateFault('NXDOMAIN');
      return;
    case 'name-not-in-use':
      if (there.size > 0) throw new UpdateFault('YXDOMAIN');
      return;
    case 'rrset-exists':
      if (!there.has(typeMnemonic(prerequisite.type))) throw new UpdateFault('NXRRSET');
      return;
    case 'rrset-does-not-exist':
      if (there.has(typeMnemonic(prerequisite.type))) throw new UpdateFault('YXRRSET');
  }
}

/**
 * Returns the digest of rdata of any type. Rdata that no record here can have is equal only to itself. @throws
 * UpdateFault (FORMERR)
 */
export function rdataDigest(type: string, rdata: Uint8Array): string {
  if (type !== 'SOA' && findRecordType(type) === undefined) {
    return createHash('sha256').update(rdata).digest('base64');
  }
  try {
    return digestOf(type, rdata);
  } catch (error) {
    if (error instanceof DnsSyntaxError) throw new UpdateFault('FORMERR');
    throw error;
  }
}
