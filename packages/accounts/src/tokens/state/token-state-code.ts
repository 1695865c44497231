import type { TokenStateRow } from './token-state-store.js';

/** What has become of a token since it was issued. */
export type TokenState =
  | { readonly kind: 'as-issued' }
  | { readonly kind: 'rescoped'; readonly tenantId: string | undefined }
  | { readonly kind: 'revoked' };

const AS_ISSUED: TokenState = { kind: 'as-issued' };
/** Wide enough for microseconds until the year 5138, so that versions compare as text. */
const VERSION_DIGITS = 17;
/** Revoked is final: newer than any version. */
const FINAL_VERSION = '9'.repeat(VERSION_DIGITS);

export function toTokenState(row: TokenStateRow | undefined): TokenState {
  if (row === undefined) return AS_ISSUED;
  return row.isRevoked ? { kind: 'revoked' } : { kind: 'rescoped', tenantId: row.tenantId };
}

/**
 * The state of a token by those of all that it hangs on, its own name last: it is revoked with any of them. Undefined while
 * one of them is not known.
 */
export function stateOf(
  names: readonly string[],
  find: (name: string) => TokenState | undefined,
): TokenState | undefined {
  let own: TokenState | undefined;
  for (const name of names) {
    own = find(name);
    if (own === undefined || own.kind === 'revoked') return own;
  }
  return own;
}

export function isSameState(one: TokenState, other: TokenState): boolean {
  if (one.kind !== 'rescoped' || other.kind !== 'rescoped') return one.kind === other.kind;
  return one.tenantId === other.tenantId;
}

/** A state as Redis holds it: version, then `r`, `u` (unscoped) or `s` and the tenant. */
export function encodeTokenState(row: TokenStateRow): string {
  if (row.isRevoked) return `${FINAL_VERSION}r`;
  const scope = row.tenantId === undefined ? 'u' : `s${row.tenantId}`;
  return String(row.version).padStart(VERSION_DIGITS, '0') + scope;
}

export function decodeTokenState(text: string | undefined): TokenState {
  if (text === undefined) return AS_ISSUED;
  switch (text[VERSION_DIGITS]) {
    case 's':
      return { kind: 'rescoped', tenantId: text.slice(VERSION_DIGITS + 1) };
    case 'u':
      return { kind: 'rescoped', tenantId: undefined };
    default:
      // Revoked, or nothing that we wrote: refusing is the safe reading of both.
      return { kind: 'revoked' };
  }
}
