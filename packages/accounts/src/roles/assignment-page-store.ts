import { type Database, queryRows } from '@zonewright/database';
import type { RoleAssignmentIds } from './role-assignment-store.js';

/** Which assignments a list shows; undefined members do not matter. */
export interface AssignmentPage {
  readonly userId: string | undefined;
  readonly roleId: string | undefined;
  readonly tenantId: string | undefined;
  /** Those on an account domain. */
  readonly accountDomainId: string | undefined;
  /** The last assignment of the page before. */
  readonly after: RoleAssignmentIds | undefined;
  readonly limit: number;
}

/** An assignment with the names of all that it speaks of. */
export interface ShownAssignment extends RoleAssignmentIds {
  readonly userName: string;
  readonly userDomainId: string;
  readonly userDomainName: string;
  readonly roleName: string;
  readonly tenantName: string | null;
  readonly tenantDomainId: string | null;
  readonly tenantDomainName: string | null;
}

/** By user, role and tenant; `within`: users and tenants of this account domain alone. */
export async function listAssignmentPage(
  db: Database,
  page: AssignmentPage & { readonly within: string | undefined },
): Promise<ShownAssignment[]> {
  const { userId = null, roleId = null, tenantId = null, accountDomainId = null } = page;
  const { within = null, after, limit } = page;
  return await queryRows<ShownAssignment>(
    db,
    `select a.user_id as "userId", u.name as "userName", u.account_domain_id as "userDomainId",
            ud.name as "userDomainName", a.role_id as "roleId", r.name as "roleName",
            a.tenant_id as "tenantId", t.name as "tenantName", t.account_domain_id as "tenantDomainId",
            td.name as "tenantDomainName"
       from identity.role_assignments as a
       join identity.users as u on u.id = a.user_id
       join identity.account_domains as ud on ud.id = u.account_domain_id
       join identity.roles as r on r.id = a.role_id
       left join identity.tenants as t on t.id = a.tenant_id
       left join identity.account_domains as td on td.id = t.account_domain_id
      where (?::text is null or a.user_id = ?) and (?::text is null or a.role_id = ?)
        and (?::text is null or a.tenant_id = ?)
        and (?::text is null or (a.tenant_id is null and u.account_domain_id = ?))
        and (?::text is null or (u.account_domain_id = ? and coalesce(t.account_domain_id, ?) = ?))
        and (?::text is null or (a.user_id, a.role_id, coalesce(a.tenant_id, '')) > (?, ?, ?))
      order by a.user_id, a.role_id, coalesce(a.tenant_id, '') limit ?`,
    [
      ...[userId, userId, roleId, roleId, tenantId, tenantId, accountDomainId, accountDomainId],
      ...[within, within, within, within],
      ...[after?.userId ?? null, after?.userId ?? '', after?.roleId ?? '', after?.tenantId ?? ''],
      limit,
    ],
  );
}
