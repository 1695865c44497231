import {
  type CatalogEntry,
  type CatalogScope,
  type CatalogService,
  compileCatalog,
} from './catalog.js';

type Catalogs = Map<string, readonly CatalogEntry[]>;

/**
 * By services and activations: the directory hands out the very same objects for as long as nothing was announced to have
 * changed, and with them goes what was made of them. There are few sets of roles for each.
 */
const known = new WeakMap<readonly CatalogService[], WeakMap<ReadonlySet<string>, Catalogs>>();

/** The catalog of a scope, compiled once for all tokens that see the same: each login shows it. */
export function findCatalog(
  services: readonly CatalogService[],
  scope: CatalogScope,
): readonly CatalogEntry[] {
  const catalogs = catalogsOf(services, scope.activatedServiceIds);
  const key = JSON.stringify([scope.tenantId, ...scope.roles.map(({ role }) => role.id)]);
  const catalog = catalogs.get(key) ?? compileCatalog(services, scope);
  catalogs.set(key, catalog);
  return catalog;
}

function catalogsOf(
  services: readonly CatalogService[],
  activatedServiceIds: ReadonlySet<string>,
): Catalogs {
  const byActivations = known.get(services) ?? new WeakMap<ReadonlySet<string>, Catalogs>();
  known.set(services, byActivations);
  const catalogs = byActivations.get(activatedServiceIds) ?? (new Map() as Catalogs);
  byActivations.set(activatedServiceIds, catalogs);
  return catalogs;
}
