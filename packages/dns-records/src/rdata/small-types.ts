import { domainName } from '../fields/names.js';
import { uint16 } from '../fields/numbers.js';
import { hyphenatedHex } from '../fields/octet-texts.js';
import { characterString, stringToEnd } from '../fields/strings.js';
import { typeOfFields } from '../fields/type-of-fields.js';

const ANY_NAME = { isLowered: true, isHost: false, mayBeRoot: false } as const;

/** A name that another name points to: the host of an address, an instance of a service (RFC 1035 s3.3.12). */
export const PTR = typeOfFields('PTR', {
  fields: [domainName('name', ANY_NAME)],
  example: 'host.example.com.',
});

/** Name that replaces the owner's in all names below the owner (RFC 6672 s2.1). */
export const DNAME = typeOfFields('DNAME', {
  fields: [domainName('target', { ...ANY_NAME, mayBeRoot: true })],
  example: 'example.net.',
});

/** The kind of a host's machine and of its system, which RFC 8482 s4.2 answers with, too (RFC 1035 s3.3.2). */
export const HINFO = typeOfFields('HINFO', {
  fields: [characterString('CPU'), characterString('operating system')],
  example: '"ARM64" "Linux"',
});

/** Person responsible for a name: a mailbox, and the name of a TXT record; "." for none (RFC 1183 s2.2). */
export const RP = typeOfFields('RP', {
  fields: [
    domainName('mailbox', { ...ANY_NAME, mayBeRoot: true }),
    domainName('name of the text', { ...ANY_NAME, mayBeRoot: true }),
  ],
  example: 'admin.example.com. .',
});

/** The host of a database of a cell (RFC 1183 s1). */
export const AFSDB = typeOfFields('AFSDB', {
  fields: [uint16('subtype'), domainName('host', { ...ANY_NAME, isHost: true })],
  example: '1 afsdb.example.com.',
});

/** A URI instead of a host's name and port (RFC 7553 s4). */
export const URI = typeOfFields('URI', {
  fields: [uint16('priority'), uint16('weight'), stringToEnd('target')],
  example: '10 1 "https://www.example.com/path"',
  rule: ({ length }) =>
    length > 4 ? undefined : 'has an empty target; write a URI, such as "https://example.com/"',
});

/** An address of a network interface of 48 bits (RFC 7043 s3). */
export const EUI48 = typeOfFields('EUI48', {
  fields: [hyphenatedHex('address', 6)],
  example: '00-00-5e-00-53-2a',
});

/** One of 64 bits (RFC 7043 s4). */
export const EUI64 = typeOfFields('EUI64', {
  fields: [hyphenatedHex('address', 8)],
  example: '00-00-5e-ef-10-00-00-2a',
});
