import type {
  AccountDomain,
  Endpoint,
  ManagedRole,
  ManagedUser,
  Role,
  Service,
  NamedAssignment,
  TaggedTenant,
} from '@zonewright/accounts';

/** Returns the links to an object of the API. */
function linksTo(baseUrl: string, ...path: readonly string[]) {
  return { self: [baseUrl, 'v3', ...path.map(encodeURIComponent)].join('/') };
}

/** Renders a project as in Keystone. The parent of every project is its domain. */
export function renderProject(tenant: TaggedTenant, baseUrl: string) {
  return {
    ...tenant.extra,
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

/** Renders a user. A suspended user counts as not enabled, like a disabled one. */
export function renderUser(user: ManagedUser, baseUrl: string) {
  return {
    ...user.extra,
    id: user.id,
    name: user.name,
    domain_id: user.accountDomainId,
    enabled: user.status === 'enabled',
    description: user.description ?? '',
    email: user.email ?? '',
    // Keystone omits this member if it is not set.
    ...(user.defaultProjectId === null ? {} : { default_project_id: user.defaultProjectId }),
    password_expires_at: null,
    options: {},
    links: linksTo(baseUrl, 'users', user.id),
  };
}

export function renderRole(
  role: Pick<Role, 'id' | 'name'> & Partial<Pick<ManagedRole, 'extra'>>,
  baseUrl: string,
) {
  return {
    description: null,
    ...role.extra,
    id: role.id,
    name: role.name,
    domain_id: null,
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
  assignment: NamedAssignment,
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

function namesOfUser({ userName, userDomainId, userDomainName }: NamedAssignment) {
  return { name: userName, domain: { id: userDomainId, name: userDomainName } };
}

function namesOfPlace(assignment: NamedAssignment) {
  const { tenantName, tenantDomainId, tenantDomainName, userDomainName } = assignment;
  return tenantName === null
    ? { name: userDomainName }
    : { name: tenantName, domain: { id: tenantDomainId, name: tenantDomainName } };
}

/** Renders a service. Keystone's services have one type; a service here may have several in the catalog. */
export function renderService(service: Service, baseUrl: string) {
  return {
    id: service.id,
    name: service.name,
    type: service.types[0] ?? '',
    types: service.types,
    description: '',
    enabled: service.enabled,
    links: { self: `${baseUrl}/v3/services/${encodeURIComponent(service.id)}` },
  };
}

/** Version 3 lists each URL of an endpoint separately. The public one has the id in the catalog. */
export function toListedEndpoints(endpoint: Endpoint, baseUrl: string) {
  const { id, serviceId, region, enabled, releaseState, publicUrl, internalUrl, adminUrl } =
    endpoint;
  const urls = [
    [id, releaseState, publicUrl],
    [`${id}.internal`, 'internal', internalUrl],
    [`${id}.admin`, 'admin', adminUrl],
  ] as const;
  return urls.flatMap(([listedId, name, url]) => {
    if (url === null) return [];
    return {
      id: listedId,
      service_id: serviceId,
      interface: name,
      region,
      region_id: region,
      url,
      enabled,
      links: { self: `${baseUrl}/v3/endpoints/${encodeURIComponent(listedId)}` },
    };
  });
}

/** Returns the id of the endpoint to which a listed URL belongs. */
export function endpointIdOf(listedId: string): string {
  return listedId.replace(/\.(internal|admin)$/, '');
}

export function renderRegion(name: string, baseUrl: string) {
  return {
    id: name,
    description: '',
    parent_region_id: null,
    links: { self: `${baseUrl}/v3/regions/${encodeURIComponent(name)}` },
  };
}
