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

type Condition = readonly [condition: string, ...bindings: string[]];

/** By user, role and tenant; `within`: users and tenants of this account domain alone. */
export async function listAssignmentPage(
  db: Database,
  page: AssignmentPage & { readonly within: string | undefined },
): Promise<ShownAssignment[]> {
  const conditions = conditionsOf(page);
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
      where ${['true', ...conditions.map(([condition]) => condition)].join(' and ')}
      order by a.user_id, a.role_id, coalesce(a.tenant_id, '') limit ?`,
    [...conditions.flatMap(([, ...bindings]) => bindings), page.limit],
  );
}

function conditionsOf({
  userId,
  roleId,
  tenantId,
  accountDomainId,
  within,
  after,
}: Parameters<typeof listAssignmentPage>[1]): Condition[] {
  const given: [string | undefined, string][] = [
    [userId, 'a.user_id = ?'],
    [roleId, 'a.role_id = ?'],
    [tenantId, 'a.tenant_id = ?'],
    [accountDomainId, 'a.tenant_id is null and u.account_domain_id = ?'],
    [within, 'u.account_domain_id = ?'],
    [within, '(a.tenant_id is null or t.account_domain_id = ?)'],
  ];
  const conditions = given.flatMap(([value, condition]): Condition[] =>
    value === undefined ? [] : [[condition, value]],
  );
  if (after === undefined) return conditions;
  const position = [after.userId, after.roleId, after.tenantId ?? ''] as const;
  return [
    ...conditions,
    [`(a.user_id, a.role_id, coalesce(a.tenant_id, '')) > (?, ?, ?)`, ...position],
  ];
}
