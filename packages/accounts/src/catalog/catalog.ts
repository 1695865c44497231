import type { Database } from '@zonewright/database';
import type { HeldRole } from '../users/account.js';
import type { ReleaseState } from './endpoints.js';
import { TENANT_PLACEHOLDER } from './url-template.js';

/** Endpoint as entered by the operator. URLs are templates. */
interface EndpointTemplate {
  readonly id: string;
  readonly region: string;
  readonly publicUrl: string;
  readonly publicUrl2: string | undefined;
  readonly internalUrl: string | undefined;
  readonly adminUrl: string | undefined;
  readonly versionId: string | undefined;
  readonly versionInfo: string | undefined;
  readonly versionList: string | undefined;
  readonly releaseState: ReleaseState;
}

/** Service as entered by the operator. */
export interface CatalogService {
  readonly id: string;
  readonly name: string;
  /** Types of the service. The catalog contains it once for each type. */
  readonly types: readonly string[];
  /** Whether every token contains the service, without activation. */
  readonly isGlobal: boolean;
  /** Ids of roles, one of which is needed. Empty if no role is required. */
  readonly requiredRoleIds: readonly string[];
  readonly endpoints: readonly EndpointTemplate[];
}

/** Endpoint for one token, with URLs in which the placeholders are replaced. */
export interface CatalogEndpoint extends EndpointTemplate {
  /** Undefined if the endpoint is not specific to a tenant. */
  readonly tenantId: string | undefined;
  /** The admin URL; the default is the public URL, because some clients of version 2.0 require it (D-ID). */
  readonly adminUrl: string;
}

/** Catalog entry for one token. */
export interface CatalogEntry {
  readonly serviceId: string;
  readonly name: string;
  readonly type: string;
  readonly endpoints: readonly CatalogEndpoint[];
}

interface CatalogScope {
  /** Undefined for an unscoped token. */
  readonly tenantId: string | undefined;
  readonly roles: readonly HeldRole[];
  readonly activatedServiceIds: ReadonlySet<string>;
}

/**
 * Compiles the catalog of one token (Identity s1). It contains global services. For a scoped token it also contains
 * services that the tenant has activated and for which the user holds a required role.
 */
export function compileCatalog(
  services: readonly CatalogService[],
  scope: CatalogScope,
): CatalogEntry[] {
  return services
    .filter((service) => isVisible(service, scope))
    .flatMap((service) => entriesOf(service, scope.tenantId))
    .filter((entry) => entry.endpoints.length > 0);
}

function isVisible(service: CatalogService, scope: CatalogScope): boolean {
  const isActive = service.isGlobal || scope.activatedServiceIds.has(service.id);
  const hasRole =
    service.requiredRoleIds.length === 0 ||
    scope.roles.some(({ role }) => service.requiredRoleIds.includes(role.id));
  return isActive && hasRole;
}

function entriesOf(service: CatalogService, tenantId: string | undefined): CatalogEntry[] {
  return service.types.map((type) => ({
    serviceId: service.id,
    name: service.name,
    type,
    endpoints: service.endpoints
      .filter((endpoint) => tenantId !== undefined || !isTenantSpecific(endpoint))
      .map((endpoint) => completeEndpoint(endpoint, service, tenantId)),
  }));
}

function completeEndpoint(
  endpoint: EndpointTemplate,
  service: CatalogService,
  tenantId: string | undefined,
): CatalogEndpoint {
  const complete = (url: string) => url.replaceAll(TENANT_PLACEHOLDER, tenantId ?? '');
  const completeOptional = (url: string | undefined) =>
    url === undefined ? undefined : complete(url);
  return {
    ...endpoint,
    publicUrl: complete(endpoint.publicUrl),
    publicUrl2: completeOptional(endpoint.publicUrl2),
    internalUrl: complete(endpoint.internalUrl ?? endpoint.publicUrl),
    adminUrl: complete(endpoint.adminUrl ?? endpoint.publicUrl),
    tenantId: service.isGlobal && !isTenantSpecific(endpoint) ? undefined : tenantId,
  };
}

function isTenantSpecific(endpoint: EndpointTemplate): boolean {
  return [endpoint.publicUrl, endpoint.publicUrl2, endpoint.internalUrl, endpoint.adminUrl].some(
    (url) => url?.includes(TENANT_PLACEHOLDER) === true,
  );
}

interface EndpointJson {
  id: string;
  region: string;
  public_url: string;
  public_url2: string | null;
  internal_url: string | null;
  admin_url: string | null;
  version_id: string | null;
  version_info: string | null;
  version_list: string | null;
  release_state: ReleaseState;
}

interface ServiceRow {
  id: string;
  name: string;
  is_global: boolean;
  types: string[];
  required_role_ids: string[];
  endpoints: EndpointJson[];
}

/** Returns all enabled services with their types, required roles and enabled endpoints. */
export async function findCatalogServices(db: Database): Promise<CatalogService[]> {
  const { rows } = await db.raw<{ rows: ServiceRow[] }>(`
    select services.id, services.name, services.is_global,
      array(select types.type from identity.service_types as types
             where types.service_id = services.id order by types.type) as types,
      array(select required.role_id::text from identity.service_required_roles as required
             where required.service_id = services.id) as required_role_ids,
      (select coalesce(json_agg(json_build_object('id', endpoints.id, 'region', endpoints.region,
           'public_url', endpoints.public_url, 'public_url2', endpoints.public_url2,
           'internal_url', endpoints.internal_url, 'admin_url', endpoints.admin_url,
           'version_id', endpoints.version_id, 'version_info', endpoints.version_info,
           'version_list', endpoints.version_list, 'release_state', endpoints.release_state)
           order by endpoints.region, endpoints.id), '[]'::json)
         from identity.endpoints as endpoints
        where endpoints.service_id = services.id and endpoints.enabled) as endpoints
    from identity.services as services
    where services.enabled
    order by services.name`);
  return rows.map(fromRow);
}

export async function findActivatedServiceIds(
  db: Database,
  tenantId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.raw<{ rows: { service_id: string }[] }>(
    `select activated.service_id from identity.tenant_services as activated where activated.tenant_id = ?`,
    [tenantId],
  );
  return new Set(rows.map((row) => row.service_id));
}

function fromRow(row: ServiceRow): CatalogService {
  return {
    id: row.id,
    name: row.name,
    types: row.types,
    isGlobal: row.is_global,
    requiredRoleIds: row.required_role_ids,
    endpoints: row.endpoints.map((endpoint) => ({
      id: endpoint.id,
      region: endpoint.region,
      publicUrl: endpoint.public_url,
      publicUrl2: endpoint.public_url2 ?? undefined,
      internalUrl: endpoint.internal_url ?? undefined,
      adminUrl: endpoint.admin_url ?? undefined,
      versionId: endpoint.version_id ?? undefined,
      versionInfo: endpoint.version_info ?? undefined,
      versionList: endpoint.version_list ?? undefined,
      releaseState: endpoint.release_state,
    })),
  };
}
