import { readUint16, readUint32, writeUint16, writeUint32 } from '../wire/octets.js';
import type { Rrset } from './canonical.js';

/** Record that the service stores for a name of a signed zone. */
export interface SignedRecord {
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

const HEAD_OCTETS = 8;

/** Encodes the records of a name: `[type 2][ttl 4][octets 2][rdata]` for each. */
export function signedRecordsToOctets(records: readonly SignedRecord[]): Uint8Array {
  const octets = new Uint8Array(
    records.reduce((sum, { rdata }) => sum + HEAD_OCTETS + rdata.length, 0),
  );
  let at = 0;
  for (const { type, ttl, rdata } of records) {
    at = writeUint16(octets, type, at);
    at = writeUint32(octets, ttl, at);
    at = writeUint16(octets, rdata.length, at);
    octets.set(rdata, at);
    at += rdata.length;
  }
  return octets;
}

/** @throws RangeError for truncated data */
export function signedRecordsFromOctets(octets: Uint8Array): SignedRecord[] {
  const records: SignedRecord[] = [];
  for (let at = 0; at < octets.length;) {
    const start = at + HEAD_OCTETS;
    const end = start + readUint16(octets, at + 6);
    if (!(end <= octets.length))
      throw new RangeError('The records of a signed name are truncated.');
    records.push({
      type: readUint16(octets, at),
      ttl: readUint32(octets, at + 2),
      rdata: octets.subarray(start, end),
    });
    at = end;
  }
  return records;
}

/** Returns the single records of RRsets. */
export function recordsOfRrsets(rrsets: readonly Rrset[]): SignedRecord[] {
  return rrsets.flatMap(({ type, ttl, rdatas }) => rdatas.map((rdata) => ({ type, ttl, rdata })));
}
