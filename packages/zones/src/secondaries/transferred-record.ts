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

/** Types that are used only in queries and messages, not in records of a zone (RFC 6895 s3.1). */
const isMeta = (type: number) => type === 0 || type === 41 || (type >= 128 && type <= 255);
/** Maximum TTL. A larger one counts as 0 (RFC 2181 s8). */
const MAX_TTL = 0x7fff_ffff;

/**
 * Converts a record of a transfer to the form in which it is stored. Types that users may not write, and unknown types,
 * keep their wire form.
 *
 * @throws TransferFault for a record that cannot be in a zone; DnsSyntaxError for rdata that is not valid for its type
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
    throw new TransferFault('outside-zone', `${name} is outside the zone`);
  // RFC 4592 s4.2 leaves the answers undefined: servers differ, and BIND refuses the zone as a secondary.
  if (type === 'NS' && name.startsWith('*.'))
    throw new TransferFault('wildcard-ns', `${name} has an NS record, but is a wildcard`);
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

/** Returns rdata in generic form (RFC 3597 s5). */
function genericText(rdata: Buffer): string {
  return `\\# ${rdata.length} ${rdata.toString('hex')}`.trimEnd();
}
