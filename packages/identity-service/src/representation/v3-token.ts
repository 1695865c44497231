import type {
  Access,
  AccountDomain,
  CatalogEndpoint,
  CatalogEntry,
  HeldRole,
  Restriction,
  RestrictionContent,
  Tenant,
} from '@zonewright/accounts';
import {
  attribute,
  bareList,
  element,
  jsonValue,
  list,
  object,
  only,
  represent,
  type Resource,
  type Shape,
  words,
} from '@zonewright/http-api';
import { toIsoMilliseconds, V3_NAMESPACE } from './namespaces.js';

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

/** Catalog of a token in version 3. */
const CATALOG = list('catalog', CATALOG_ITEM, (access: Access) => toV3Catalog(access.catalog));

/** Access key of a restricted token, in Keystone's format. */
const APPLICATION_CREDENTIAL: Shape<Restriction> = [
  attribute('id', ({ accessKeyId }) => accessKeyId),
  attribute('name', ({ accessKeyName }) => accessKeyName),
  attribute('restricted', () => true),
];

function restrictionsOf(restriction: Restriction | undefined): RestrictionContent | undefined {
  if (restriction === undefined) return undefined;
  const { tenantId, rules, networks, massDelete } = restriction;
  return { tenantId, rules, networks, massDelete };
}

/** Body of version 3 tokens (D-ID 3). X-Subject-Token contains the token id. */
export const V3_TOKEN: Resource<Access> = {
  root: 'token',
  namespace: V3_NAMESPACE,
  wrappedInJson: true,
  shape: [
    words('methods', 'method', (access) => [access.method]),
    object('application_credential', APPLICATION_CREDENTIAL, (access) => access.restriction),
    only('json', [
      jsonValue('EXT-IDM:restrictions', ({ restriction }) => restrictionsOf(restriction)),
    ]),
    attribute('issued_at', (access) => toIsoMilliseconds(access.issuedAt)),
    attribute('expires_at', (access) => toIsoMilliseconds(access.expiresAt)),
    object('user', USER, (access) => access),
    object('project', PROJECT, (access) => access.tenant),
    list('roles', { name: 'role', shape: ROLE }, (access) => access.roles),
    CATALOG,
  ],
};

/** Links of version 3 lists: only their own URL, since there are no other pages. */
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

/**
 * Renders the access key that signed a message, with the content of a token for it. The token is null if the key is not
 * valid for the request.
 */
export function renderSigner(accessKeyId: string, access: Access | undefined): object {
  return { fault: null, access_key_id: accessKeyId, ...renderHolder(access) };
}

/**
 * Renders the content of a token for an access key. The token is null if the key is wrong or not valid for the request.
 */
export function renderHolder(access: Access | undefined): { readonly token: object | null } {
  return access === undefined
    ? { token: null }
    : (JSON.parse(represent(V3_TOKEN, access).toJson()) as { token: object });
}

/**
 * Renders the signers of several messages. `tokens` contains each content once, and each signer has an index into it.
 */
export class SignerRenderer {
  readonly tokens: (object | null)[] = [];
  readonly #places = new Map<Access, number>();

  render(accessKeyId: string, access: Access | undefined): object {
    return {
      fault: null,
      access_key_id: accessKeyId,
      token: access === undefined ? null : this.#placeOf(access),
    };
  }

  #placeOf(access: Access): number {
    const known = this.#places.get(access);
    if (known !== undefined) return known;
    const place = this.tokens.push(renderHolder(access).token) - 1;
    this.#places.set(access, place);
    return place;
  }
}

/** Version 3 lists each URL of an endpoint separately. */
interface V3Endpoint {
  readonly id: string;
  readonly interface: string;
  readonly region: string;
  readonly url: string;
}

interface V3Service {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly endpoints: readonly V3Endpoint[];
}

function toV3Catalog(entries: readonly CatalogEntry[]): V3Service[] {
  return entries.map((entry) => ({
    id: entry.serviceId,
    type: entry.type,
    name: entry.name,
    endpoints: entry.endpoints.flatMap(toV3Endpoints),
  }));
}

function toV3Endpoints(endpoint: CatalogEndpoint): V3Endpoint[] {
  const { id, region, releaseState, publicUrl, internalUrl, adminUrl } = endpoint;
  const urls = [
    // The interface is the release state of the endpoint: public, beta or preview (Identity s1).
    [releaseState, publicUrl],
    ['internal', internalUrl],
    ['admin', adminUrl],
  ] as const;
  return urls.flatMap(([name, url]) =>
    url === undefined ? [] : [{ id, interface: name, region, url }],
  );
}
