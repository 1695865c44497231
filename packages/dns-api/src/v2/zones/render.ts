import {
  type ListedZone,
  type NameserverStatus,
  type ObjectStatus,
  statusOfChange,
  type Zone,
} from '@zonewright/zones';
import { linkOf } from '../http/list-reply.js';
import type { ProjectRequest } from '../http/project-request.js';
import { POOL_ID } from '../pools/pool.js';
import { listAttributes } from './dnssec-attribute.js';

/** Pending action of an object. NONE if it is published. */
export type ObjectAction = 'CREATE' | 'UPDATE' | 'DELETE' | 'NONE';

/** A zone as Designate v2 shows it. */
export function renderZone(
  request: ProjectRequest,
  zone: Zone & Pick<ListedZone, 'attributes' | 'signing' | 'secondary'>,
  status: ObjectStatus,
  action: ObjectAction = actionOf(zone, status),
) {
  return {
    id: zone.id,
    name: zone.name,
    type: zone.secondary === undefined ? 'PRIMARY' : 'SECONDARY',
    email: zone.email,
    ttl: zone.ttl,
    description: zone.description,
    // The one that the world sees.
    serial: zone.secondary?.serial ?? zone.serial,
    status,
    action,
    version: zone.version,
    pool_id: POOL_ID,
    project_id: zone.tenantId,
    masters: (zone.secondary?.primaries ?? []).map(renderMaster),
    attributes: listAttributes(zone),
    transferred_at: zone.secondary?.transferredAt ?? null,
    created_at: zone.createdAt,
    updated_at: zone.updatedAt,
    links: linkOf(request, `zones/${zone.id}`),
  };
}

/** Format of Designate. */
function renderMaster({ address, port }: { address: string; port: number }): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** With the status that its last change has at the nameservers. */
export function renderListedZone(
  request: ProjectRequest,
  servers: readonly NameserverStatus[],
  zone: ListedZone,
) {
  return renderZone(
    request,
    zone,
    statusOfChange(servers, { transaction: zone.transaction, zone }),
  );
}

export function actionOf(
  { updatedAt }: { readonly updatedAt: string | null },
  status: ObjectStatus,
): ObjectAction {
  if (status === 'ACTIVE') return 'NONE';
  return updatedAt === null ? 'CREATE' : 'UPDATE';
}
