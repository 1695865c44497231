import { inQuotes } from '../problems/in-quotes.js';
import { typeMnemonic, typeNumber } from '../types/rr-type.js';

/** Types that the service writes itself: SOA, and the types of signed domains. */
const OWN_TYPES = ['SOA', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY', 'CDS', 'CDNSKEY'];
const MAX_NUMBER = 65_534;

/** Whether records of a type may be written by its number: no question, nothing about messages (RFC 6895 s3.1), and none with rules of its own. */
export function isGenericNumber(number: number): boolean {
  const isMeta = number >= 128 && number <= 255;
  return number >= 1 && number <= MAX_NUMBER && !isMeta && typeMnemonic(number) === `TYPE${number}`;
}

/** Why no user can write records of a type; it continues a sentence that begins with the type. */
export function whyNotWritable(type: string, names: readonly string[]): string {
  const number = typeNumber(type);
  const mnemonic = number === undefined ? type : typeMnemonic(number);
  if (names.includes(mnemonic)) return `is not supported; write ${inQuotes(mnemonic)}`;
  if (OWN_TYPES.includes(mnemonic))
    return 'records are written by this service itself; leave them out';
  const others = `one of ${names.join(', ')}, or TYPE and a number for any other, such as TYPE65280`;
  return `is not supported; write ${others}`;
}
