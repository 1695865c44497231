import { copyActivations } from '../tenants/activation-store.js';
import {
  changeEndpoint,
  createEndpoint,
  type EndpointChange,
  listEndpoints,
} from '../catalog/endpoints.js';
import { changeService, createService } from '../catalog/services.js';
import {
  DESIGNATE_TYPE,
  findService,
  getService,
  insertServiceTypes,
  listServices,
  type Service,
} from '../roles/service-store.js';
import type { AccountsBootstrapOptions, BootstrapRun } from './bootstrap-run.js';

export interface BootstrapCatalog {
  readonly identityServiceId: string;
  readonly dnsServiceId: string;
}

/** Types that clients of the DNS API look for (DNS API s1). */
const DNS_SERVICE_TYPES = ['ext:dns'];

interface CatalogEntry {
  readonly name: string;
  readonly types: readonly string[];
  readonly isGlobal: boolean;
  readonly endpoint: EndpointChange & { readonly region: string; readonly publicUrl: string };
}

/** Creates the identity entry, which every token contains, and the DNS entry, for tenants that have activated it. */
export async function ensureCatalog(
  run: BootstrapRun,
  options: AccountsBootstrapOptions,
): Promise<BootstrapCatalog> {
  const move = options.moveEndpoints ?? false;
  const identity = await ensureEntry(run, identityEntry(options), move);
  const dns = await ensureEntry(run, dnsEntry(options), move);
  return { identityServiceId: identity.id, dnsServiceId: dns.id };
}

/**
 * Returns the identity entry with id, info and list of the version; it always has an adminURL (decisions 2, "Catalog").
 */
function identityEntry(options: AccountsBootstrapOptions): CatalogEntry {
  const url = withoutSlash(options.identityUrl);
  const versioned = `${url}/v2.0/`;
  return {
    name: 'Identity',
    types: ['identity'],
    isGlobal: true,
    endpoint: {
      region: options.region,
      publicUrl: versioned,
      internalUrl: versioned,
      adminUrl: versioned,
      versionId: '2.0',
      versionInfo: versioned,
      versionList: url,
    },
  };
}

/**
 * Returns the DNS entry: name DNS, publicURL ending in /v1/, empty publicURL2 (decisions 2, "Catalog"). It has no admin
 * URI (DNS API s1).
 */
function dnsEntry(options: AccountsBootstrapOptions): CatalogEntry {
  const url = withoutSlash(options.dnsUrl);
  const versioned = `${url}/v1/`;
  return {
    name: 'DNS',
    types: options.dnsServiceTypes ?? DNS_SERVICE_TYPES,
    isGlobal: false,
    endpoint: {
      region: options.region,
      publicUrl: versioned,
      publicUrl2: '',
      internalUrl: versioned,
      versionId: '1',
      versionInfo: versioned,
      versionList: url,
    },
  };
}

async function ensureEntry(
  run: BootstrapRun,
  entry: CatalogEntry,
  move: boolean,
): Promise<Service> {
  const service = await ensureService(run, entry);
  const endpoints = await listEndpoints(run.db, service.id);
  const found = endpoints.find(({ region }) => region === entry.endpoint.region);
  if (found === undefined) {
    await createEndpoint(run.db, { service: service.id, ...entry.endpoint });
    run.created.push(`endpoint of service ${service.name} in region ${entry.endpoint.region}`);
  } else if (move && found.publicUrl !== entry.endpoint.publicUrl) {
    await changeEndpoint(run.db, found.id, entry.endpoint);
  }
  return service;
}

async function ensureService(run: BootstrapRun, entry: CatalogEntry): Promise<Service> {
  const found = await findService(run.db, entry.name);
  if (found === undefined) {
    const service = await createService(run.db, entry);
    run.created.push(`service ${service.name} (${service.types.join(', ')})`);
    return service;
  }
  for (const type of await insertServiceTypes(run.db, found.id, entry.types)) {
    run.created.push(`type ${type} of service ${found.name}`);
  }
  return found;
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

const NAME = 'designate';

/**
 * Creates the entry for clients of Designate v2, in addition to the entry for v1. They look for the type `dns`, and
 * find the versions by the URL or append `v2/` to it. Both entries belong to one service, with the same roles and
 * tenants. If an operator has given the type to another entry, that entry is kept.
 */
export async function ensureDesignateEntry(
  run: BootstrapRun,
  options: AccountsBootstrapOptions,
  { dnsServiceId }: BootstrapCatalog,
): Promise<void> {
  const { db } = run;
  const isNew = (await findService(db, NAME)) === undefined;
  const isTaken = (await listServices(db)).some(({ types }) => types.includes(DESIGNATE_TYPE));
  if (isNew && isTaken) return;
  const { id } = await ensureEntry(run, designateEntry(options), options.moveEndpoints ?? false);
  if (!isNew) return;
  const { requiredRoles, isForNewTenants } = await getService(db, dnsServiceId);
  await changeService(db, id, { requiredRoles, isForNewTenants });
  await copyActivations(db, dnsServiceId, id);
}

function designateEntry(options: AccountsBootstrapOptions): CatalogEntry {
  const url = withoutSlash(options.dnsUrl);
  return {
    name: NAME,
    types: [DESIGNATE_TYPE],
    isGlobal: false,
    endpoint: {
      region: options.region,
      publicUrl: url,
      publicUrl2: '',
      internalUrl: url,
      versionId: '2',
      versionInfo: `${url}/v2`,
      versionList: url,
    },
  };
}
