import { BoundedMap } from '@zonewright/service-kit';
import type { Restriction } from '../access-keys/restriction-store.js';
import type { ChangeWatch } from '../shared/change-watch.js';
import { forbidden, notFound, unauthenticated } from '../shared/problems.js';
import type { Tenant } from '../tenants/tenant-store.js';
import { type Account, hasRoleOnTenant, isBlocked, mayValidateAnyToken } from '../users/account.js';
import type { Directory } from './directory.js';
import type { TokenClaims } from './token-claims.js';
import type { TokenSigner } from './token-signer.js';
import { isSameState, type TokenState } from './token-state-store.js';
import type { TokenStates } from './token-states.js';

interface TokenQuestion {
  readonly tokenId: string;
  /**
   * Whether the caller says that it knows restrictions. To any other a restricted token is unknown: it would take it for one
   * that may do whatever its user may.
   */
  readonly understandsRestrictions: boolean;
}

/**
 * The token that somebody asks about: their own, another one of theirs, or anyone's for services and
 * administrators (decisions 2, Validate).
 *
 * @throws ServiceError not-found for a token that is unknown, expired or revoked; forbidden for one whose user is
 * disabled or suspended, so that no service overlooks it.
 */
export async function validate(
  { validator }: { readonly validator: TokenValidator },
  caller: ResolvedToken,
  { tokenId, understandsRestrictions }: TokenQuestion,
): Promise<ResolvedToken> {
  const token = tokenId === caller.id ? caller : await validator.find(tokenId);
  // Identity s4: 404 after a revocation, for the user who revoked it, too. Nobody learns anything from it: whoever
  // has a token can try whether it is valid.
  if (token === undefined) throw notFound('token not found');
  if (token.restriction !== undefined && !understandsRestrictions)
    throw notFound('token not found');
  // Whatever roles its user has: a restricted token says something about itself, and about no other.
  if (caller.restriction !== undefined && token.id !== caller.id) throw unauthenticated();
  if (token.account.id !== caller.account.id && !mayValidateAnyToken(caller.account)) {
    throw unauthenticated();
  }
  if (token.isBlocked) throw forbidden();
  return token;
}

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

/** A token that is valid now, with whom and what it stands for. */
export interface ResolvedToken {
  readonly id: string;
  readonly claims: TokenClaims;
  readonly account: Account;
  /** Its scope; undefined: unscoped. */
  readonly tenant: Tenant | undefined;
  /** Disabled or suspended: the token is genuine, but nothing may be done with it. */
  readonly isBlocked: boolean;
  /** What it may be used for; undefined: whatever its user may. */
  readonly restriction: Restriction | undefined;
}

/** Whether a user's tokens may be scoped to a tenant. */
export function mayUse(account: Account, tenant: Tenant | undefined): tenant is Tenant {
  return tenant?.enabled === true && hasRoleOnTenant(account, tenant.id);
}
