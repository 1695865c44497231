import type { Database } from '@zonewright/database';
import { findRestriction, type Restriction } from '../access-keys/restriction-store.js';
import {
  type CatalogEntry,
  type CatalogService,
  compileCatalog,
  findActivatedServiceIds,
  findCatalogServices,
} from '../catalog/catalog.js';
import { type ChangeWatch, ReadCache } from '../shared/change-watch.js';
import { findTenant, type Tenant } from '../tenants/tenant-store.js';
import { findAccountById } from '../users/account-store.js';
import type { Account, HeldRole } from '../users/account.js';

/** Cache size at about 1 KiB for each account. */
const MAX_ACCOUNTS = 20_000;
const MAX_TENANTS = 20_000;
/** Cache size at up to 16 KiB for each restriction. */
const MAX_RESTRICTIONS = 2_000;
/** Cache size. Catalogs can be large, and compiling one again takes only some microseconds. */
const MAX_CATALOGS = 1_000;

const NO_ACTIVATIONS: ReadonlySet<string> = new Set();

/** Cache of accounts, tenants and the catalog by id, for responses about valid tokens. */
export class Directory {
  readonly #db: Database;
  readonly #accounts: ReadCache<Account | undefined>;
  readonly #tenants: ReadCache<Tenant | undefined>;
  readonly #activations: ReadCache<ReadonlySet<string>>;
  readonly #services: ReadCache<readonly CatalogService[]>;
  readonly #catalogs: ReadCache<readonly CatalogEntry[]>;
  readonly #restrictions: ReadCache<Restriction | undefined>;

  constructor(db: Database, watch: ChangeWatch) {
    this.#db = db;
    this.#accounts = new ReadCache(watch, MAX_ACCOUNTS);
    this.#tenants = new ReadCache(watch, MAX_TENANTS);
    this.#activations = new ReadCache(watch, MAX_TENANTS);
    this.#services = new ReadCache(watch, 1);
    this.#catalogs = new ReadCache(watch, MAX_CATALOGS);
    this.#restrictions = new ReadCache(watch, MAX_RESTRICTIONS);
  }

  async findAccount(id: string): Promise<Account | undefined> {
    return await this.#accounts.get(id, () => findAccountById(this.#db, id));
  }

  async findTenant(id: string): Promise<Tenant | undefined> {
    return await this.#tenants.get(id, () => findTenant(this.#db, { id }));
  }

  /** Returns the catalog for these roles in a tenant, or without a tenant. Equal arguments return the same object. */
  async findCatalog(
    tenantId: string | undefined,
    roles: readonly HeldRole[],
  ): Promise<readonly CatalogEntry[]> {
    const key = JSON.stringify([tenantId, ...roles.map(({ role }) => role.id)]);
    return await this.#catalogs.get(key, async () => {
      const [services, activatedServiceIds] = await Promise.all([
        this.listServices(),
        tenantId === undefined ? NO_ACTIVATIONS : this.#findActivations(tenantId),
      ]);
      return compileCatalog(services, { tenantId, roles, activatedServiceIds });
    });
  }

  /**
   * Finds a restriction by its number. Restrictions never change, so the cache ignores changes of access keys. When a
   * key is deleted, its tokens are ended by their family.
   */
  async findRestriction(number: number): Promise<Restriction | undefined> {
    return await this.#restrictions.get(String(number), () => findRestriction(this.#db, number));
  }

  /** Returns all enabled services with their endpoints. */
  async listServices(): Promise<readonly CatalogService[]> {
    return await this.#services.get('', () => findCatalogServices(this.#db));
  }

  /** Returns the ids of the services that a tenant has activated. */
  async #findActivations(tenantId: string): Promise<ReadonlySet<string>> {
    return await this.#activations.get(tenantId, () => findActivatedServiceIds(this.#db, tenantId));
  }
}
