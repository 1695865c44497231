import type { RecordType } from '../fields/record-type.js';
import { inQuotes } from '../values/problem.js';
import { typeMnemonic, typeNumber } from '../values/rr-type.js';
import { A, AAAA } from './addresses.js';
import { CERT, DHCID, DS, OPENPGPKEY, SMIMEA, SSHFP, TLSA } from './certificates.js';
import { genericType } from './generic.js';
import { LOC } from './loc.js';
import { MX } from './mx.js';
import {
  AFSDB,
  CAA,
  CNAME,
  DNAME,
  EUI48,
  EUI64,
  HINFO,
  NAPTR,
  NS,
  PTR,
  RP,
  URI,
} from './small-types.js';
import { SRV } from './srv.js';
import { HTTPS, SVCB } from './svcb/svcb.js';
import { SPF, TXT } from './txt.js';

/** Types that the DNS API has always had, in the order of its table (s2). Its first clients support no others. */
const BASIC_TYPES = { NS, A, AAAA, MX, TXT, CNAME, SRV } as const satisfies Readonly<
  Record<string, RecordType>
>;

/** All record types that users may create by name, with their rules. */
export const RECORD_TYPES = {
  ...BASIC_TYPES,
  ...{ PTR, CAA, TLSA, SMIMEA, SSHFP, SVCB, HTTPS, DS, DHCID, NAPTR, URI, LOC, CERT, OPENPGPKEY },
  ...{ DNAME, SPF, HINFO, RP, AFSDB, EUI48, EUI64 },
} as const satisfies Readonly<Record<string, RecordType>>;

/** Mnemonic of a record type, or TYPE and a number for one without a mnemonic here (RFC 3597 s5). */
export type RecordTypeName = keyof typeof RECORD_TYPES | `TYPE${number}`;

export const BASIC_TYPE_NAMES: readonly string[] = Object.keys(BASIC_TYPES);

/**
 * Sets of types that a client supports: the basic ones, or all. The client does not see other types, and cannot write
 * them.
 */
export const SUPPORTED_TYPES = ['basic', 'all'] as const;

export type SupportedTypes = (typeof SUPPORTED_TYPES)[number];

/** Whether a value is the mnemonic, in upper case, of a type that users may create. */
export function isRecordTypeName(
  value: unknown,
  known: SupportedTypes = 'all',
): value is RecordTypeName {
  if (typeof value !== 'string') return false;
  return known === 'basic'
    ? Object.hasOwn(BASIC_TYPES, value)
    : findRecordType(value) !== undefined;
}

/** Returns the rules of a type that users may create, by its mnemonic in upper case. */
export function findRecordType(name: string): RecordType | undefined {
  if (Object.hasOwn(RECORD_TYPES, name)) return RECORD_TYPES[name as keyof typeof RECORD_TYPES];
  const number = /^TYPE([1-9]\d{0,4})$/.exec(name)?.[1];
  return number !== undefined && isGenericNumber(Number(number))
    ? genericType(Number(number))
    : undefined;
}

/** Types that only the service writes: SOA, and the types of signed domains. */
const OWN_TYPES = ['SOA', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'DNSKEY', 'CDS', 'CDNSKEY'];
const MAX_NUMBER = 65_534;

/**
 * Whether records of a type may be written by its number. Types for queries and messages (RFC 6895 s3.1), and types
 * with their own rules, may not.
 */
function isGenericNumber(number: number): boolean {
  const isMeta = number >= 128 && number <= 255;
  return number >= 1 && number <= MAX_NUMBER && !isMeta && typeMnemonic(number) === `TYPE${number}`;
}

/** Returns the reason why users cannot write records of a type. It continues a sentence that begins with the type. */
export function whyNotWritable(type: string, names: readonly string[]): string {
  const number = typeNumber(type);
  const mnemonic = number === undefined ? type : typeMnemonic(number);
  if (names.includes(mnemonic)) return `is not supported; write ${inQuotes(mnemonic)}`;
  if (OWN_TYPES.includes(mnemonic))
    return 'is managed by this service; leave out records of this type';
  const others = `one of ${names.join(', ')}, or TYPE and a number for any other, such as TYPE65280`;
  return `is not supported; write ${others}`;
}
