import { ServiceError } from '@zonewright/service-kit';
import { type Account, hasRoleOnTenant } from '../users/account.js';
import type { RestrictionWish } from './read-restriction.js';
import type { RestrictionContent } from './restriction.js';

/**
 * Restrictions with the tenant that they are for: the one that is wanted, else the one that the request is made for, else
 * the only one that the owner has.
 *
 * @throws ServiceError invalid when that is none on which the owner has a role.
 */
export function completeRestriction(
  { tenantId: wanted, rules, networks, massDelete }: RestrictionWish,
  owner: Account,
  current: string | undefined,
): RestrictionContent {
  const tenantId = wanted ?? current ?? onlyTenantOf(owner);
  if (tenantId === undefined) {
    throw invalid(`tenantId is required: the key is for one tenant, and ${owner.name} has several`);
  }
  if (!hasRoleOnTenant(owner, tenantId)) {
    throw invalid(`tenantId is ${tenantId}, a tenant on which ${owner.name} has no role`);
  }
  return { tenantId, ...(rules === undefined ? {} : { rules }), networks, massDelete };
}

function onlyTenantOf({ assignments }: Account): string | undefined {
  const tenants = new Set(assignments.flatMap(({ tenantId }) => tenantId ?? []));
  return tenants.size === 1 ? [...tenants][0] : undefined;
}

function invalid(sentence: string): ServiceError {
  return new ServiceError('invalid', sentence, { details: sentence });
}
