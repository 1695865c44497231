import type { Database } from '@zonewright/database';
import { listServices, type Service } from '../services/service-store.js';

/** Catalog types of the one DNS service: old clients look for the first two, those of Designate v2 for the last. */
const DNS_TYPES: readonly string[] = ['ext:dns', 'hpext:dns', 'dns'];

/** The type under which clients of Designate v2 look for it; its URL has no version. */
export const DESIGNATE_TYPE = 'dns';

/**
 * The entries of the catalog that are one service, this one among them: whoever may see one of the entries of the DNS service may
 * use it, so a tenant has all of them or none.
 */
export async function listFaces(db: Database, service: Service): Promise<readonly Service[]> {
  if (!isOfDns(service)) return [service];
  const others = (await listServices(db)).filter(({ id }) => id !== service.id);
  return [service, ...others.filter(isOfDns)];
}

function isOfDns({ types }: Service): boolean {
  return types.some((type) => DNS_TYPES.includes(type));
}
