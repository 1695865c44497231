import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  checkDescription,
  checkDomainName,
  checkEmail,
  checkRecord,
  checkTtl,
  DnsSyntaxError,
  nameToWire,
  parseZoneText,
  rdataToWire,
  RECORD_TYPES,
  toAsciiDomainName,
} from '../src/index.js';
import { emailToMailboxName } from '../src/names/name-rules.js';

/** Texts that are similar to what the parsers expect, and any others. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom('.', '\\', '"', '*', '_', '-', '@', 'a', '1', '046', ' ', 'ü', '。', '１'),
      {
        maxLength: 40,
      },
    )
    .map((parts) => parts.join('')),
);

const types = fc.constantFrom(...Object.keys(RECORD_TYPES), 'SOA', 'x');

function expectOnlySyntaxErrors(parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    expect(error).toBeInstanceOf(DnsSyntaxError);
  }
}

describe('any text', () => {
  it('makes the parsers of names and rdata throw nothing but DnsSyntaxError', () => {
    fc.assert(
      fc.property(text, types, (input, type) => {
        expectOnlySyntaxErrors(() => nameToWire(input));
        expectOnlySyntaxErrors(() => toAsciiDomainName(input));
        expectOnlySyntaxErrors(() => emailToMailboxName(input));
        expectOnlySyntaxErrors(() => rdataToWire(type, input, 1));
      }),
      { numRuns: 1_000 },
    );
  });

  it('makes parseZoneText throw nothing, and each line is accepted or has a reason', () => {
    const part = fc.constantFrom('a', '@', 'A', 'TXT', 'SOA', '192.0.2.1', '5', 'IN', '(', ')');
    const odd = fc.constantFrom(
      '"',
      '\\',
      ';',
      '\n',
      '\n ',
      '\r\n',
      '$TTL',
      '$ORIGIN',
      '\\#',
      '\0',
    );
    const zoneText = fc.oneof(
      text,
      fc.array(fc.oneof(part, odd, text), { maxLength: 60 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(zoneText, (input) => {
        const { records, problems } = parseZoneText(input, { origin: 'example.', defaultTtl: 1 });
        const lines = input.split('\n').length;
        expect(records.length + problems.length).toBeLessThanOrEqual(lines);
        expect([...records, ...problems].every(({ line }) => line >= 1 && line <= lines)).toBe(
          true,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('any JSON value', () => {
  const value = fc.oneof(text, fc.jsonValue());
  const shape = { name: value, data: value, ttl: value, priority: value, description: value };

  it('makes the checks throw nothing, and each message is a sentence', () => {
    fc.assert(
      fc.property(value, (input) => {
        const problems = [checkDomainName, checkEmail, checkTtl, checkDescription].flatMap(
          (check) => check(input),
        );
        expect(problems.every(({ message }) => message.endsWith('.'))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is refused or can be loaded by the nameserver if it is a record', () => {
    fc.assert(
      fc.property(fc.record({ ...shape, type: types }, { requiredKeys: [] }), (record) => {
        const problems = checkRecord(record, 'example.');
        expect(problems.every(({ message }) => message.endsWith('.'))).toBe(true);
        if (problems.length === 0) {
          const priority = (record.priority as number | null | undefined) ?? null;
          expect(nameToWire(toAsciiDomainName(record.name as string))).toBeInstanceOf(Uint8Array);
          const wire = rdataToWire(record.type!, record.data as string, priority);
          expect(wire).toBeInstanceOf(Uint8Array);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('is refused or can be loaded if it is the data of an otherwise valid record', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('TXT', 'CNAME', 'NS', 'A', 'AAAA'), (data, type) => {
        if (checkRecord({ name: 'a.example.', type, data }, 'example.').length === 0) {
          expect(rdataToWire(type, data, null)).toBeInstanceOf(Uint8Array);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('has its stored form if it is accepted as a domain name or an email', () => {
    fc.assert(
      fc.property(text, (input) => {
        if (checkDomainName(input).length === 0) {
          expect(nameToWire(toAsciiDomainName(input))).toBeInstanceOf(Uint8Array);
        }
        if (checkEmail(input).length === 0) {
          expect(nameToWire(emailToMailboxName(input))).toBeInstanceOf(Uint8Array);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
