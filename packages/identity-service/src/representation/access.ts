import {
  type Access,
  type CatalogEndpoint,
  type CatalogEntry,
  domainStatusText,
  type HeldRole,
} from '@zonewright/accounts';
import {
  attribute,
  bareList,
  group,
  inline,
  jsonConstant,
  cached,
  list,
  type Member,
  object,
  only,
  type Resource,
  type Shape,
} from '@zonewright/http-api';
import { toIsoMilliseconds, V2_NAMESPACE } from './namespaces.js';

const VERSION: Shape<CatalogEndpoint> = [
  attribute('id', (endpoint) => endpoint.versionId),
  attribute('info', (endpoint) => endpoint.versionInfo),
  attribute('list', (endpoint) => endpoint.versionList),
];

const hasVersion = (endpoint: CatalogEndpoint) =>
  endpoint.versionId !== undefined ||
  endpoint.versionInfo !== undefined ||
  endpoint.versionList !== undefined;

const ADDRESSES: Shape<CatalogEndpoint> = [
  attribute('tenantId', (endpoint) => endpoint.tenantId),
  attribute('adminURL', (endpoint) => endpoint.adminUrl),
  attribute('internalURL', (endpoint) => endpoint.internalUrl),
  attribute('publicURL', (endpoint) => endpoint.publicUrl),
  attribute('publicURL2', (endpoint) => endpoint.publicUrl2),
  attribute('region', (endpoint) => endpoint.region),
  // The member interface contains the release state (Identity s1).
  attribute('interface', (endpoint) => endpoint.releaseState),
  // pkgcloud treats an endpoint with an interface as one of version 3, and reads its url (D-ID-49).
  only('json', [attribute('url', (endpoint) => endpoint.publicUrl)]),
];

const VERSIONS: Shape<CatalogEndpoint> = [
  // Identity s2 has two names for the same three facts, one for token responses and one for the identity entry.
  only('json', [
    attribute('versionId', (endpoint) => endpoint.versionId),
    attribute('versionInfo', (endpoint) => endpoint.versionInfo),
    attribute('versionList', (endpoint) => endpoint.versionList),
  ]),
  only('xml', [
    object('version', VERSION, (endpoint) => (hasVersion(endpoint) ? endpoint : undefined)),
  ]),
];

const CATALOG_ENDPOINT: Shape<CatalogEndpoint> = [...ADDRESSES, only('json', VERSION), ...VERSIONS];

/** Service of the catalog in a token response (Identity s2). */
const SERVICE: Shape<CatalogEntry> = [
  cached([
    attribute('name', (entry) => entry.name),
    attribute('type', (entry) => entry.type),
    bareList(
      'endpoints',
      { name: 'endpoint', shape: CATALOG_ENDPOINT },
      (entry) => entry.endpoints,
    ),
  ]),
];

interface ListedEndpoint {
  readonly entry: CatalogEntry;
  readonly endpoint: CatalogEndpoint;
}

const LISTED_ENDPOINT: Shape<ListedEndpoint> = [
  attribute('id', ({ endpoint }) => endpoint.id),
  attribute('name', ({ entry }) => entry.name),
  attribute('type', ({ entry }) => entry.type),
  inline([...ADDRESSES, ...VERSIONS], ({ endpoint }) => endpoint),
];

/** Endpoints of a token as one list (D-ID-14). */
export const ENDPOINTS: Resource<readonly CatalogEntry[]> = {
  root: 'endpoints',
  namespace: V2_NAMESPACE,
  wrappedInJson: false,
  shape: [
    bareList('endpoints', { name: 'endpoint', shape: LISTED_ENDPOINT }, (entries) =>
      entries.flatMap((entry) => entry.endpoints.map((endpoint) => ({ entry, endpoint }))),
    ),
    jsonConstant('endpoints_links', []),
  ],
};

const TENANT_REFERENCE: Shape<NonNullable<Access['tenant']>> = [
  attribute('id', (tenant) => tenant.id),
  attribute('name', (tenant) => tenant.name),
];

const TOKEN: Shape<Access> = [
  attribute('expires', (access) => toIsoMilliseconds(access.expiresAt)),
  attribute('id', (access) => access.tokenId),
  object('tenant', TENANT_REFERENCE, (access) => access.tenant),
];

const ROLE: Shape<HeldRole> = [
  attribute('id', ({ role }) => role.id),
  attribute('serviceId', ({ role }) => role.serviceId),
  attribute('name', ({ role }) => role.name),
  attribute('tenantId', (assignment) => assignment.tenantId),
];

const USER: Shape<Access> = [
  attribute('id', ({ account }) => account.id),
  attribute('name', ({ account }) => account.name),
  group('otherAttributes', [
    attribute('domainStatus', ({ account }) => domainStatusText(account)),
    attribute('domainStatusCode', ({ account }) => account.domain.statusCode?.toString()),
  ]),
  list('roles', { name: 'role', shape: ROLE }, (access) => access.roles),
];

const TOKEN_AND_USER: readonly Member<Access>[] = [
  object('token', TOKEN, (access) => access),
  object('user', USER, (access) => access),
];

/** Response of operations that issue or rescope a token, with token, user and catalog (Identity s2). */
export const ACCESS: Resource<Access> = {
  root: 'access',
  namespace: V2_NAMESPACE,
  wrappedInJson: true,
  shape: [
    ...TOKEN_AND_USER,
    list('serviceCatalog', { name: 'service', shape: SERVICE }, (access) => access.catalog),
  ],
};

/** Response without the catalog, for validation and legacy authentication. */
export const ACCESS_WITHOUT_CATALOG: Resource<Access> = {
  root: 'access',
  namespace: V2_NAMESPACE,
  wrappedInJson: true,
  shape: TOKEN_AND_USER,
};
