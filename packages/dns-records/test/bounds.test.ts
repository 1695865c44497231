import { describe, expect, it } from '@jest/globals';
import {
  checkDescription,
  checkRecord,
  DnsSyntaxError,
  iterateZoneText,
  rdataToWire,
  toAsciiDomainName,
} from '../src/index.js';
import { DATA_OF } from './support/any-rdata.js';

/** A text of 4 MiB, which each of these functions once took seconds and gigabytes for. */
const LONG = 4 * 1_048_576;

const read = (text: string) => [...iterateZoneText(text, { origin: 'e.', defaultTtl: 1 })];

/** Expects that the work allocates little: garbage for each character would add up to hundreds of megabytes. */
function expectLittleMemory(work: () => void): void {
  const before = process.memoryUsage();
  work();
  const after = process.memoryUsage();
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  expect(grown).toBeLessThan(100 * 1_048_576);
}

describe('The cost of a text', () => {
  it.each([
    ['backslashes', `"${'\\'.repeat(LONG)}"`],
    ['decimal escapes', `"${'\\065'.repeat(LONG / 4)}"`],
    ['empty strings', '"" '.repeat(LONG / 3)],
    ['a literal text', 'x'.repeat(LONG)],
  ])(
    'RFC 1035 s3.3.14: TXT data of %s that is too long for rdata is refused without reading it',
    (_what, data) => {
      expectLittleMemory(() => {
        expect(() => rdataToWire('TXT', data, null)).toThrow('the maximum is 262144');
        const record = { name: 'a.e.', type: 'TXT', data };
        expect(checkRecord(record, 'e.')).toMatchObject([{ path: 'data', validator: 'maxLength' }]);
      });
    },
  );

  it.each(Object.keys(DATA_OF))(
    '%s data that is too long for rdata is refused without reading it',
    (type) => {
      expectLittleMemory(() => {
        for (const unit of ['x', 'x ', '"" ', '\\', 'key1=', '0,']) {
          const data = unit.repeat(LONG / unit.length);
          expect(() => rdataToWire(type, data, null)).toThrow('the maximum is 262144');
        }
      });
    },
  );

  it.each(['alpn=', 'ipv4hint=', 'mandatory=', 'key1='])(
    'RFC 9460 s2.1: the longest lists of SVCB are read or refused: %s',
    (key) => {
      for (const unit of [',', 'a,', '192.0.2.1,', 'port,']) {
        const data = `1 . ${key}${unit.repeat(200_000 / unit.length)}`;
        expect(() => rdataToWire('SVCB', data, null)).toThrow(DnsSyntaxError);
      }
    },
  );

  it('RFC 1035 s5.1: the longest TXT record in its longest form is read', () => {
    const string = `"${'\\065'.repeat(255)}"`;
    const data = Array.from({ length: 254 }, () => string).join(' ');
    expect(rdataToWire('TXT', data, null)).toHaveLength(254 * 256);
    expect(read(`a TXT ${data}`)).toMatchObject([{ record: { ownerName: 'a.e.' } }]);
  });

  it.each([
    ['a word', `a TXT ${'\\\\'.repeat(LONG / 2)}`],
    ['a string', `a TXT "${'x'.repeat(LONG)}"`],
    ['words', `a TXT ${'x '.repeat(LONG / 2)}`],
    ['blanks', `a TXT ${' '.repeat(LONG)}x`],
    ['lines in parentheses', `a TXT ( x${'\n'.repeat(LONG)})`],
  ])('an entry that is too long, %s, invalidates its first line', (_what, text) => {
    expectLittleMemory(() => {
      const items = read(`${text}\nb A 192.0.2.1`).filter((item) => !('nothing' in item));
      expect(items[0]).toMatchObject({ problem: { line: 1 } });
      expect(items.at(-1)).toMatchObject({ record: { ownerName: 'b.e.' } });
    });
  });

  it('comments do not count towards the limits', () => {
    const comment = `;${'x'.repeat(LONG)}\n`;
    expect(read(`${comment}a A ( ${comment} 192.0.2.1 ) ${comment}`)).toMatchObject([
      { record: { ownerName: 'a.e.' } },
    ]);
  });

  it.each([
    ['empty lines', '\n'],
    ['comments', ';\n'],
    ['blank lines', ' \t\r\n'],
    ['directives', '$TTL 1\n'],
  ])('readers of %s get control at intervals', (_what, line) => {
    const items = iterateZoneText(line.repeat(10_000), { origin: 'e.', defaultTtl: 1 });
    expect([...items].length).toBeGreaterThanOrEqual(10);
  });

  it('UTS 46: a label that is too long to have an A-label is not converted', () => {
    expect(() => toAsciiDomainName(`${'ü'.repeat(LONG / 16)}.e.`)).toThrow('no A-label');
  });

  it('a long description is refused without counting it', () => {
    expectLittleMemory(() => {
      expect(checkDescription('x'.repeat(LONG))).toMatchObject([{ validator: 'maxLength' }]);
    });
  });
});
