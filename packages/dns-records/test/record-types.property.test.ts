import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  canonicalRdata,
  checkRecord,
  DnsSyntaxError,
  formatZoneText,
  parseZoneText,
  rdataFromWire,
  rdataToWire,
} from '../src/index.js';
import { DATA_OF, GENERIC_DATA } from './support/any-rdata.js';

const TYPES = [...Object.entries(DATA_OF), ['TYPE65280', GENERIC_DATA] as const];

describe.each(TYPES)('%s', (type, data) => {
  it('RFC 1035 s5: text to wire to text to wire gives the same octets, and so does a zone file', () => {
    fc.assert(
      fc.property(data, (text) => {
        const name = type === 'TLSA' ? '_443._tcp.example.' : 'www.example.';
        expect(checkRecord({ name, type, data: text }, 'example.')).toEqual([]);
        const wire = rdataToWire(type, text, null);
        const back = rdataFromWire(type, wire);
        expect(rdataToWire(type, back.data, null)).toEqual(wire);
        expect(rdataFromWire(type, wire)).toEqual(back);
        expect(checkRecord({ name, type, data: back.data }, 'example.')).toEqual([]);
        const canonical = canonicalRdata(type, wire);
        expect(canonicalRdata(type, canonical)).toEqual(canonical);
        const record = { ownerName: name, type, ttl: 60, data: text, priority: null };
        const file = formatZoneText({ origin: 'example.', defaultTtl: 60, records: [record] });
        expect(parseZoneText(file, { origin: '.' })).toMatchObject({
          problems: [],
          records: [{ type, rdata: wire, data: back.data }],
        });
      }),
    );
  });

  it('wire to text to wire gives the same octets, or is refused with DnsSyntaxError', () => {
    const changed = fc.tuple(
      data.map((text) => rdataToWire(type, text, null)),
      fc.array(fc.tuple(fc.nat(100), fc.integer({ min: 0, max: 255 })), { maxLength: 3 }),
      fc.nat(100),
    );
    fc.assert(
      fc.property(changed, ([sound, changes, cut]) => {
        const wire = sound.slice();
        for (const [at, octet] of changes) if (at < wire.length) wire[at] = octet;
        expectSameOrRefused(type, cut > 50 ? wire : wire.subarray(0, cut));
      }),
    );
  });
});

function expectSameOrRefused(type: string, wire: Uint8Array): void {
  let text: string;
  try {
    text = rdataFromWire(type, wire).data;
  } catch (error) {
    expect(error).toBeInstanceOf(DnsSyntaxError);
    return;
  }
  expect(Buffer.from(rdataToWire(type, text, null))).toEqual(Buffer.from(wire));
}

describe('Letters of names (RFC 4034 s6.2)', () => {
  it.each([
    ['PTR', 'Host.Example.', 'host.example.'],
    ['RP', 'Box.Example. Text.Example.', 'box.example. text.example.'],
    ['AFSDB', '16705 Host.Example.', '16705 host.example.'],
    ['NAPTR', '1 2 "S" "SIP" "" Sip.Example.', '1 2 "S" "SIP" "" sip.example.'],
  ])('%s: equal rdata has equal octets', (type, data, lower) => {
    expect(canonicalRdata(type, rdataToWire(type, data, null))).toEqual(
      rdataToWire(type, lower, null),
    );
  });

  it.each([
    ['SVCB', '1 Host.Example. alpn=H2'],
    ['CAA', '0 Issue "CA.Example"'],
    ['HINFO', '"ARM" "Linux"'],
  ])('%s: keeps the case of its letters', (type, data) => {
    const wire = rdataToWire(type, data, null);
    expect(canonicalRdata(type, wire)).toEqual(wire);
  });
});
