import type { Database } from '@zonewright/database';
import { nameToWire, RR_TYPE } from '@zonewright/dns-records';
import { canonicalKey, nsecFromWire } from '@zonewright/dns-records/dnssec';
import { listNamesAfter } from '../signing/signed-name-store.js';
import type { ZoneToSign } from '../signing/signing-store.js';

const NAMES_AT_ONCE = 1_000;

/** Throws unless each name of the chain points to the next, the last to the apex, and each has a signature. */
export async function checkRing(trx: Database, zone: ZoneToSign): Promise<void> {
  const apexName = nameToWire(zone.name);
  let expected: string | undefined = '';
  let last: string | undefined;
  for (;;) {
    const names = await listNamesAfter(trx, zone.id, last, NAMES_AT_ONCE);
    for (const { key, records } of names) {
      const nsec = records.find(({ type }) => type === RR_TYPE.NSEC);
      const isSigned = records.some(({ type }) => type === RR_TYPE.RRSIG);
      if (key !== expected || nsec === undefined || !isSigned) throw brokenRing(zone.name);
      expected = canonicalKey(nsecFromWire(nsec.rdata).next, apexName);
      last = key;
    }
    if (names.length < NAMES_AT_ONCE) break;
  }
  if (expected !== '' || last === undefined) throw brokenRing(zone.name);
}

function brokenRing(name: string): Error {
  return new Error(`The chain of NSEC of ${JSON.stringify(name)} is broken.`);
}
