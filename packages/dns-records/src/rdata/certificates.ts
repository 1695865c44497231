import { hexToEnd, base64ToEnd } from '../fields/octet-texts.js';
import { typeOfFields } from '../fields/type-of-fields.js';
import { uint16, uint8 } from '../fields/numbers.js';
import { ALGORITHMS } from './key-algorithms.js';

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

/** The certificate of a TLS server (RFC 6698 s2.1). */
export const TLSA = typeOfFields('TLSA', association);

/** The certificate of a mail address (RFC 8162 s2), of the same form. */
export const SMIMEA = typeOfFields('SMIMEA', association);

/** A certificate or a certificate revocation list (RFC 4398 s2). */
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

/** An OpenPGP key of a mail address (RFC 7929 s2). */
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
