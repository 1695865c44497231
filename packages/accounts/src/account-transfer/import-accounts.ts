import { type Database, type Keyring, lockName } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { insertAccessKeys } from '../access-keys/access-key-store.js';
import { sealAccessKeySecret } from '../access-keys/access-key.js';
import type {
  AccountDomainPart,
  AccountParts,
  RoleAssignmentPart,
  TenantPart,
  UserPart,
} from './account-parts.js';
import { compareAccounts, type PresentAccounts } from './compare-accounts.js';
import { hashOf, type OpenedSecrets } from './open-secrets.js';

interface ImportedSecrets {
  readonly secrets: OpenedSecrets;
  readonly keyring: () => Keyring;
}

/**
 * Imports the new parts of an account, except its DNS domains. The parts are compared with the database again, because
 * another import may have ended or an operator may have used the same name in the meantime.
 *
 * @returns the existing parts
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

// The following functions insert only objects that do not exist yet. An object that somebody has created in the
// meantime is a conflict, but a link (a role, a service) is not.

async function insertAccountDomainPart(db: Database, part: AccountDomainPart): Promise<void> {
  await db.raw(
    `insert into identity.account_domains (id, name, status, status_code)
     select p.id, p.name, p.status, p."statusCode"
       from jsonb_to_record(?::jsonb) as p (id text, name text, status text, "statusCode" integer)`,
    [JSON.stringify(part)],
  );
}

/** User whose password, if there is one, is hashed. */
interface HashedUserPart extends Pick<UserPart, 'id' | 'name' | 'status' | 'tokensValidAfter'> {
  readonly hash: string | null;
  readonly createdAt: string | undefined;
}

async function insertUserParts(
  db: Database,
  accountDomainId: string,
  users: readonly HashedUserPart[],
): Promise<void> {
  await db.raw(
    `insert into identity.users (id, account_domain_id, name, password_hash, status, tokens_valid_after, created_at)
     select p.id, ?, p.name, p.hash, p.status, p."tokensValidAfter", coalesce(p."createdAt", now())
       from jsonb_to_recordset(?::jsonb) as p (id text, name text, hash text, status text,
              "tokensValidAfter" timestamptz, "createdAt" timestamptz)`,
    [accountDomainId, JSON.stringify(users)],
  );
}

async function insertTenantParts(
  db: Database,
  accountDomainId: string,
  tenants: readonly TenantPart[],
): Promise<void> {
  await db.raw(
    `insert into identity.tenants (id, account_domain_id, name, display_name, description, enabled, created_at)
     select p.id, ?, p.name, p."displayName", p.description, p.enabled, coalesce(p."createdAt", now())
       from jsonb_to_recordset(?::jsonb) as p (id text, name text, "displayName" text, description text,
              enabled boolean, "createdAt" timestamptz)`,
    [accountDomainId, JSON.stringify(tenants)],
  );
  await db.raw(
    `insert into identity.tenant_services (tenant_id, service_id)
     select p.id, s.id from jsonb_to_recordset(?::jsonb) as p (id text, services jsonb),
            jsonb_array_elements_text(p.services) as n (name)
       join identity.services as s on s.name = n.name
     on conflict do nothing`,
    [JSON.stringify(tenants)],
  );
}

async function insertRoleAssignmentParts(
  db: Database,
  parts: readonly RoleAssignmentPart[],
): Promise<void> {
  await db.raw(
    `insert into identity.role_assignments (user_id, role_id, tenant_id)
     select p."user", r.id, p.tenant from jsonb_to_recordset(?::jsonb) as p ("user" text, role text, tenant text)
       join identity.roles as r on r.name = p.role
     on conflict do nothing`,
    [JSON.stringify(parts)],
  );
}
