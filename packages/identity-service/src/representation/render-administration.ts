import type {
  AccountDomain,
  ManagedUser,
  Role,
  ShownAssignment,
  TaggedTenant,
} from '@zonewright/accounts';

/** Where something stands in the API. */
function linksTo(baseUrl: string, ...path: readonly string[]) {
  return { self: [baseUrl, 'v3', ...path.map(encodeURIComponent)].join('/') };
}

/** Keystone's project, without what this service has none of: every project stands directly below its domain. */
export function renderProject(tenant: TaggedTenant, baseUrl: string) {
  return {
    id: tenant.id,
    name: tenant.name,
    domain_id: tenant.accountDomainId,
    description: tenant.description ?? '',
    enabled: tenant.enabled,
    parent_id: tenant.accountDomainId,
    is_domain: false,
    tags: tenant.tags,
    options: {},
    links: linksTo(baseUrl, 'projects', tenant.id),
  };
}

/** A suspended user is not enabled, as a disabled one. */
export function renderUser(user: ManagedUser, baseUrl: string) {
  return {
    id: user.id,
    name: user.name,
    domain_id: user.accountDomainId,
    enabled: user.status === 'enabled',
    description: user.description ?? '',
    email: user.email ?? '',
    // Keystone leaves it out where there is none.
    ...(user.defaultProjectId === null ? {} : { default_project_id: user.defaultProjectId }),
    password_expires_at: null,
    options: {},
    links: linksTo(baseUrl, 'users', user.id),
  };
}

export function renderRole(role: Pick<Role, 'id' | 'name'>, baseUrl: string) {
  return {
    id: role.id,
    name: role.name,
    domain_id: null,
    description: null,
    options: {},
    links: linksTo(baseUrl, 'roles', role.id),
  };
}

export function renderDomain(domain: AccountDomain, baseUrl: string) {
  return {
    id: domain.id,
    name: domain.name,
    description: '',
    enabled: domain.status === 'enabled',
    tags: [],
    options: {},
    links: linksTo(baseUrl, 'domains', domain.id),
  };
}

export function renderAssignment(
  assignment: ShownAssignment,
  { baseUrl, includesNames }: { readonly baseUrl: string; readonly includesNames: boolean },
) {
  const { userId, roleId, tenantId } = assignment;
  const [kind, placeId] =
    tenantId === null
      ? (['domain', assignment.userDomainId] as const)
      : (['project', tenantId] as const);
  const path = [`${kind}s`, placeId, 'users', userId, 'roles', roleId];
  return {
    role: { id: roleId, ...(includesNames ? { name: assignment.roleName } : {}) },
    user: { id: userId, ...(includesNames ? namesOfUser(assignment) : {}) },
    scope: { [kind]: { id: placeId, ...(includesNames ? namesOfPlace(assignment) : {}) } },
    links: { assignment: linksTo(baseUrl, ...path).self },
  };
}

function namesOfUser({ userName, userDomainId, userDomainName }: ShownAssignment) {
  return { name: userName, domain: { id: userDomainId, name: userDomainName } };
}

function namesOfPlace(assignment: ShownAssignment) {
  const { tenantName, tenantDomainId, tenantDomainName, userDomainName } = assignment;
  return tenantName === null
    ? { name: userDomainName }
    : { name: tenantName, domain: { id: tenantDomainId, name: tenantDomainName } };
}
