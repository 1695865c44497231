import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { getTenant } from '../tenants/tenants.js';
import {
  type Activation,
  deleteActivation,
  insertActivation,
  listActivations,
} from './activation-store.js';
import { listFaces } from './dns-faces.js';
import { getService } from '../services/get-service.js';

/** Both an id or a name. */
interface ActivationInput {
  readonly tenant: string;
  readonly service: string;
}

interface ActivationIds {
  readonly tenantId: string;
  readonly serviceId: string;
}

/** The tenant's catalogs show the service; activating again changes nothing. @throws ServiceError not-found */
export async function activateService(
  db: Database,
  input: ActivationInput,
): Promise<ActivationIds> {
  const { ids, faces } = await resolve(db, input);
  for (const { id } of faces) await insertActivation(db, ids.tenantId, id);
  return ids;
}

/** @throws ServiceError not-found, also when the service is not active for the tenant */
export async function deactivateService(
  db: Database,
  input: ActivationInput,
): Promise<ActivationIds> {
  const { ids, faces } = await resolve(db, input);
  const wasActive = await deleteActivation(db, ids.tenantId, ids.serviceId);
  for (const { id } of faces) await deleteActivation(db, ids.tenantId, id);
  if (!wasActive) {
    throw new ServiceError(
      'not-found',
      `the service "${input.service}" is not active for the tenant "${input.tenant}"`,
    );
  }
  return ids;
}

/** The activations that have all of the given members. @throws ServiceError not-found */
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
  return { ids, faces: await listFaces(db, service) };
}
