import { copyActivations } from '../catalog/activation-store.js';
import { DESIGNATE_TYPE } from '../catalog/dns-faces.js';
import { getService } from '../services/get-service.js';
import { findService, listServices } from '../services/service-store.js';
import { changeService } from '../catalog/services.js';
import type { AccountsBootstrapOptions, BootstrapRun } from './bootstrap-run.js';
import {
  type BootstrapCatalog,
  type CatalogEntry,
  ensureEntry,
  withoutSlash,
} from './ensure-catalog.js';

const NAME = 'designate';

/**
 * The entry for clients of Designate v2, beside that of v1: they look for the type `dns` and find the versions by the URL, or
 * append `v2/` to it. It is the same service, so the same roles see it, for the same tenants. An operator may have given the
 * type to another entry: then that stays.
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
  const { requiredRoles } = await getService(db, dnsServiceId);
  await changeService(db, id, { requiredRoles });
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
