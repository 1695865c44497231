/** Size of the fixed header in octets (RFC 1035 s4.1.1). */
export const HEADER_OCTETS = 12;

/** Maximum length of a name on the wire with its root label (RFC 1035 s2.3.4). */
export const MAX_NAME_OCTETS = 255;
export const MAX_LABEL_OCTETS = 63;
/** Maximum number of labels: 127 labels of one octet and the root. */
export const MAX_LABELS = 127;

/** Maximum length of a message over UDP without EDNS (RFC 1035 s2.3.4). */
export const PLAIN_UDP_OCTETS = 512;
/** Maximum length of a message over TCP: the limit of the two length octets. */
export const TCP_OCTETS = 65_535;

/** Header flags, as bits of the 16-bit field at octet 2 (RFC 1035 s4.1.1, RFC 4035 s3.1.6). */
export const FLAG = {
  QR: 0x8000,
  AA: 0x0400,
  TC: 0x0200,
  RD: 0x0100,
} as const;

export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  NOTAUTH: 9,
  /** Extended RCODE, whose upper eight bits are in OPT (RFC 6891 s6.1.3). */
  BADVERS: 16,
} as const;

/** RCODE names by number (IANA "DNS RCODEs"), up to the highest that this server sends. */
const RCODE_NAMES = [
  'NOERROR',
  'FORMERR',
  'SERVFAIL',
  'NXDOMAIN',
  'NOTIMP',
  'REFUSED',
  'YXDOMAIN',
  'YXRRSET',
  'NXRRSET',
  'NOTAUTH',
  'NOTZONE',
];
const BADVERS = 16;
const BADCOOKIE = 23;

/** Returns the mnemonic of an RCODE, or for example `RCODE12`. */
export function rcodeName(rcode: number): string {
  if (rcode === BADVERS) return 'BADVERS';
  if (rcode === BADCOOKIE) return 'BADCOOKIE';
  return RCODE_NAMES[rcode] ?? `RCODE${rcode}`;
}
