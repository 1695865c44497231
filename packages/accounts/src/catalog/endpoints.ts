import { type Database, orConflict } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { parseName } from '../values/parse-name.js';
import { chooseId } from '../values/choose-id.js';
import {
  type Endpoint,
  type EndpointDescription,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  updateEndpoint,
} from './endpoint-store.js';
import { getService } from '../services/get-service.js';
import { parseUrlTemplate } from './url-template.js';

/** The members that are given; null takes a value away. */
export type EndpointChange = {
  readonly [K in keyof EndpointDescription]?: EndpointDescription[K] | undefined;
};

interface CreateEndpointInput extends EndpointChange {
  /** Id or name. */
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
    endpoints_pkey: `an endpoint with the id "${id}" exists already`,
  });
  return await getEndpoint(db, id);
}

/** Fewer characters than these are sooner a slip than an id. */
const SHORTEST_REFERENCE = 4;

/**
 * By its id, or the beginning of it: endpoints have no name, and 32 digits are not typed.
 *
 * @throws ServiceError not-found, conflict when several ids begin so
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
      `${others.length + 1} endpoints have ids that begin with "${reference}"`,
    );
  }
  return endpoint;
}

/** Changes the members that are given. @throws ServiceError invalid, not-found, conflict */
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
  // The DNS entry shows publicURL2 as an empty string (DNS API s1).
  if (endpoint.publicUrl2) parseUrlTemplate('publicUrl2', endpoint.publicUrl2);
  return endpoint;
}
