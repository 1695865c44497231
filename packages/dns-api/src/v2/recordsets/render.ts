import { isManaged, type ObjectStatus, type Recordset, type Zone } from '@zonewright/zones';
import { linkOf } from '../http/list-reply.js';
import type { ProjectRequest } from '../http/project-request.js';
import { actionOf, type ObjectAction } from '../zones/render.js';
import { renderRecordTexts } from './record-text.js';

/** A recordset as Designate v2 shows it. */
export function renderRecordset(
  request: ProjectRequest,
  { zone, recordset }: { readonly zone: Zone; readonly recordset: Recordset },
  status: ObjectStatus,
  action: ObjectAction = actionOf(recordset, status),
) {
  const { id, name, type, ttl, description, createdAt, updatedAt } = recordset;
  return {
    id,
    zone_id: zone.id,
    zone_name: zone.name,
    project_id: zone.tenantId,
    name,
    type,
    records: renderRecordTexts(recordset),
    ttl,
    description,
    status,
    action,
    managed: isManaged(recordset),
    // Each change of its records counts, and so does each record.
    version: recordset.rows.reduce(
      (sum, { version }) => sum + version,
      isManaged(recordset) ? 1 : 0,
    ),
    created_at: createdAt,
    updated_at: updatedAt,
    links: linkOf(request, `zones/${zone.id}/recordsets/${id}`),
  };
}
