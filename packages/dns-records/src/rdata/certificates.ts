import { uint16, uint8 } from '../fields/numbers.js';
import { base64ToEnd, hexToEnd } from '../fields/octet-texts.js';
import { typeOfFields } from '../fields/type-of-fields.js';

const MAX_USAGE = 3;
const MAX_SELECTOR = 1;
const HASH_OCTETS: ReadonlyMap<number, number> = new Map([
  [1, 32],
  [2, 64],
]);

const association = {
  fields: [uint8('usage'), uint8('selector'), uint8('matching type'), hexToEnd('association data')],
  example: `3 1 1 ${'0a'.repeat(32)}`,
  rule: checkAssociation,
};

/** Certificate of a TLS server (RFC 6698 s2.1). */
export const TLSA = typeOfFields('TLSA', association);

/** Certificate of an email address, in the same form (RFC 8162 s2). */
export const SMIMEA = typeOfFields('SMIMEA', association);

/**
 * DNSSEC algorithms by mnemonic, which zone files may contain (RFC 4034 s5.3, IANA "DNS Security Algorithm Numbers").
 */
const ALGORITHMS: ReadonlyMap<string, number> = new Map([
  ['RSAMD5', 1],
  ['DH', 2],
  ['DSA', 3],
  ['RSASHA1', 5],
  ['DSA-NSEC3-SHA1', 6],
  ['NSEC3DSA', 6],
  ['RSASHA1-NSEC3-SHA1', 7],
  ['NSEC3RSASHA1', 7],
  ['RSASHA256', 8],
  ['RSASHA512', 10],
  ['ECC-GOST', 12],
  ['ECCGOST', 12],
  ['ECDSAP256SHA256', 13],
  ['ECDSAP384SHA384', 14],
  ['ED25519', 15],
  ['ED448', 16],
  ['INDIRECT', 252],
  ['PRIVATEDNS', 253],
  ['PRIVATEOID', 254],
]);

/** Certificate or certificate revocation list (RFC 4398 s2). */
export const CERT = typeOfFields('CERT', {
  fields: [
    uint16(
      'type',
      new Map([
        ['PKIX', 1],
        ['SPKI', 2],
        ['PGP', 3],
        ['IPKIX', 4],
        ['ISPKI', 5],
        ['IPGP', 6],
        ['ACPKIX', 7],
        ['IACPKIX', 8],
        ['URI', 253],
        ['OID', 254],
      ]),
    ),
    uint16('key tag'),
    uint8('algorithm', ALGORITHMS),
    base64ToEnd('certificate'),
  ],
  example: '1 0 0 MIIBIjANBgkqhkiG',
});

/** OpenPGP key of an email address (RFC 7929 s2). */
export const OPENPGPKEY = typeOfFields('OPENPGPKEY', {
  fields: [base64ToEnd('key')],
  example: 'mQINBFit2ioBEADh',
});

function checkAssociation(wire: Uint8Array): string | undefined {
  const [usage = 0, selector = 0, matching = 0] = wire;
  if (usage > MAX_USAGE) return `has the usage ${usage}; write one from 0 to ${MAX_USAGE}`;
  if (selector > MAX_SELECTOR) {
    return `has the selector ${selector}; write 0 for the certificate or 1 for its public key`;
  }
  const octets = HASH_OCTETS.get(matching);
  if (octets === undefined && matching !== 0) {
    return `has the matching type ${matching}; write 0 for no hash, 1 for SHA-256 or 2 for SHA-512`;
  }
  const found = wire.length - 3;
  return octets === undefined || octets === found
    ? undefined
    : `has ${2 * found} hexadecimal digits; the matching type ${matching} takes ${2 * octets}`;
}

/** Fingerprint of a host's SSH key (RFC 4255 s3.1, RFC 6594). */
export const SSHFP = typeOfFields('SSHFP', {
  fields: [uint8('algorithm'), uint8('fingerprint type'), hexToEnd('fingerprint')],
  example: `4 2 ${'0a'.repeat(32)}`,
  rule: (wire) =>
    checkHash(wire, 'fingerprint type', {
      typeAt: 1,
      octets: new Map([
        [1, 20],
        [2, 32],
      ]),
    }),
});

/** Hash of the key that signs a child zone (RFC 4034 s5.1; digest types of IANA). */
export const DS = typeOfFields('DS', {
  fields: [
    uint16('key tag'),
    uint8('algorithm', ALGORITHMS),
    uint8('digest type'),
    hexToEnd('digest'),
  ],
  example: `60485 13 2 ${'0a'.repeat(32)}`,
  rule: (wire) =>
    checkHash(wire, 'digest type', {
      typeAt: 3,
      octets: new Map([
        [1, 20],
        [2, 32],
        [3, 32],
        [4, 48],
        [5, 32],
        [6, 32],
      ]),
    }),
});

/** Minimum length. Two octets of identifier type and one of digest type precede the digest (RFC 4701 s3.1). */
const MIN_DHCID_OCTETS = 4;

/** DHCP client that a name belongs to (RFC 4701 s3.1). */
export const DHCID = typeOfFields('DHCID', {
  fields: [base64ToEnd('identifier')],
  example: 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
  rule: ({ length }) =>
    length >= MIN_DHCID_OCTETS
      ? undefined
      : `has ${length} octets; an identifier has at least ${MIN_DHCID_OCTETS}`,
});

/** Checks a hash, which follows the octet of its type and extends to the end. */
function checkHash(
  wire: Uint8Array,
  label: string,
  { typeAt, octets }: { readonly typeAt: number; readonly octets: ReadonlyMap<number, number> },
): string | undefined {
  const type = wire[typeAt] ?? 0;
  const right = octets.get(type);
  const found = wire.length - typeAt - 1;
  return right === undefined || right === found
    ? undefined
    : `has ${2 * found} hexadecimal digits; the ${label} ${type} takes ${2 * right}`;
}
