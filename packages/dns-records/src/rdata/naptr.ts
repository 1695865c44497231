import { wireToName } from '../wire/wire-to-name.js';
import { domainName } from '../fields/names.js';
import { uint16 } from '../fields/numbers.js';
import { characterString } from '../fields/strings.js';
import { typeOfFields } from '../fields/type-of-fields.js';

const FLAGS_OFFSET = 4;

/** A rule that rewrites a string into a name or a URI (RFC 3403 s4.1). The regular expression is stored unchanged. */
export const NAPTR = typeOfFields('NAPTR', {
  fields: [
    uint16('order'),
    uint16('preference'),
    characterString('flags'),
    characterString('services'),
    characterString('regexp'),
    domainName('replacement', { isLowered: true, isHost: false, mayBeRoot: true }),
  ],
  example: '100 10 "S" "SIP+D2U" "" _sip._udp.example.com.',
  rule: checkRule,
});

function checkRule(wire: Uint8Array): string | undefined {
  const services = stringEnd(wire, FLAGS_OFFSET);
  const flags = Buffer.from(wire.subarray(FLAGS_OFFSET + 1, services)).toString('latin1');
  if (!/^[A-Za-z0-9]*$/.test(flags)) return 'has flags that are not letters or digits';
  const regexp = stringEnd(wire, services);
  const replacement = stringEnd(wire, regexp);
  return wire[regexp] === 0 || wireToName(wire, replacement) === '.'
    ? undefined
    : 'has a regexp and a replacement; write the regexp "", or the replacement "." (RFC 3403 s4.1)';
}

/** Offset at which the character string at `at` ends. */
function stringEnd(wire: Uint8Array, at: number): number {
  return at + 1 + (wire[at] ?? 0);
}
