import { checkTargetName, domainName, singleNameCodec } from '../fields/names.js';
import { uint16, uint8 } from '../fields/numbers.js';
import { hyphenatedHex } from '../fields/octet-texts.js';
import type { RecordType } from '../fields/record-type.js';
import { characterString, stringToEnd, tag } from '../fields/strings.js';
import { typeOfFields } from '../fields/type-of-fields.js';
import { canonicalOwnerName } from '../names/owner-names.js';
import { RR_TYPE } from '../values/rr-type.js';
import { wireToName } from '../wire/wire-to-name.js';

const ANY_NAME = { isLowered: true, isHost: false, mayBeRoot: false } as const;

/** Name that another name points to: the host of an address, an instance of a service (RFC 1035 s3.3.12). */
export const PTR = typeOfFields('PTR', {
  fields: [domainName('name', ANY_NAME)],
  example: 'host.example.com.',
});

/** Name that replaces the owner's in all names below the owner (RFC 6672 s2.1). */
export const DNAME = typeOfFields('DNAME', {
  fields: [domainName('target', { ...ANY_NAME, mayBeRoot: true })],
  example: 'example.net.',
});

/** Machine and operating system of a host (RFC 1035 s3.3.2). RFC 8482 s4.2 uses it in responses to ANY. */
export const HINFO = typeOfFields('HINFO', {
  fields: [characterString('CPU'), characterString('operating system')],
  example: '"ARM64" "Linux"',
});

/** Responsible person: a mailbox, and the name of a TXT record, or "." for none (RFC 1183 s2.2). */
export const RP = typeOfFields('RP', {
  fields: [
    domainName('mailbox', { ...ANY_NAME, mayBeRoot: true }),
    domainName('name of the text', { ...ANY_NAME, mayBeRoot: true }),
  ],
  example: 'admin.example.com. .',
});

/** Host of an AFS cell database (RFC 1183 s1). */
export const AFSDB = typeOfFields('AFSDB', {
  fields: [uint16('subtype'), domainName('host', { ...ANY_NAME, isHost: true })],
  example: '1 afsdb.example.com.',
});

/** URI instead of a host name and a port (RFC 7553 s4). */
export const URI = typeOfFields('URI', {
  fields: [uint16('priority'), uint16('weight'), stringToEnd('target')],
  example: '10 1 "https://www.example.com/path"',
  rule: ({ length }) =>
    length > 4 ? undefined : 'has an empty target; write a URI, such as "https://example.com/"',
});

/** Address of a network interface with 48 bits (RFC 7043 s3). */
export const EUI48 = typeOfFields('EUI48', {
  fields: [hyphenatedHex('address', 6)],
  example: '00-00-5e-00-53-2a',
});

/** Address of a network interface with 64 bits (RFC 7043 s4). */
export const EUI64 = typeOfFields('EUI64', {
  fields: [hyphenatedHex('address', 8)],
  example: '00-00-5e-ef-10-00-00-2a',
});

/** Name of an authoritative nameserver (RFC 1035 s3.3.11). */
export const NS: RecordType = {
  ...singleNameCodec('NS', RR_TYPE.NS),
  needsPriority: false,
  checkData: checkTargetName,
  target: canonicalOwnerName,
};

/** Name that the owner is an alias of (RFC 1035 s3.3.1). */
export const CNAME: RecordType = {
  ...singleNameCodec('CNAME', RR_TYPE.CNAME),
  needsPriority: false,
  checkData: (name, zoneName) => checkTargetName(name, zoneName, 'any'),
  target: canonicalOwnerName,
};

const CRITICAL = 0x80;

/** Certification authorities that may issue certificates for a name (RFC 8659 s4.1). Unknown tags are accepted. */
export const CAA = typeOfFields('CAA', {
  fields: [uint8('flags'), tag('tag'), stringToEnd('value')],
  example: '0 issue "ca.example.net"',
  rule: ([flags]) =>
    flags === 0 || flags === CRITICAL
      ? undefined
      : `has the flags ${flags}; write 0, or 128 if certificate authorities must understand the tag`,
});

const FLAGS_OFFSET = 4;

/** Rule that rewrites a string into a name or a URI (RFC 3403 s4.1). The regular expression is stored unchanged. */
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

/** Returns the end of the character string at `at`. */
function stringEnd(wire: Uint8Array, at: number): number {
  return at + 1 + (wire[at] ?? 0);
}
