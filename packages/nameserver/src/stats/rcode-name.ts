/** IANA "DNS RCODEs" up to the last that this server sends; the place is the number. */
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

/** The mnemonic of an RCODE, or `RCODE12`. */
export function rcodeName(rcode: number): string {
  if (rcode === BADVERS) return 'BADVERS';
  if (rcode === BADCOOKIE) return 'BADCOOKIE';
  return RCODE_NAMES[rcode] ?? `RCODE${rcode}`;
}
