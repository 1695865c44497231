import type { HeldRole } from '../users/account.js';
import type { ReleaseState } from './endpoint-store.js';
import { TENANT_PLACEHOLDER } from './url-template.js';

/** An endpoint as the operator entered it; URLs are templates. */
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

/** A service as the operator entered it. */
export interface CatalogService {
  readonly id: string;
  readonly name: string;
  /** It stands in the catalog once under each of these. */
  readonly types: readonly string[];
  /** Seen by every token, without activation. */
  readonly isGlobal: boolean;
  /** Any of these roles is enough; none listed, none needed. */
  readonly requiredRoleIds: readonly string[];
  readonly endpoints: readonly EndpointTemplate[];
}

/** An endpoint for one token, its URLs complete. */
export interface CatalogEndpoint extends EndpointTemplate {
  /** Present where the endpoint is the tenant's own. */
  readonly tenantId: string | undefined;
  /** The public URL, where no other was entered: some clients of version 2.0 take it for granted (decisions 2). */
  readonly adminUrl: string;
}

/** A service as one token sees it. */
export interface CatalogEntry {
  readonly serviceId: string;
  readonly name: string;
  readonly type: string;
  readonly endpoints: readonly CatalogEndpoint[];
}

export interface CatalogScope {
  /** Undefined: an unscoped token. */
  readonly tenantId: string | undefined;
  readonly roles: readonly HeldRole[];
  readonly activatedServiceIds: ReadonlySet<string>;
}

/**
 * The catalog of one token (Identity s1): global services for all, and for a scoped token the services that the
 * tenant has activated and for which the user holds a needed role.
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
