import { DnsSyntaxError, findRecordType, UpdateFault } from '@zonewright/dns-records';
import { createHash } from 'node:crypto';
import { digestOf } from '../write/read/zone-view.js';

/** The digest of rdata of any type: one that no record here can have is equal to itself alone. @throws UpdateFault (FORMERR) */
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
