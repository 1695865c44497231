import { type Database, errorCode, SQLSTATE } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { getService, listEntriesOf } from '../roles/service-store.js';
import { getTenant } from '../tenants/tenants.js';
import {
  type Activation,
  deleteActivation,
  insertActivations,
  listActivations,
} from '../tenants/activation-store.js';

/** Ids or names of a tenant and a service. */
interface ActivationInput {
  readonly tenant: string;
  readonly service: string;
}

interface ActivationIds {
  readonly tenantId: string;
  readonly serviceId: string;
}

/** Adds the service to the tenant's catalogs. Does nothing if it is already active. @throws ServiceError not-found */
export async function activateService(
  db: Database,
  input: ActivationInput,
): Promise<ActivationIds> {
  const { ids, entryIds } = await resolve(db, input);
  try {
    await insertActivations(db, ids.tenantId, entryIds);
  } catch (error) {
    if (errorCode(error) !== SQLSTATE.foreignKeyViolation) throw error;
    throw new ServiceError('not-found', 'the tenant or the service was deleted in the meantime', {
      cause: error,
    });
  }
  return ids;
}

/** @throws ServiceError not-found, also if the service is not active for the tenant */
export async function deactivateService(
  db: Database,
  input: ActivationInput,
): Promise<ActivationIds> {
  const { ids, entryIds } = await resolve(db, input);
  const wasActive = await deleteActivation(db, ids.tenantId, ids.serviceId);
  for (const id of entryIds) await deleteActivation(db, ids.tenantId, id);
  if (!wasActive) {
    throw new ServiceError(
      'not-found',
      `the service "${input.service}" is not active for the tenant "${input.tenant}"`,
    );
  }
  return ids;
}

/** Lists the activations that match all given members. @throws ServiceError not-found */
export async function listActivationsOf(
  db: Database,
  filter: { readonly [K in keyof ActivationInput]?: string | undefined },
): Promise<Activation[]> {
  const { tenant, service } = filter;
  return await listActivations(db, {
    tenantId: tenant === undefined ? undefined : (await getTenant(db, tenant)).id,
    serviceId: service === undefined ? undefined : (await getService(db, service)).id,
  });
}

async function resolve(db: Database, input: ActivationInput) {
  const service = await getService(db, input.service);
  const tenant = await getTenant(db, input.tenant);
  const ids: ActivationIds = { tenantId: tenant.id, serviceId: service.id };
  const entries = await listEntriesOf(db, service);
  return { ids, entryIds: entries.map(({ id }) => id) };
}
