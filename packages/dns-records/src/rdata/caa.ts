import { stringToEnd, tag } from '../fields/strings.js';
import { typeOfFields } from '../fields/type-of-fields.js';
import { uint8 } from '../fields/numbers.js';

const CRITICAL = 0x80;

/** Certification authorities that may issue certificates for a name (RFC 8659 s4.1). Unknown tags are accepted. */
export const CAA = typeOfFields('CAA', {
  fields: [uint8('flags'), tag('tag'), stringToEnd('value')],
  example: '0 issue "ca.example.net"',
  rule: ([flags]) =>
    flags === 0 || flags === CRITICAL
      ? undefined
      : `has the flags ${flags}; write 0, or 128 for what a certificate authority must understand`,
});
