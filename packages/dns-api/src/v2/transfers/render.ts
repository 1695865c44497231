import type { TransferAccept, ZoneTransfer } from '@zonewright/zones';
import { linkOf } from '../http/list-reply.js';
import type { ProjectRequest } from '../http/project-request.js';

/** A transfer request; its key is shown to who made it, and to nobody else. */
export function renderTransfer(request: ProjectRequest, transfer: ZoneTransfer, key?: string) {
  const isOwn = transfer.tenantId === request.caller.tenantId;
  return {
    id: transfer.id,
    zone_id: transfer.zoneId,
    zone_name: transfer.zoneName,
    description: transfer.description,
    status: transfer.status,
    project_id: isOwn ? transfer.tenantId : null,
    target_project_id: transfer.targetTenantId,
    key: key ?? null,
    created_at: transfer.createdAt,
    updated_at: transfer.updatedAt,
    links: linkOf(request, `zones/tasks/transfer_requests/${transfer.id}`),
  };
}

/** A transfer as who took the zone sees it, with the key that they brought. */
export function renderAccept(request: ProjectRequest, accept: TransferAccept, key?: string) {
  return {
    id: accept.id,
    zone_id: accept.zoneId,
    zone_transfer_request_id: accept.transferId,
    project_id: accept.tenantId,
    status: 'COMPLETE',
    key: key ?? null,
    created_at: accept.createdAt,
    updated_at: null,
    links: {
      ...linkOf(request, `zones/tasks/transfer_accepts/${accept.id}`),
      zone: linkOf(request, `zones/${accept.zoneId}`).self,
    },
  };
}
