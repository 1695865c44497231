import { type Database, type Keyring, lockName } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { sealAccessKeySecret } from '../access-keys/access-key-secret.js';
import { insertAccessKeys } from '../access-keys/access-key-store.js';
import type { AccountParts } from './account-parts.js';
import { compareAccounts, type PresentAccounts } from './compare-accounts.js';
import {
  insertAccountDomainPart,
  insertRoleAssignmentParts,
  insertTenantParts,
  insertUserParts,
} from './import-store.js';
import { hashOf, type OpenedSecrets } from './open-secrets.js';

interface ImportedSecrets {
  readonly secrets: OpenedSecrets;
  readonly keyring: () => Keyring;
}

/**
 * Takes over what is new of an account, but for its domains. Compares anew: since the document was compared, another import
 * may have ended, or an operator have made the same name.
 *
 * @returns what was there already
 * @throws ServiceError conflict
 */
export async function importAccounts(
  trx: Database,
  parts: AccountParts,
  { secrets, keyring }: ImportedSecrets,
): Promise<PresentAccounts> {
  const { accountDomain, users, tenants, roleAssignments, accessKeys } = parts;
  await lockName(trx, 'accountImport', 'one at a time');
  const conflicts: string[] = [];
  const present = await compareAccounts(trx, parts, conflicts);
  const [conflict] = conflicts;
  if (conflict !== undefined) throw new ServiceError('conflict', conflict);
  if (!present.accountDomain) await insertAccountDomainPart(trx, accountDomain);
  const newUsers = [];
  for (const { id, name, status, tokensValidAfter = null, createdAt } of users) {
    if (present.users.has(id)) continue;
    newUsers.push({
      id,
      name,
      status,
      hash: await hashOf(id, secrets),
      tokensValidAfter,
      createdAt,
    });
  }
  await insertUserParts(trx, accountDomain.id, newUsers);
  const newTenants = tenants.filter(({ id }) => !present.tenants.has(id));
  await insertTenantParts(trx, accountDomain.id, newTenants);
  await insertRoleAssignmentParts(trx, roleAssignments);
  const newKeys = accessKeys.flatMap(({ user, ...key }) => {
    const secretKey = secrets.keys.get(key.id);
    if (secretKey === undefined || present.accessKeys.has(key.id)) return [];
    const secret = sealAccessKeySecret(keyring(), key, secretKey);
    return [{ ...key, userId: user, accountDomainId: accountDomain.id, secret }];
  });
  await insertAccessKeys(trx, newKeys);
  return present;
}
