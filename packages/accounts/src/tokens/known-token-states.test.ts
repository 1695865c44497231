import { describe, expect, it } from '@jest/globals';
import { ANY_TOKEN, CachedTokenStates, type TokenChange } from './known-token-states.js';
import { type TokenState, toTokenState } from './token-state-store.js';

const AS_ISSUED = toTokenState(undefined);
const REVOKED: TokenState = { kind: 'revoked' };
const START: TokenChange = { id: '1-0', jti: ANY_TOKEN };

function update(
  known: CachedTokenStates,
  changes: readonly TokenChange[],
  states: Readonly<Record<string, TokenState>> = {},
  { askedAt = performance.now(), isCut = false } = {},
): void {
  const report = { askedAt, since: known.newestChange, changes, isCut };
  known.update(report, new Map(Object.entries(states)));
}

/** Creates a cache with the states of two tokens, read after START. */
function twoTokens(): CachedTokenStates {
  const known = new CachedTokenStates();
  update(known, [START], { one: AS_ISSUED, other: AS_ISSUED });
  return known;
}

function found(known: CachedTokenStates): (TokenState | undefined)[] {
  return [known.find('one'), known.find('other')];
}

describe('KnownTokenStates (ADR 0003)', () => {
  it('returns states that were read and shown to be unchanged', () => {
    const known = twoTokens();
    update(known, [START]);
    expect(found(known)).toEqual([AS_ISSUED, AS_ISSUED]);
  });

  it('drops the tokens that have changed, and accepts later states', () => {
    const known = twoTokens();
    update(known, [START, { id: '2-0', jti: 'one' }]);
    expect(found(known)).toEqual([undefined, AS_ISSUED]);
    update(known, [{ id: '2-0', jti: 'one' }], { one: REVOKED });
    expect(found(known)).toEqual([REVOKED, AS_ISSUED]);
  });

  it.each<[string, readonly TokenChange[], boolean]>([
    ['any token may have changed', [START, { id: '2-0', jti: ANY_TOKEN }], false],
    ['the list of changes is missing', [], false],
    ['the list does not reach back far enough', [{ id: '2-0', jti: 'a third' }], false],
    ['there may be more changes than were read', [START, { id: '2-0', jti: 'a third' }], true],
  ])('drops all states when %s', (_, changes, isCut) => {
    const known = twoTokens();
    update(known, changes, {}, { isCut });
    expect(found(known)).toEqual([undefined, undefined]);
  });

  it('returns no states when its proof is old', () => {
    const known = new CachedTokenStates();
    update(known, [START], { one: AS_ISSUED }, { askedAt: performance.now() - 1_000 });
    expect(known.find('one')).toBeUndefined();
  });

  it('requests a new proof once, before the old one ends', () => {
    const known = new CachedTokenStates();
    update(known, [START], {}, { askedAt: performance.now() - 10 });
    expect([known.takeRenewal(), known.takeRenewal()]).toEqual([true, false]);
  });
});
