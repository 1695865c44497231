import type { Access, AccountDomain, HeldRole, Tenant } from '@zonewright/accounts';
import {
  attribute,
  bareList,
  element,
  list,
  object,
  type Resource,
  type Shape,
  words,
} from '@zonewright/http-api';
import { V3_NAMESPACE } from './namespaces.js';
import { toIsoMilliseconds } from './timestamps.js';
import { toV3Catalog, type V3Endpoint, type V3Service } from './v3-catalog.js';

const DOMAIN: Shape<Pick<AccountDomain, 'id' | 'name'>> = [
  attribute('id', (domain) => domain.id),
  attribute('name', (domain) => domain.name),
];

const USER: Shape<Access> = [
  attribute('id', ({ account }) => account.id),
  attribute('name', ({ account }) => account.name),
  object('domain', DOMAIN, ({ account }) => account.domain),
];

const PROJECT: Shape<Tenant> = [
  attribute('id', (tenant) => tenant.id),
  attribute('name', (tenant) => tenant.name),
  object('domain', DOMAIN, (tenant) => ({
    id: tenant.accountDomainId,
    name: tenant.accountDomainName,
  })),
];

const ROLE: Shape<HeldRole> = [
  attribute('id', ({ role }) => role.id),
  attribute('name', ({ role }) => role.name),
];

const ENDPOINT: Shape<V3Endpoint> = [
  attribute('id', (endpoint) => endpoint.id),
  attribute('interface', (endpoint) => endpoint.interface),
  attribute('region', (endpoint) => endpoint.region),
  attribute('region_id', (endpoint) => endpoint.region),
  attribute('url', (endpoint) => endpoint.url),
];

const SERVICE: Shape<V3Service> = [
  attribute('id', (service) => service.id),
  attribute('type', (service) => service.type),
  attribute('name', (service) => service.name),
  bareList('endpoints', { name: 'endpoint', shape: ENDPOINT }, (service) => service.endpoints),
];

const CATALOG_ITEM = { name: 'service', shape: SERVICE };

/** What one token's catalog looks like in version 3. */
const CATALOG = list('catalog', CATALOG_ITEM, (access: Access) => toV3Catalog(access.catalog));

/** The body of version 3 tokens (decisions 2, Version 3). The token id itself stands in X-Subject-Token. */
export const V3_TOKEN: Resource<Access> = {
  root: 'token',
  namespace: V3_NAMESPACE,
  wrappedInJson: true,
  shape: [
    words('methods', 'method', (access) => [access.method]),
    attribute('issued_at', (access) => toIsoMilliseconds(access.issuedAt)),
    attribute('expires_at', (access) => toIsoMilliseconds(access.expiresAt)),
    object('user', USER, (access) => access),
    object('project', PROJECT, (access) => access.tenant),
    list('roles', { name: 'role', shape: ROLE }, (access) => access.roles),
    CATALOG,
  ],
};

/** A list of version 3 says where it was read and that it has no other pages. */
const SELF_LINK: Shape<string> = [attribute('self', (url) => url)];
const PAGE_LINKS: Shape<string> = [
  ...SELF_LINK,
  attribute('previous', () => null),
  attribute('next', () => null),
];

interface CatalogDocument {
  readonly access: Access;
  readonly selfUrl: string;
}

/** GET /v3/auth/catalog */
export const V3_CATALOG: Resource<CatalogDocument> = {
  root: 'catalog',
  namespace: V3_NAMESPACE,
  wrappedInJson: false,
  shape: [
    bareList('catalog', CATALOG_ITEM, ({ access }) => toV3Catalog(access.catalog)),
    object('links', SELF_LINK, ({ selfUrl }) => selfUrl),
  ],
};

interface ListedProject {
  readonly tenant: Tenant;
  readonly selfUrl: string;
}

const LISTED_PROJECT: Shape<ListedProject> = [
  attribute('id', ({ tenant }) => tenant.id),
  attribute('name', ({ tenant }) => tenant.name),
  attribute('domain_id', ({ tenant }) => tenant.accountDomainId),
  attribute('enabled', ({ tenant }) => tenant.enabled),
  element('description', ({ tenant }) => tenant.description ?? ''),
  object('links', SELF_LINK, ({ selfUrl }) => selfUrl),
];

interface ProjectsDocument {
  readonly projects: readonly ListedProject[];
  readonly selfUrl: string;
}

/** GET /v3/auth/projects */
export const V3_PROJECTS: Resource<ProjectsDocument> = {
  root: 'projects',
  namespace: V3_NAMESPACE,
  wrappedInJson: false,
  shape: [
    bareList('projects', { name: 'project', shape: LISTED_PROJECT }, ({ projects }) => projects),
    object('links', PAGE_LINKS, ({ selfUrl }) => selfUrl),
  ],
};
