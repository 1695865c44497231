import { describe, expect, it } from '@jest/globals';
import { isTokenName, lineageOf, nameDerived, nameLogin, nameLoginByKey } from './token-claims.js';

/** Returns names of the given number of derivations, each from the one before. */
function chainFrom(name: string, derivations: number): string[] {
  const chain = [name];
  while (chain.length <= derivations) chain.push(nameDerived(chain.at(-1) ?? '', 41));
  return chain;
}

describe('ADR 0019: a token names what it hangs on', () => {
  it.each([
    ['a log-in by password', nameLogin(41), /^[\w-]{12}\.15$/],
    ['a log-in by access key', nameLoginByKey('family_of', 41), /^family_of[\w-]{6}~15$/],
  ])('%s, and the tokens derived from it', (_what, first, form) => {
    expect(first).toMatch(form);
    const chain = chainFrom(first, 3);
    const [, ...derived] = chain;
    for (const [at, name] of derived.entries()) {
      const { generation, names, end } = lineageOf(name);
      expect(generation).toBe(41);
      expect(names.filter((each) => chain.includes(each))).toEqual(chain.slice(0, at + 2));
      expect(end).toBe(name);
    }
  });

  it("a key's token also depends on the family of the key", () => {
    const name = nameLoginByKey('family_of', 0);
    expect(lineageOf(name).names).toEqual(['family_of', name]);
  });

  it.each([undefined, 5, '', 'sixteen-letters_', 'chain!0', 'chain.', '.0', 'chain.0.0'])(
    '%s is not the name of a token',
    (name) => {
      expect(isTokenName(name)).toBe(false);
    },
  );

  it.each([
    // A log-in is the first derivation of a key's family.
    [nameLogin(0), 8],
    [nameLoginByKey('family_of', 0), 7],
  ])(
    'tokens that are derived very often from %s share its end, and names stop growing',
    (first, most) => {
      const chain = chainFrom(first, 30);
      const late = chain.slice(most).map(lineageOf);
      expect(new Set(late.map(({ end }) => end)).size).toBe(1);
      for (const { names, end } of late) expect(names).toContain(end);
      for (const { names } of chain.slice(0, most).map(lineageOf)) {
        expect(names).not.toContain(late[0]?.end);
      }
      expect(new Set(chain).size).toBe(31);
      expect(new Set(chain.slice(most).map(({ length }) => length)).size).toBe(1);
    },
  );
});
