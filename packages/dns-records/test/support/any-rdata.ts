import fc from 'fast-check';
import type { RECORD_TYPES } from '../../src/index.js';
import { wireToName } from '../../src/index.js';
import { quoteString } from '../../src/fields/quoted-strings.js';

const uint8 = fc.integer({ min: 0, max: 0xff });
const uint16 = fc.integer({ min: 0, max: 0xffff });
const octets = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength });
const hex = (minLength: number, maxLength = minLength) =>
  octets(minLength, maxLength).map((wire) => Buffer.from(wire).toString('hex'));
const base64 = (minLength: number) =>
  octets(minLength, 80).map((wire) => Buffer.from(wire).toString('base64'));
const string = octets(0, 40).map(quoteString);
const hyphenated = (length: number) =>
  hex(length).map((digits) => (digits.match(/../g) ?? []).join('-'));

/** Any name in wire form, whose labels may contain any octets (RFC 2181, section 11). */
export const wireName = fc
  .array(octets(1, 63), { maxLength: 12 })
  .map((labels) => Uint8Array.from([...labels.flatMap((l) => [l.length, ...l]), 0]))
  .filter((wire) => wire.length <= 255);
const anyName = wireName.map((wire) => wireToName(wire)).filter((name) => name !== '.');
const host = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9_]{1,12}$/), { minLength: 1, maxLength: 4 })
  .map((labels) => `x.${labels.join('.')}.`);

const words = (...parts: (fc.Arbitrary<string | number> | string)[]) =>
  fc
    .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
    .map((values) => values.join(' '));
const tagged = (from: readonly (readonly [number, number])[], ...before: fc.Arbitrary<number>[]) =>
  fc
    .constantFrom(...from)
    .chain(([type, length]) => words(...before, fc.constant(type), hex(length)));

const list = (item: fc.Arbitrary<string>) =>
  fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => items.join(','));
const KEYS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  // The list contains no ids that need a backslash, because ldns-read-zone does not process these. The cases of SVCB
  // have some.
  alpn: list(octets(1, 20).map((id) => Buffer.from(id).toString('latin1').replace(/[\\,]/g, '/'))),
  port: uint16.map(String),
  ipv4hint: list(fc.ipV4()),
  ech: base64(1),
  ipv6hint: list(fc.ipV6()),
  dohpath: fc.constant('/dns-query{?dns}'),
  key65280: octets(0, 20).map((value) => Buffer.from(value).toString('latin1')),
  key8: fc.constant(''),
};
const params = fc
  .shuffledSubarray(Object.keys(KEYS))
  .chain((keys) =>
    fc
      .tuple(...keys.map((key) => KEYS[key]!))
      .map((values) =>
        [
          ...values.map((value, at) => `${keys[at]!}=${quoteString(Buffer.from(value, 'latin1'))}`),
          ...(keys.includes('alpn') ? ['no-default-alpn', 'mandatory=alpn'] : []),
        ].join(' '),
      ),
  );
const binding = fc.oneof(
  words('0', host),
  words(fc.integer({ min: 1, max: 0xffff }), fc.oneof(host, fc.constant('.')), params),
);
const association = fc.oneof(
  tagged(
    [
      [1, 32],
      [2, 64],
    ],
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom(0, 1),
  ),
  words(fc.integer({ min: 0, max: 3 }), fc.constantFrom(0, 1), '0', hex(1, 60)),
);
const angle = (most: number, plus: string, minus: string) =>
  fc
    .tuple(fc.integer({ min: 0, max: most * 3_600_000 }), fc.constantFrom(plus, minus))
    .map(([size, letter]) => {
      const minutes = Math.floor(size / 60_000);
      const seconds = ((size % 60_000) / 1_000).toFixed(3);
      return `${Math.floor(minutes / 60)} ${minutes % 60} ${seconds} ${letter}`;
    });
const metres = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((size) => `${(size / 100).toFixed(2)}m`);
const size = metres(0, 9e9);

type Typed = Exclude<
  keyof typeof RECORD_TYPES,
  'NS' | 'A' | 'AAAA' | 'MX' | 'TXT' | 'CNAME' | 'SRV'
>;

/** Data that the rules of each type accept. */
export const DATA_OF: Readonly<Record<Typed, fc.Arbitrary<string>>> = {
  PTR: anyName,
  CAA: words(fc.constantFrom(0, 128), fc.stringMatching(/^[A-Za-z0-9]{1,15}$/), string),
  TLSA: association,
  SMIMEA: association,
  SSHFP: tagged(
    [
      [1, 20],
      [2, 32],
    ],
    uint8,
  ),
  SVCB: binding,
  HTTPS: binding,
  DS: tagged(
    [
      [1, 20],
      [2, 32],
      [4, 48],
    ],
    uint16,
    fc.constantFrom(8, 13, 15),
  ),
  DHCID: base64(4),
  NAPTR: fc.oneof(
    words(uint16, uint16, fc.constantFrom('"S"', '"a"', '""'), string, '""', anyName),
    words(uint16, uint16, '"u"', string, '"!^.*$!sip:info@example.com!"', '.'),
  ),
  URI: words(uint16, uint16, octets(1, 60).map(quoteString)),
  LOC: words(
    angle(90, 'N', 'S'),
    angle(180, 'E', 'W'),
    metres(-10_000_000, 2 ** 32 - 1 - 10_000_000),
    ...[size, size, size],
  ),
  // The type 0 is reserved (RFC 4398, section 2.1), and some programs refuse it.
  CERT: words(fc.integer({ min: 1, max: 0xffff }), uint16, uint8, base64(1)),
  OPENPGPKEY: base64(1),
  DNAME: fc.oneof(anyName, fc.constant('.')),
  SPF: fc.array(string, { minLength: 1, maxLength: 4 }).map((strings) => strings.join(' ')),
  HINFO: words(string, string),
  RP: words(fc.oneof(anyName, fc.constant('.')), fc.oneof(anyName, fc.constant('.'))),
  AFSDB: words(uint16, host),
  EUI48: hyphenated(6),
  EUI64: hyphenated(8),
};

/** Data of a type that this package does not know. */
export const GENERIC_DATA = octets(0, 60).map(
  (wire) => `\\# ${wire.length} ${Buffer.from(wire).toString('hex')}`,
);
