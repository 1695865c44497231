import { timingSafeEqual } from 'node:crypto';
import type { TokenClaims } from './token-claims.js';

interface Entry {
  readonly signature: Buffer;
  readonly claims: TokenClaims;
}

/** About 1 KiB each. */
const MAX_ENTRIES = 10_000;

/**
 * Claims of tokens whose signature was found right: a token never changes, and a service shows its own with each
 * request. A token is found by the part that is signed, and recognized by its signature, in constant time. Wrong
 * tokens are not remembered, and nothing here says that a token is valid now: its expiry and its state are asked
 * for each time.
 */
export class VerifiedTokens {
  readonly #entries = new Map<string, Entry>();

  find(tokenId: string): TokenClaims | undefined {
    const end = tokenId.lastIndexOf('.');
    const entry = this.#entries.get(tokenId.slice(0, end));
    if (entry === undefined) return undefined;
    const signature = Buffer.from(tokenId.slice(end), 'latin1');
    const isSame =
      signature.length === entry.signature.length && timingSafeEqual(signature, entry.signature);
    return isSame ? entry.claims : undefined;
  }

  /** Hands the claims on; undefined means that the token was not made here. */
  remember(tokenId: string, claims: TokenClaims | undefined): TokenClaims | undefined {
    if (claims === undefined) return undefined;
    const end = tokenId.lastIndexOf('.');
    const signature = Buffer.from(tokenId.slice(end), 'latin1');
    this.#entries.set(tokenId.slice(0, end), { signature, claims });
    if (this.#entries.size > MAX_ENTRIES) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return claims;
  }
}
