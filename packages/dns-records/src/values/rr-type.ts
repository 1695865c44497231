/**
 * Record types and query types by mnemonic (IANA "Resource Record (RR) TYPEs"): those that this platform serves and
 * those that occur in queries and zone files.
 */
export const RR_TYPE = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  CERT: 37,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  DHCID: 49,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  EUI48: 108,
  EUI64: 109,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  MAILB: 253,
  MAILA: 254,
  ANY: 255,
  URI: 256,
  CAA: 257,
} as const;

// Maps instead of the object itself, so that a query for "constructor" finds nothing.
const NUMBER_BY_MNEMONIC: ReadonlyMap<string, number> = new Map(Object.entries(RR_TYPE));
const MNEMONIC_BY_NUMBER: ReadonlyMap<number, string> = new Map(
  Object.entries(RR_TYPE).map(([mnemonic, number]) => [number, mnemonic]),
);

const MAX_TYPE_NUMBER = 0xffff;

/** Returns the mnemonic of a type, or `TYPE123` for one without a mnemonic here (RFC 3597 s5). */
export function typeMnemonic(number: number): string {
  return MNEMONIC_BY_NUMBER.get(number) ?? `TYPE${number}`;
}

/** Returns the number of a mnemonic in any letter case, or of `TYPE123` (RFC 3597 s5). */
export function typeNumber(text: string): number | undefined {
  const mnemonic = text.toUpperCase();
  return NUMBER_BY_MNEMONIC.get(mnemonic) ?? genericTypeNumber(mnemonic);
}

function genericTypeNumber(mnemonic: string): number | undefined {
  const digits = /^TYPE(\d{1,5})$/.exec(mnemonic)?.[1];
  return digits === undefined || Number(digits) > MAX_TYPE_NUMBER ? undefined : Number(digits);
}

/** Classes and query classes by mnemonic (RFC 1035 s3.2.4 and s3.2.5, RFC 2136 s1.3 for NONE). */
export const RR_CLASS = { IN: 1, CS: 2, CH: 3, HS: 4, NONE: 254, ANY: 255 } as const;

const CLASS_BY_MNEMONIC: ReadonlyMap<string, number> = new Map(Object.entries(RR_CLASS));

/** Returns the number of a class mnemonic in any letter case, or of `CLASS1` (RFC 3597 s5). */
export function classNumber(text: string): number | undefined {
  const mnemonic = text.toUpperCase();
  const known = CLASS_BY_MNEMONIC.get(mnemonic);
  if (known !== undefined) return known;
  const digits = /^CLASS(\d{1,5})$/.exec(mnemonic)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
