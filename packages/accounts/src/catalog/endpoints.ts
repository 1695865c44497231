import {
  type Database,
  orConflict,
  queryReturning,
  queryRow,
  queryRows,
} from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { getService } from '../roles/service-store.js';
import { chooseId, parseName } from '../shared/names.js';
import { parseUrlTemplate } from './url-template.js';

/** Members to change. Null removes a value. */
export type EndpointChange = {
  readonly [K in keyof EndpointDescription]?: EndpointDescription[K] | undefined;
};

interface CreateEndpointInput extends EndpointChange {
  /** Id or name of the service. */
  readonly service: string;
  readonly id?: string | undefined;
  readonly region: string;
  readonly publicUrl: string;
}

/** @throws ServiceError conflict, invalid, not-found (the service) */
export async function createEndpoint(db: Database, input: CreateEndpointInput): Promise<Endpoint> {
  const id = chooseId(input.id);
  const description = checked({
    region: input.region,
    publicUrl: input.publicUrl,
    publicUrl2: input.publicUrl2 ?? null,
    internalUrl: input.internalUrl ?? null,
    adminUrl: input.adminUrl ?? null,
    versionId: input.versionId ?? null,
    versionInfo: input.versionInfo ?? null,
    versionList: input.versionList ?? null,
    releaseState: input.releaseState ?? 'public',
    enabled: input.enabled ?? true,
  });
  const service = await getService(db, input.service);
  await orConflict(insertEndpoint(db, { ...description, id, serviceId: service.id }), {
    endpoints_pkey: `an endpoint with the id "${id}" already exists`,
  });
  return await getEndpoint(db, id);
}

/** Minimum length of an abbreviated id. Shorter ones are more likely typing errors. */
const SHORTEST_REFERENCE = 4;

/**
 * Finds an endpoint by its id or the beginning of it: endpoints have no name, and an id has 32 digits.
 *
 * @throws ServiceError not-found, conflict if several ids begin with it
 */
export async function getEndpoint(db: Database, reference: string): Promise<Endpoint> {
  const exact = await findEndpoint(db, reference);
  if (exact !== undefined) return exact;
  const isShort = reference.length >= SHORTEST_REFERENCE;
  const [endpoint, ...others] = isShort
    ? (await listEndpoints(db, undefined)).filter(({ id }) => id.startsWith(reference))
    : [];
  if (endpoint === undefined) {
    throw new ServiceError('not-found', `no endpoint has the id "${reference}"`);
  }
  if (others.length > 0) {
    throw new ServiceError(
      'conflict',
      `the ids of ${others.length + 1} endpoints begin with "${reference}"`,
    );
  }
  return endpoint;
}

/** Changes the given members. @throws ServiceError invalid, not-found, conflict */
export async function changeEndpoint(
  db: Database,
  reference: string,
  change: EndpointChange,
): Promise<Endpoint> {
  const endpoint = await getEndpoint(db, reference);
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const description = { ...endpoint, ...(Object.fromEntries(given) as Partial<Endpoint>) };
  await updateEndpoint(db, endpoint.id, checked(description));
  return await getEndpoint(db, endpoint.id);
}

const URL_MEMBERS = ['publicUrl', 'internalUrl', 'adminUrl', 'versionInfo', 'versionList'] as const;

function checked(endpoint: EndpointDescription): EndpointDescription {
  parseName('the region', endpoint.region);
  for (const member of URL_MEMBERS) {
    const template = endpoint[member];
    if (template !== null) parseUrlTemplate(member, template);
  }
  // The DNS entry has an empty publicURL2 (DNS API s1).
  if (endpoint.publicUrl2) parseUrlTemplate('publicUrl2', endpoint.publicUrl2);
  return endpoint;
}

/** Values of "public, beta or preview release state" (Identity s1). */
export const RELEASE_STATES = ['public', 'beta', 'preview'] as const;
export type ReleaseState = (typeof RELEASE_STATES)[number];

/** Properties of an endpoint that an operator chooses. */
interface EndpointDescription {
  readonly region: string;
  /** Template in which %(tenant_id)s is replaced by the tenant of the token. */
  readonly publicUrl: string;
  readonly publicUrl2: string | null;
  readonly internalUrl: string | null;
  readonly adminUrl: string | null;
  readonly versionId: string | null;
  readonly versionInfo: string | null;
  readonly versionList: string | null;
  readonly releaseState: ReleaseState;
  /** Whether catalogs contain the endpoint. */
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

async function findEndpoint(db: Database, id: string): Promise<Endpoint | undefined> {
  return await queryRow<Endpoint>(db, `${SELECT} where e.id = ?`, [id]);
}

/** Lists the endpoints of a service, or all endpoints. */
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

async function insertEndpoint(
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

async function updateEndpoint(
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

/** Returns the values in the order of the columns of both statements. */
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
