import { describe, expect, it } from '@jest/globals';
import { DnsSyntaxError, RdataSyntaxError } from '../values/problem.js';
import { canonicalRdata, rdataFromWire, rdataToWire } from './rdata.js';
import { BASIC_TYPE_NAMES, RECORD_TYPES } from './record-types.js';

const SOA_DATA = 'ns1.Example. host.Example. 4294967295 14400 3600 1209600 300';

describe('rdataToWire', () => {
  it.each([
    ['A', '192.0.2.1', null, 'c0000201'],
    ['AAAA', '2001:db8::1', null, '20010db8000000000000000000000001'],
    ['NS', 'ns1.a.', null, '036e7331016100'],
    ['CNAME', 'b.', null, '016200'],
    ['MX', 'm.', 10, '000a016d00'],
    ['SRV', '5 5060 s.', 1, '0001000513c4017300'],
    ['TXT', 'ab', null, '026162'],
    ['TXT', '"a" ""', null, '016100'],
    [
      'SOA',
      'n. h. 1 1h 1m 1d 0',
      null,
      '016e0001680000000001' + '00000e100000003c0001518000000000',
    ],
  ])('RFC 1035 s3.3, RFC 2782, RFC 3596: %s %j', (type, data, priority, hex) => {
    expect(Buffer.from(rdataToWire(type, data, priority)).toString('hex')).toBe(hex);
  });

  it('RFC 1035 s3.3: splits text over 255 octets', () => {
    const wire = rdataToWire('TXT', 'a'.repeat(600), null);
    expect([wire[0], wire[256], wire[512], wire.length]).toEqual([255, 255, 90, 603]);
  });

  it('RFC 1035 s3.3: writes text of exactly 255 octets as one string', () => {
    expect(rdataToWire('TXT', 'a'.repeat(255), null)).toHaveLength(256);
  });

  it.each([
    ['MX', 'm.', null],
    ['MX', 'm.', 65_536],
    ['SRV', '0 0 s.', -1],
    ['SRV', '0 s.', 1],
    ['A', '1.2.3', null],
    ['AAAA', 'fe80::1%1', null],
    ['TXT', '', null],
    ['SOA', 'n. h. 1 2 3 4', null],
    ['SOA', 'n. h. 1d 2 3 4 5', null],
    ['SOA', 'n. h. 4294967296 2 3 4 5', null],
    ['RRSIG', '1 2 3 00', null],
    ['TYPE65280', '0a', null],
    ['TYPE1', '\\# 4 c0000201', null],
    ['constructor', '', null],
  ])('refuses %s %j with priority %j', (type, data, priority) => {
    expect(() => rdataToWire(type, data, priority)).toThrow(RdataSyntaxError);
  });
});

describe('rdataFromWire', () => {
  it('RFC 1035 s3.3.13: reads an SOA back, with unsigned 32-bit numbers', () => {
    expect(rdataFromWire('SOA', rdataToWire('SOA', SOA_DATA, null)).data).toBe(SOA_DATA);
  });

  it.each([
    ['A', 'c00002'],
    ['A', 'c000020101'],
    ['AAAA', '20010db8'],
    ['NS', ''],
    ['NS', '0000'],
    ['MX', '000a'],
    ['MX', '000a00ff'],
    ['SRV', '000100020003'],
    ['SRV', '000100020003c00c'],
    ['TXT', ''],
    ['TXT', '0261'],
    ['SOA', '0000'],
    ['SVCB', '000100ffff0000'],
    ['SVCB', '00010000000002ffff'],
    ['SVCB', '00010000030002003500010003026832'],
    ['LOC', '00021212800000008000000000989680'],
    ['LOC', '01121212800000008000000000989680'],
    ['SOA', `0000${'00'.repeat(21)}`],
  ])('refuses %s rdata "%s", which is cut short or too long', (type, hex) => {
    expect(() => rdataFromWire(type, Uint8Array.from(Buffer.from(hex, 'hex')))).toThrow(
      DnsSyntaxError,
    );
  });
});

describe('canonicalRdata', () => {
  it.each([
    ['NS', 'NS1.Example.', 'ns1.example.', null],
    ['CNAME', 'WWW.Example.', 'www.example.', null],
    ['MX', 'Mail.Example.', 'mail.example.', 16_705],
    ['SRV', '16705 16705 Sip.Example.', '16705 16705 sip.example.', 16_705],
    ['SOA', 'N.A. H.A. 1094795585 2 3 4 5', 'n.a. h.a. 1094795585 2 3 4 5', null],
  ])('RFC 4034 s6.2: lowers only the names in %s', (type, data, lower, priority) => {
    const canonical = canonicalRdata(type, rdataToWire(type, data, priority));
    expect(canonical).toEqual(rdataToWire(type, lower, priority));
  });

  it.each([
    ['A', '65.66.67.68'],
    ['AAAA', '4142:4344::'],
    ['TXT', 'Text In Letters'],
  ])('RFC 4034 s6.2: keeps the case of %s', (type, data) => {
    const wire = rdataToWire(type, data, null);
    expect(canonicalRdata(type, wire)).toEqual(wire);
  });
});

describe('RECORD_TYPES', () => {
  it('DNS API s2: seven types are basic, and MX and SRV require a priority', () => {
    expect(BASIC_TYPE_NAMES.toSorted()).toEqual(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT']);
    expect(
      Object.entries(RECORD_TYPES).flatMap(([name, type]) => (type.needsPriority ? [name] : [])),
    ).toEqual(['MX', 'SRV']);
  });

  it.each([
    [RECORD_TYPES.NS, 'NS1.Example.', 'ns1.example.'],
    [RECORD_TYPES.CNAME, 'WWW.Example.', 'www.example.'],
    [RECORD_TYPES.MX, 'Mail.Example.', 'mail.example.'],
    [RECORD_TYPES.MX, '.', null],
    [RECORD_TYPES.SRV, '0 5060 Sip.Example.', 'sip.example.'],
    [RECORD_TYPES.SRV, '0 0 .', null],
    [RECORD_TYPES.A, '192.0.2.1', null],
    [RECORD_TYPES.AAAA, '::1', null],
    [RECORD_TYPES.TXT, 'text', null],
  ])('D-REC-37: returns the canonical target in %#', (type, data, target) => {
    expect(type.target(data)).toBe(target);
  });
});
