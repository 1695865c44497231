import { expect, it } from '@jest/globals';
import { nameToWire } from '../wire/name-to-wire.js';
import { dnssecText } from './dnssec-text.js';

const wire = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const name = (text: string) => Buffer.from(nameToWire(text)).toString('hex');

it.each([
  ['DNSKEY', '0100 03 05 aabb', '256 3 5 qrs='],
  ['CDNSKEY', '0000 03 00 00', '0 3 0 AA=='],
  ['CDS', '0000 00 00 00', '0 0 0 00'],
  [
    'RRSIG',
    `0001 05 03 00015180 3e7dab27 3e56255a 0a52 ${name('example.com.')} aabb`,
    'A 5 3 86400 20030323124007 20030221131050 2642 example.com. qrs=',
  ],
  // RFC 4034 s4.3.
  [
    'NSEC',
    `${name('host.example.com.')} 0006 40 01 00 00 00 03 041b 000000 0000000000000000000000000000000000000000000000 20`,
    'host.example.com. A MX RRSIG NSEC TYPE1234',
  ],
  ['NSEC3PARAM', '01 00 000c 04 aabbccdd', '1 0 12 aabbccdd'],
  ['NSEC3PARAM', '01 00 0000 00', '1 0 0 -'],
  // RFC 5155, appendix A: 2t7b4g4vsa5smi47k61mv5bv1a22bojr.
  [
    'NSEC3',
    '01 01 000c 04 aabbccdd 14 174eb2409fe28bcb4887a1836f957f0a8425e27b 00 01 40',
    '1 1 12 aabbccdd 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR A',
  ],
])('writes %s of %s as dig does', (type, hex, text) => {
  expect(dnssecText(type, wire(hex))).toBe(text);
});

it('has no text for other types and truncated rdata', () => {
  expect(dnssecText('A', wire('c0000201'))).toBeUndefined();
  expect(dnssecText('NSEC3PARAM', wire('0100'))).toBeUndefined();
});
