import type { ChangeWatch } from '../../changes/change-watch.js';
import type { Restriction } from '../../restrictions/restriction-store.js';
import { BoundedMap } from '@zonewright/service-kit';
import { type Account, isBlocked } from '../../users/account.js';
import type { Directory } from '../../directory/directory.js';
import type { TokenClaims } from '../claims/token-claims.js';
import type { TokenSigner } from '../signing/token-signer.js';
import { isSameState, type TokenState } from '../state/token-state-code.js';
import type { TokenStates } from '../state/token-states.js';
import { mayUse, type ResolvedToken } from './resolved-token.js';

/** A token that was found valid, and what that stood on. */
interface KnownToken {
  readonly token: ResolvedToken;
  /** Of accounts, roles, tenants and signing keys; from before any of them was read. */
  readonly generation: number;
  readonly state: TokenState;
}

interface Dependencies {
  readonly watch: ChangeWatch;
  readonly signer: TokenSigner;
  readonly tokenStates: TokenStates;
  readonly directory: Directory;
}

/** Some KiB each, with the answer about it; the account and the tenant are the directory's. */
const MAX_TOKENS = 10_000;

/**
 * Tells whether a token is valid, and whose it is. What was found out is believed as long as the token has not expired,
 * PostgreSQL has announced no change of what it was read from, and its state is the same; all three are looked at for each
 * request (ADR 0022). Only valid tokens are remembered, each by all of its text: a wrong one is never found here.
 */
export class TokenValidator {
  readonly #dependencies: Dependencies;
  readonly #known = new BoundedMap<string, KnownToken>(MAX_TOKENS);

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** A valid token, if that it is valid is known without asking anybody. */
  findKnown(tokenId: string): ResolvedToken | undefined {
    const known = this.#findUnchanged(tokenId);
    if (known === undefined) return undefined;
    const state = this.#dependencies.tokenStates.findKnown(known.token.claims.lineage.names);
    return state !== undefined && isSameState(state, known.state) ? known.token : undefined;
  }

  /**
   * Whom a token belongs to. Undefined for a token that is forged, expired, revoked (or something that it came from) or
   * older than its user's password, and when its user, its tenant or the user's role on that tenant is gone.
   */
  async find(tokenId: string): Promise<ResolvedToken | undefined> {
    const known = this.#findUnchanged(tokenId);
    if (known !== undefined) {
      const state = await this.#dependencies.tokenStates.find(known.token.claims.lineage.names);
      if (isSameState(state, known.state)) return known.token;
    }
    return await this.#resolve(tokenId);
  }

  #findUnchanged(tokenId: string): KnownToken | undefined {
    const { watch, signer } = this.#dependencies;
    if (!watch.isListening) return undefined;
    const known = this.#known.get(tokenId);
    if (known?.generation !== watch.accountsGeneration) return undefined;
    return signer.isCurrent(known.token.claims) ? known : undefined;
  }

  async #resolve(tokenId: string): Promise<ResolvedToken | undefined> {
    const { watch, signer, tokenStates, directory } = this.#dependencies;
    const generation = watch.accountsGeneration;
    const claims = await signer.verify(tokenId);
    if (claims === undefined) return undefined;
    const [state, account] = await Promise.all([
      tokenStates.find(claims.lineage.names),
      directory.findAccount(claims.userId),
    ]);
    if (state.kind === 'revoked' || account === undefined || isOutdated(claims, account)) {
      return undefined;
    }
    const tenantId = scopeOf(claims, state);
    const tenant = tenantId === undefined ? undefined : await directory.findTenant(tenantId);
    if (tenantId !== undefined && !mayUse(account, tenant)) return undefined;
    const restriction = await this.#findRestriction(claims);
    if (!isRestrictedAsSaid(claims, restriction, tenantId)) return undefined;
    const token = {
      id: tokenId,
      claims,
      account,
      tenant,
      isBlocked: isBlocked(account),
      restriction,
    };
    this.#known.set(tokenId, { token, generation, state });
    return token;
  }

  async #findRestriction({ restrictionNumber }: TokenClaims) {
    return restrictionNumber === undefined
      ? undefined
      : await this.#dependencies.directory.findRestriction(restrictionNumber);
  }
}

function scopeOf(claims: TokenClaims, state: TokenState): string | undefined {
  return state.kind === 'rescoped' ? state.tenantId : claims.tenantId;
}

function isOutdated({ lineage, issuedAt }: TokenClaims, account: Account): boolean {
  const { generation } = lineage;
  if (generation !== undefined && generation !== account.credentialGeneration) return true;
  // All that there is to a token of a version that knew no generations, or from before migration 0008.
  return account.tokensValidAfter !== undefined && issuedAt <= account.tokensValidAfter;
}

/** Of a key that is gone, row and all, nobody knows what its tokens may do. */
function isRestrictedAsSaid(
  { restrictionNumber }: TokenClaims,
  restriction: Restriction | undefined,
  tenantId: string | undefined,
): boolean {
  if (restrictionNumber === undefined) return true;
  return restriction !== undefined && restriction.tenantId === tenantId;
}
