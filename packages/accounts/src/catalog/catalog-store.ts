import type { Database } from '@zonewright/database';
import type { CatalogService } from './catalog.js';
import type { ReleaseState } from './endpoint-store.js';

interface EndpointJson {
  id: string;
  region: string;
  public_url: string;
  public_url2: string | null;
  internal_url: string | null;
  admin_url: string | null;
  version_id: string | null;
  version_info: string | null;
  version_list: string | null;
  release_state: ReleaseState;
}

interface ServiceRow {
  id: string;
  name: string;
  is_global: boolean;
  types: string[];
  required_role_ids: string[];
  endpoints: EndpointJson[];
}

/** All enabled services with their types, needed roles and enabled endpoints. */
export async function findCatalogServices(db: Database): Promise<CatalogService[]> {
  const { rows } = await db.raw<{ rows: ServiceRow[] }>(`
    select services.id, services.name, services.is_global,
      array(select types.type from identity.service_types as types
             where types.service_id = services.id order by types.type) as types,
      array(select required.role_id::text from identity.service_required_roles as required
             where required.service_id = services.id) as required_role_ids,
      (select coalesce(json_agg(json_build_object('id', endpoints.id, 'region', endpoints.region,
           'public_url', endpoints.public_url, 'public_url2', endpoints.public_url2,
           'internal_url', endpoints.internal_url, 'admin_url', endpoints.admin_url,
           'version_id', endpoints.version_id, 'version_info', endpoints.version_info,
           'version_list', endpoints.version_list, 'release_state', endpoints.release_state)
           order by endpoints.region, endpoints.id), '[]'::json)
         from identity.endpoints as endpoints
        where endpoints.service_id = services.id and endpoints.enabled) as endpoints
    from identity.services as services
    where services.enabled
    order by services.name`);
  return rows.map(fromRow);
}

export async function findActivatedServiceIds(
  db: Database,
  tenantId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.raw<{ rows: { service_id: string }[] }>(
    `select activated.service_id from identity.tenant_services as activated where activated.tenant_id = ?`,
    [tenantId],
  );
  return new Set(rows.map((row) => row.service_id));
}

function fromRow(row: ServiceRow): CatalogService {
  return {
    id: row.id,
    name: row.name,
    types: row.types,
    isGlobal: row.is_global,
    requiredRoleIds: row.required_role_ids,
    endpoints: row.endpoints.map((endpoint) => ({
      id: endpoint.id,
      region: endpoint.region,
      publicUrl: endpoint.public_url,
      publicUrl2: endpoint.public_url2 ?? undefined,
      internalUrl: endpoint.internal_url ?? undefined,
      adminUrl: endpoint.admin_url ?? undefined,
      versionId: endpoint.version_id ?? undefined,
      versionInfo: endpoint.version_info ?? undefined,
      versionList: endpoint.version_list ?? undefined,
      releaseState: endpoint.release_state,
    })),
  };
}
