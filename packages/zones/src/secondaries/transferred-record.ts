import { createHash } from 'node:crypto';
import {
  canonicalRdata,
  hasRdataCodec,
  isAtOrBelow,
  type MessageRecord,
  nameOfRecord,
  rdataFromWire,
  RR_CLASS,
  typeMnemonic,
} from '@zonewright/dns-records';
import type { RecordContent } from '../rows/record.js';
import { TransferFault } from './transfer-fault.js';

/** Types of questions and of messages, which no record of a zone has (RFC 6895 s3.1). */
const isMeta = (type: number) => type === 0 || type === 41 || (type >= 128 && type <= 255);
/** RFC 2181 s8: more than that is 0. */
const MAX_TTL = 0x7fff_ffff;

/**
 * A record of a transfer as it is stored. Types that users may not write, and those that nobody here knows, keep their octets.
 *
 * @throws TransferFault for one that no zone has; DnsSyntaxError for rdata that its type does not have
 */
export function toRecordContent(record: MessageRecord, zoneName: string): RecordContent {
  const name = nameOfRecord(record);
  const type = typeMnemonic(record.type);
  if (record.class !== RR_CLASS.IN || isMeta(record.type)) {
    throw new TransferFault(
      'class-or-type',
      `${name} has a record of class ${record.class} and type ${type}`,
    );
  }
  if (!isAtOrBelow(name, zoneName))
    throw new TransferFault('outside-zone', `${name} lies outside the zone`);
  const rdata = Buffer.from(record.rdata);
  const isKnown = hasRdataCodec(type);
  return {
    name,
    type: type as RecordContent['type'],
    ...(isKnown ? rdataFromWire(type, rdata) : { data: genericText(rdata), priority: null }),
    rdata,
    digest: createHash('sha256')
      .update(isKnown ? canonicalRdata(type, rdata) : rdata)
      .digest(),
    ttl: record.ttl > MAX_TTL ? 0 : record.ttl,
    description: null,
  };
}

/** RFC 3597 s5. */
function genericText(rdata: Buffer): string {
  return `\\# ${rdata.length} ${rdata.toString('hex')}`.trimEnd();
}
