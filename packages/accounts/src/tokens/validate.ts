import { BoundedMap } from '@zonewright/service-kit';
import type { ChangeWatch } from '../shared/change-watch.js';
import { forbidden, notFound, unauthenticated } from '../shared/problems.js';
import { isBlocked } from '../users/account.js';
import type { Directory } from './directory.js';
import type { TokenClaims } from './token-claims.js';
import type { TokenSigner } from './token-signer.js';
import {
  isOutdated,
  isRestrictedAsSaid,
  mayUse,
  mayValidate,
  type ResolvedToken,
} from './token-rights.js';
import { isSameState, type TokenState } from './token-state-store.js';
import type { TokenStates } from './token-states.js';

interface TokenQuestion {
  readonly tokenId: string;
  /**
   * Whether the caller supports restrictions. For other callers, restricted tokens do not exist: such a caller would
   * grant all rights of the user.
   */
  readonly understandsRestrictions: boolean;
}

/**
 * Finds the token that a caller validates: the caller's own, another one of the same user, or any token for services
 * and administrators (D-ID-14).
 *
 * @throws ServiceError not-found for a token that is unknown, expired or revoked; forbidden for one whose user is
 * disabled or suspended, so that no service overlooks it
 */
export async function validate(
  { validator }: { readonly validator: TokenValidator },
  caller: ResolvedToken,
  { tokenId, understandsRestrictions }: TokenQuestion,
): Promise<ResolvedToken> {
  const token = tokenId === caller.id ? caller : await validator.find(tokenId);
  if (token === undefined) throw notFound('token not found');
  switch (mayValidate(caller, token, understandsRestrictions)) {
    case 'not-found':
      throw notFound('token not found');
    case 'unauthenticated':
      throw unauthenticated();
    case 'forbidden':
      throw forbidden();
    case 'allowed':
      return token;
  }
}

/** Valid token with the data that it depends on. */
interface KnownToken {
  readonly token: ResolvedToken;
  /** Generation of accounts, roles, tenants and signing keys before the first of them was read. */
  readonly generation: number;
  readonly state: TokenState;
}

interface Dependencies {
  readonly watch: ChangeWatch;
  readonly signer: TokenSigner;
  readonly tokenStates: TokenStates;
  readonly directory: Directory;
}

/** Cache size. Each token and its response take some KiB; accounts and tenants are shared with the directory. */
const MAX_TOKENS = 10_000;

/**
 * Checks whether a token is valid, and finds its user. The result is cached until the token expires, its state changes,
 * or PostgreSQL announces a change of its data. Each request checks all three (ADR 0003). Only valid tokens are cached,
 * under their full text, so a wrong token never matches.
 */
export class TokenValidator {
  readonly #dependencies: Dependencies;
  readonly #known = new BoundedMap<string, KnownToken>(MAX_TOKENS);

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns a valid token from the cache. */
  findKnown(tokenId: string): ResolvedToken | undefined {
    const known = this.#findUnchanged(tokenId);
    if (known === undefined) return undefined;
    const state = this.#dependencies.tokenStates.findKnown(known.token.claims.lineage.names);
    return state !== undefined && isSameState(state, known.state) ? known.token : undefined;
  }

  /**
   * Finds the user of a token. Returns undefined if the token is forged, expired, revoked (or derived from a revoked
   * one) or older than its user's password. It does the same if the user, the tenant or the user's role on that tenant
   * no longer exists.
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
