import { copyOctets, readUint16, writeUint16 } from '../wire/octets.js';
import { readLookupName } from '../wire/lookup-name.js';
import { countRecords, SECTION } from './response-writer.js';
import { MALFORMED, RECORD_FIXED_OCTETS } from '../wire/skip-record.js';
import { NO_TSIG, type QueryContext } from './query-context.js';

/*
 * Answers a TSIG with an unknown key: NOTAUTH with an unsigned TSIG that has the error BADKEY (RFC 8945 s5.2.1). The
 * rdata after the algorithm's name is (RFC 8945 s4.2):
 *
 *   time signed 6 | fudge 2 | MAC size 2 | MAC | original id 2 | error 2 | other length 2 | other
 */
const BADKEY = 17;
const TIME_AND_FUDGE_OCTETS = 8;
const MAC_SIZE_OFFSET = 8;
const MAC_OFFSET = 10;
const BEHIND_MAC_OCTETS = 6;
/** Size of the rdata without the algorithm's name and the MAC. */
const NUMBERS_OCTETS = MAC_OFFSET + BEHIND_MAC_OCTETS;

/** Whether the TSIG record from `start` to `end` is well-formed (RFC 8945 s4.2). Its names are never compressed. */
export function isTsigWellFormed(context: QueryContext, start: number, end: number): boolean {
  const numbers = numbersOffset(context, start, end);
  if (numbers === MALFORMED || numbers + NUMBERS_OCTETS > end) return false;
  const { input } = context;
  const behindMac = numbers + MAC_OFFSET + readUint16(input, numbers + MAC_SIZE_OFFSET);
  if (behindMac + BEHIND_MAC_OCTETS > end) return false;
  return behindMac + BEHIND_MAC_OCTETS + readUint16(input, behindMac + 4) === end;
}

/** Writes the last record of the response. Key name, algorithm, times and id are copied; the MAC is empty. */
export function writeTsigError(context: QueryContext): void {
  const { tsigStart, input, output, response } = context;
  if (tsigStart === NO_TSIG) return;
  const inputEnd = context.inputStart + context.inputLength;
  const numbers = numbersOffset(context, tsigStart, inputEnd);
  const copied = numbers + TIME_AND_FUDGE_OCTETS - tsigStart;
  const length = copied - TIME_AND_FUDGE_OCTETS + NUMBERS_OCTETS;
  // If very long names exceed 512 octets, the response is NOTAUTH without a TSIG.
  if (response.end + length > response.limit) return;

  const start = context.outputStart + response.end;
  copyOctets(output, start, input, tsigStart, copied);
  const algorithm = readLookupName(context.targetName, output, start, start + length);
  const rdata = algorithm + RECORD_FIXED_OCTETS;
  const end = start + length;
  writeUint16(output, rdata - 2, end - rdata);
  const macSize = start + copied;
  writeUint16(output, macSize, 0);
  const behindMac = numbers + MAC_OFFSET + readUint16(input, numbers + MAC_SIZE_OFFSET);
  copyOctets(output, macSize + 2, input, behindMac, 2);
  writeUint16(output, macSize + 4, BADKEY);
  writeUint16(output, macSize + 6, 0);
  response.end += length;
  countRecords(response, SECTION.ADDITIONAL, 1);
}

/** Returns the offset of the numbers in the rdata of TSIG. */
function numbersOffset(context: QueryContext, start: number, end: number): number {
  const { input, targetName } = context;
  const fixed = readLookupName(targetName, input, start, end);
  if (fixed === MALFORMED) return MALFORMED;
  return readLookupName(targetName, input, fixed + RECORD_FIXED_OCTETS, end);
}
