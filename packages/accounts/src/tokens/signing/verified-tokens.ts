import { timingSafeEqual } from 'node:crypto';
import type { TokenClaims } from '../claims/token-claims.js';

interface Entry {
  readonly tokenId: string;
  readonly signature: Buffer;
  readonly claims: TokenClaims;
}

/** About 1 KiB each. */
const MAX_ENTRIES = 10_000;
/** Of HS256, with the dot before it. */
const SIGNATURE_LENGTH = 44;
/** Six bits of each are enough to part all tokens that are remembered; two that share them evict each other. */
const KEY_CHARACTERS = 5;

/**
 * Claims of tokens whose signature was found right: a token never changes, and a service shows its own with each
 * request. A token is found by the first characters of its signature, since to hash all of it costs more than the rest;
 * it is recognized by the whole signature, in constant time, and then by all of it. What the time of the look-up could
 * tell is 30 of 256 bits. Wrong tokens are not remembered, and nothing here says that a token is valid now: its expiry and
 * its state are asked for each time.
 */
export class VerifiedTokens {
  readonly #entries = new Map<number, Entry>();
  /** Where a signature is laid down for comparison: a new buffer for each would cost more than all the rest. */
  readonly #shown = Buffer.alloc(SIGNATURE_LENGTH);

  find(tokenId: string): TokenClaims | undefined {
    const entry = this.#entries.get(keyOf(tokenId));
    if (entry?.tokenId.length !== tokenId.length) return undefined;
    this.#shown.write(signatureOf(tokenId), 'latin1');
    const isSame = timingSafeEqual(this.#shown, entry.signature) && tokenId === entry.tokenId;
    return isSame ? entry.claims : undefined;
  }

  /** Hands the claims on; undefined means that the token was not made here. */
  remember(tokenId: string, claims: TokenClaims | undefined): TokenClaims | undefined {
    if (claims === undefined) return undefined;
    const signature = Buffer.from(signatureOf(tokenId), 'latin1');
    this.#entries.set(keyOf(tokenId), { tokenId, signature, claims });
    if (this.#entries.size > MAX_ENTRIES) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return claims;
  }
}

function signatureOf(tokenId: string): string {
  return tokenId.slice(-SIGNATURE_LENGTH);
}

function keyOf(tokenId: string): number {
  const start = tokenId.length - SIGNATURE_LENGTH + 1;
  let key = 0;
  for (let at = start; at < start + KEY_CHARACTERS; at += 1) {
    key = (key << 6) | (tokenId.charCodeAt(at) & 63);
  }
  return key;
}
