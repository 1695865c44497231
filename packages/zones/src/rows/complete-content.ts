import { createHash } from 'node:crypto';
import { canonicalRdata, rdataToWire } from '@zonewright/dns-records';
import type { RecordContent } from './record.js';

/** Adds the wire forms to a record's members, which must have passed the checks. */
export function completeContent(members: Omit<RecordContent, 'rdata' | 'digest'>): RecordContent {
  const { type, data, priority } = members;
  const rdata = rdataToWire(type, data, priority);
  return {
    ...members,
    rdata: Buffer.from(rdata),
    digest: createHash('sha256').update(canonicalRdata(type, rdata)).digest(),
  };
}
