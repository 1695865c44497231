import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  canonicalOwnerName,
  canonicalRdata,
  DnsSyntaxError,
  formatZoneText,
  nameToWire,
  parseZoneText,
  rdataFromWire,
  rdataToWire,
  wireToName,
} from '../src/index.js';

const label = fc.uint8Array({ minLength: 1, maxLength: 63 });

/** Any name in wire form, whose labels may contain any octets (RFC 2181, section 11). */
const wireName = fc
  .array(label, { maxLength: 12 })
  .map((labels) => Uint8Array.from([...labels.flatMap((l) => [l.length, ...l]), 0]))
  .filter((wire) => wire.length <= 255);

const uint16 = fc.integer({ min: 0, max: 0xffff });
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const nameText = wireName.map((wire) => wireToName(wire));
const nullPriority = fc.constant(null);

interface Generated {
  type: string;
  data: string;
  priority: number | null;
}

function ofType(
  type: string,
  data: fc.Arbitrary<string>,
  priority: fc.Arbitrary<number | null> = nullPriority,
): fc.Arbitrary<Generated> {
  return fc.record({ type: fc.constant(type), data, priority });
}

const rdata = fc.oneof(
  ofType('A', fc.ipV4()),
  ofType('AAAA', fc.ipV6()),
  ofType('NS', nameText),
  ofType('CNAME', nameText),
  ofType('MX', nameText, uint16),
  ofType('TXT', fc.string({ unit: 'binary', minLength: 1, maxLength: 700 }).filter(isFreeText)),
  ofType(
    'SRV',
    fc.tuple(uint16, uint16, nameText).map((fields) => fields.join(' ')),
    uint16,
  ),
  ofType(
    'SOA',
    fc
      .tuple(nameText, nameText, uint32, uint32, uint32, uint32, uint32)
      .map((fields) => fields.join(' ')),
  ),
);

function isFreeText(text: string): boolean {
  return !/^[ \t]*"/.test(text);
}

describe('names', () => {
  it('RFC 1035 s5.1: wire to text and back gives the same octets', () => {
    fc.assert(
      fc.property(wireName, (wire) => {
        const text = wireToName(wire);
        expect(text).toMatch(/^[\x21-\x7e]+$/);
        expect(nameToWire(text)).toEqual(wire);
      }),
    );
  });

  it('RFC 4343 s3: a canonical name is its own canonical name', () => {
    fc.assert(
      fc.property(nameText, (text) => {
        const canonical = canonicalOwnerName(text);
        expect(canonicalOwnerName(canonical)).toBe(canonical);
        expect(canonicalOwnerName(text.toUpperCase())).toBe(canonical);
      }),
    );
  });
});

describe('rdata', () => {
  it('RFC 1035 s3.3: text to wire to text and back gives the same octets', () => {
    fc.assert(
      fc.property(rdata, ({ type, data, priority }) => {
        const wire = rdataToWire(type, data, priority);
        const text = rdataFromWire(type, wire);
        expect(text.priority).toBe(priority);
        expect(rdataToWire(type, text.data, text.priority)).toEqual(wire);
        expect(rdataFromWire(type, wire)).toEqual(text);
        expect(canonicalRdata(type, canonicalRdata(type, wire))).toEqual(
          canonicalRdata(type, wire),
        );
      }),
    );
  });

  it('RFC 5952 s4: IPv6 addresses are written as in the URL standard', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const { data } = rdataFromWire('AAAA', rdataToWire('AAAA', address, null));
        fc.pre(!data.includes('.'));
        expect(`[${data}]`).toBe(new URL(`http://[${address}]/`).hostname);
      }),
    );
  });

  it('wire rdata of any octets is refused with DnsSyntaxError, or gives the same octets when it is read back', () => {
    const types = fc.constantFrom('A', 'AAAA', 'NS', 'CNAME', 'MX', 'TXT', 'SRV', 'SOA');
    fc.assert(
      fc.property(types, fc.uint8Array({ maxLength: 60 }), (type, wire) => {
        const read = readOrRefuse(() => rdataFromWire(type, wire));
        if (read !== undefined) {
          expect(rdataToWire(type, read.data, read.priority)).toEqual(wire);
        }
      }),
    );
  });
});

describe('zone text', () => {
  it('RFC 1035 s5: a zone written and read has the same records', () => {
    const record = fc.record({
      ownerName: nameText,
      ttl: fc.option(fc.integer({ min: 0, max: 2_147_483_647 })),
      rdata,
    });
    fc.assert(
      fc.property(nameText, fc.array(record, { maxLength: 8 }), (origin, generated) => {
        const records = generated.map(({ ownerName, ttl, rdata: r }) => ({ ownerName, ttl, ...r }));
        const text = formatZoneText({ origin, defaultTtl: 60, records });
        expect(parseZoneText(text, { origin: '.' })).toEqual({
          problems: [],
          records: records.map(({ ownerName, type, ttl, data, priority }, index) => {
            const wire = rdataToWire(type, data, priority);
            return {
              ownerName: canonicalOwnerName(ownerName),
              type,
              ttl: ttl ?? 60,
              rdata: wire,
              ...rdataFromWire(type, wire),
              line: index + 3,
            };
          }),
        });
      }),
    );
  });
});

function readOrRefuse<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    expect(error).toBeInstanceOf(DnsSyntaxError);
    return undefined;
  }
}
