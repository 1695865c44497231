import { type Account, completeRestriction, type NewAccessKey } from '@zonewright/accounts';
import type { Caller } from '../http/route.js';
import type { KeyAttributes } from './read-key-attributes.js';

/**
 * What a new key is to have. Whoever makes one for themselves means the tenant for which they are logged in.
 *
 * @throws ServiceError invalid when its owner has no role on the tenant that it is to be for.
 */
export function completeAttributes(
  { name, description, restriction }: KeyAttributes,
  caller: Caller,
  owner: Account,
): Pick<NewAccessKey, 'name' | 'description' | 'restriction'> {
  const current = owner.id === caller.account.id ? caller.tenant?.id : undefined;
  return {
    name,
    description,
    restriction: restriction && completeRestriction(restriction, owner, current),
  };
}
