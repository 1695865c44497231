import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findNameFaults, isPlainName } from './name-rules.js';
import { ancestorsOf, canonicalOwnerName, splitLabels } from './owner-names.js';

const faultsOf = (...args: Parameters<typeof findNameFaults>) =>
  findNameFaults(...args).map(({ what }) => what);

describe('names with any labels (RFC 2181 s11)', () => {
  it.each([
    '0/25.2.0.192.in-addr.arpa.',
    'cname-*.example.',
    '-a.example.',
    'a-.example.',
    String.raw`first\.last.example.`,
    String.raw`a\032b.example.`,
    String.raw`\000\255.example.`,
    String.raw`\@.example.`,
    'a!#%&+,:<=>?[]^`{|}~b.example.',
    'bücher.example.',
    `${String.raw`\001`.repeat(63)}.example.`,
  ])('%j is accepted as a name', (name) => {
    expect(faultsOf(name, 'any')).toEqual([]);
    const canonical = canonicalOwnerName(
      name === 'bücher.example.' ? 'xn--bcher-kva.example.' : name,
    );
    expect(faultsOf(canonical, 'any')).toEqual([]);
    expect(canonicalOwnerName(canonical)).toBe(canonical);
  });

  it.each([
    ['my web.example.', String.raw`has " " in the label "my web"; write \032 if it belongs there`],
    ['a@b.example.', String.raw`has "@" in the label "a@b"; write \@ if it belongs there`],
    ['a\tb.example.', String.raw`write \009 if it belongs there`],
    [
      String.raw`a\25.example.`,
      'write one character or three digits from 000 to 255 after a backslash',
    ],
    [String.raw`a\256.example.`, 'after a backslash'],
    ['a\\', 'after a backslash'],
    ['a\\é.example.', 'has'],
    ['a..example.', 'put exactly one dot'],
    ['https://www.example.', 'is a URL; write only the name in it'],
    [`${String.raw`\001`.repeat(64)}.example.`, '64 octets; the maximum is 63'],
    [`${'a'.repeat(63)}.`.repeat(4), '257 octets on the wire; the maximum is 255'],
    ['a'.repeat(2_000), 'takes 2000 characters'],
  ])('%j is refused: %s', (name, words) => {
    expect(faultsOf(name, 'any').join('\n')).toContain(words);
  });
});

describe('names of hosts and of address ranges', () => {
  it('only a range of addresses has a slash (RFC 2317 s4)', () => {
    expect(faultsOf('0/25.2.0.192.in-addr.arpa.', 'reverse')).toEqual([]);
    expect(faultsOf('0/25.2.0.192.in-addr.arpa.')).toEqual([
      'has "/" in the label "0/25"; use letters, digits, hyphens and underscores',
    ]);
    expect(faultsOf('a!b.2.0.192.in-addr.arpa.', 'reverse')).toHaveLength(1);
  });
});

describe('labels of a name with escapes', () => {
  it('a dot after a backslash does not end a label', () => {
    expect(splitLabels(String.raw`a\.b.c\\.d.`)).toEqual([
      String.raw`a\.b`,
      String.raw`c\\`,
      'd',
      '',
    ]);
    expect(ancestorsOf(String.raw`a\.b.c.example.`)).toEqual(['c.example.', 'example.']);
  });
});

describe('names that every rule allows', () => {
  const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;
  const labels = fc.oneof(
    fc.stringMatching(/^[a-z0-9_A-Z-]{0,4}$/),
    fc.constantFrom('a'.repeat(63), 'a'.repeat(64), 'bü', '*', 'a\\', ' '),
  );

  it('RFC 1123 s2.1: have only labels of letters, digits, underscores and inner hyphens', () => {
    const names = fc
      .tuple(fc.array(labels, { maxLength: 6 }), fc.boolean())
      .map(([all, isAbsolute]) => all.join('.') + (isAbsolute ? '.' : ''));
    fc.assert(
      fc.property(names, (name) => {
        const all = name.replace(/\.$/, '').split('.');
        expect(isPlainName(name)).toBe(name.length <= 253 && all.every((each) => label.test(each)));
      }),
      { numRuns: 1_000 },
    );
  });
});
