import type { Database } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { type Service, findService } from './service-store.js';

/** By id or name. @throws ServiceError not-found */
export async function getService(db: Database, reference: string): Promise<Service> {
  const service = await findService(db, reference);
  if (service === undefined) {
    throw new ServiceError('not-found', `no service has the id or name "${reference}"`);
  }
  return service;
}
