import { type Database, queryReturning, queryRow, queryRows } from '@zonewright/database';

/** Identity s1: "public, beta or preview release state". */
export const RELEASE_STATES = ['public', 'beta', 'preview'] as const;
export type ReleaseState = (typeof RELEASE_STATES)[number];

/** What an operator decides about an endpoint. */
export interface EndpointDescription {
  readonly region: string;
  /** URLs are templates: %(tenant_id)s stands for the tenant of the token. */
  readonly publicUrl: string;
  readonly publicUrl2: string | null;
  readonly internalUrl: string | null;
  readonly adminUrl: string | null;
  readonly versionId: string | null;
  readonly versionInfo: string | null;
  readonly versionList: string | null;
  readonly releaseState: ReleaseState;
  /** A disabled one is left out of every catalog. */
  readonly enabled: boolean;
}

export interface Endpoint extends EndpointDescription {
  readonly id: string;
  readonly serviceId: string;
  readonly serviceName: string;
  readonly createdAt: Date;
}

const SELECT = `select e.id, e.service_id as "serviceId", s.name as "serviceName", e.region,
    e.public_url as "publicUrl", e.public_url2 as "publicUrl2", e.internal_url as "internalUrl",
    e.admin_url as "adminUrl", e.version_id as "versionId", e.version_info as "versionInfo",
    e.version_list as "versionList", e.release_state as "releaseState", e.enabled, e.created_at as "createdAt"
  from identity.endpoints as e
  join identity.services as s on s.id = e.service_id`;

export async function findEndpoint(db: Database, id: string): Promise<Endpoint | undefined> {
  return await queryRow<Endpoint>(db, `${SELECT} where e.id = ?`, [id]);
}

/** The endpoints of a service, or of all. */
export async function listEndpoints(
  db: Database,
  serviceId: string | undefined,
): Promise<Endpoint[]> {
  return await queryRows<Endpoint>(
    db,
    `${SELECT} where ?::text is null or e.service_id = ? order by s.name, e.region, e.id`,
    [serviceId ?? null, serviceId ?? null],
  );
}

export async function insertEndpoint(
  db: Database,
  endpoint: EndpointDescription & Pick<Endpoint, 'id' | 'serviceId'>,
): Promise<void> {
  await db.raw(
    `insert into identity.endpoints (id, service_id, region, public_url, public_url2, internal_url, admin_url,
       version_id, version_info, version_list, release_state, enabled)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [endpoint.id, endpoint.serviceId, ...valuesOf(endpoint)] as string[],
  );
}

export async function updateEndpoint(
  db: Database,
  id: string,
  endpoint: EndpointDescription,
): Promise<void> {
  await queryReturning(
    db,
    `update identity.endpoints as e
        set region = ?, public_url = ?, public_url2 = ?, internal_url = ?, admin_url = ?, version_id = ?,
            version_info = ?, version_list = ?, release_state = ?, enabled = ?
      where e.id = ? returning e.id`,
    [...valuesOf(endpoint), id],
  );
}

/** In the order of the columns in both statements. */
function valuesOf(endpoint: EndpointDescription): (string | boolean | null)[] {
  return [
    endpoint.region,
    endpoint.publicUrl,
    endpoint.publicUrl2,
    endpoint.internalUrl,
    endpoint.adminUrl,
    endpoint.versionId,
    endpoint.versionInfo,
    endpoint.versionList,
    endpoint.releaseState,
    endpoint.enabled,
  ];
}
