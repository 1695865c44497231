import { base64ToEnd, hexToEnd } from '../fields/octet-texts.js';
import { typeOfFields } from '../fields/type-of-fields.js';
import { uint16, uint8 } from '../fields/numbers.js';
import { ALGORITHMS } from './key-algorithms.js';

/** The fingerprint of a host's SSH key (RFC 4255 s3.1, RFC 6594). */
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

/** The hash of the key that a child zone is signed with (RFC 4034 s5.1; digest types of IANA). */
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

/** Two octets of identifier type and one of digest type come before the digest (RFC 4701 s3.1). */
const MIN_DHCID_OCTETS = 4;

/** The DHCP client that a name belongs to (RFC 4701 s3.1). */
export const DHCID = typeOfFields('DHCID', {
  fields: [base64ToEnd('identifier')],
  example: 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
  rule: ({ length }) =>
    length >= MIN_DHCID_OCTETS
      ? undefined
      : `stands for ${length} octets; an identifier has ${MIN_DHCID_OCTETS} at least`,
});

/** The hash follows the octet of its type and extends to the end. */
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
