import { type Database, readSignedNames } from '@zonewright/database';
import { nameToWire, RR_TYPE } from '@zonewright/dns-records';
import {
  canonicalKey,
  nsecFromWire,
  signedRecordsFromOctets,
} from '@zonewright/dns-records/dnssec';
import type { ZoneToSign } from '../signing/signing-store.js';

/**
 * Throws unless each name of the chain points to the next, the last to the apex, and each has a signature. It reads the zone
 * once, in a transaction. With several queries PostgreSQL would sort the rest again and again, since it has no statistics of
 * uncommitted rows.
 */
export async function checkRing(trx: Database, zone: ZoneToSign): Promise<void> {
  const apexName = nameToWire(zone.name);
  let expected = '';
  let isEmpty = true;
  for await (const names of readSignedNames(trx, [zone.id])) {
    for (const { canonical, records: octets } of names) {
      const records = signedRecordsFromOctets(octets);
      const nsec = records.find(({ type }) => type === RR_TYPE.NSEC);
      const isSigned = records.some(({ type }) => type === RR_TYPE.RRSIG);
      const key = canonical.toString('latin1');
      if (key !== expected || nsec === undefined || !isSigned) throw brokenRing(zone.name);
      expected = canonicalKey(nsecFromWire(nsec.rdata).next, apexName);
      isEmpty = false;
    }
  }
  if (expected !== '' || isEmpty) throw brokenRing(zone.name);
}

function brokenRing(name: string): Error {
  return new Error(`The chain of NSEC of ${JSON.stringify(name)} is broken.`);
}
