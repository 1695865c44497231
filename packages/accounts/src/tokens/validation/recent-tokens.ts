import type { ChangeWatch } from '../../changes/change-watch.js';
import type { ResolvedToken } from './resolve-token.js';
import type { TokenClaims } from '../claims/token-claims.js';
import type { TokenSigner } from '../signing/token-signer.js';
import type { TokenState } from '../state/token-state-code.js';
import type { TokenStates } from '../state/token-states.js';

/** What a resolved token was made from. */
interface Grounds {
  /** Of accounts, roles and tenants; from before any of them was read. */
  readonly generation: number;
  readonly state: TokenState;
}

interface Entry extends Grounds {
  readonly token: ResolvedToken;
}

interface Dependencies {
  readonly watch: ChangeWatch;
  readonly signer: TokenSigner;
  readonly tokenStates: TokenStates;
}

/** Some 500 bytes each; the account and the tenant are the directory's. */
const MAX_ENTRIES = 10_000;

/**
 * Tokens that were resolved a moment ago. Whom a token belongs to stays the same while it is genuine and has not
 * expired, its state is as it was, and nothing was announced to have changed. All of that is looked at each time; what
 * is saved are the steps between, most of which would wait for each other.
 */
export class RecentTokens {
  readonly #dependencies: Dependencies;
  /** Of each token there is one object of claims. */
  readonly #entries = new Map<TokenClaims, Entry>();

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Taken before anything about a token is read, and handed back to `remember`. */
  get generation(): number {
    return this.#dependencies.watch.accountsGeneration;
  }

  find(tokenId: string): ResolvedToken | undefined {
    const { watch, signer, tokenStates } = this.#dependencies;
    const claims = watch.isListening ? signer.findVerified(tokenId) : undefined;
    const entry = claims && this.#entries.get(claims);
    if (entry?.generation !== watch.accountsGeneration) return undefined;
    const { names } = entry.token.claims.lineage;
    return tokenStates.findKnown(names) === entry.state ? entry.token : undefined;
  }

  /** @returns the token. */
  remember(token: ResolvedToken, grounds: Grounds): ResolvedToken {
    this.#entries.delete(token.claims);
    this.#entries.set(token.claims, { ...grounds, token });
    if (this.#entries.size > MAX_ENTRIES) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return token;
  }
}
