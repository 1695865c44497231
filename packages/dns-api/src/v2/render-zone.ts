import { invalidRequest } from '@zonewright/service-kit';
import {
  checkZoneAttributes,
  disableDnssec,
  DNSSEC_ATTRIBUTE,
  enableDnssec,
  type ListedZone,
  type NameserverStatus,
  type ObjectStatus,
  statusOfChange,
  type UnitOfWork,
  type Zone,
  type ZoneAttributes,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { requireSigner } from '../v1/dnssec.js';
import { linkOf } from './http/reply.js';
import type { ProjectRequest } from './http/request.js';
import { POOL_ID } from './pools.js';

/** Pending action of an object. NONE if it is published. */
export type ObjectAction = 'CREATE' | 'UPDATE' | 'DELETE' | 'NONE';

/** Renders a zone as in Designate v2. */
export function renderZone(
  request: ProjectRequest,
  zone: Zone & Pick<ListedZone, 'attributes' | 'signing' | 'secondary'>,
  status: ObjectStatus,
  action: ObjectAction = actionOf(zone, status),
) {
  return {
    id: zone.id,
    name: zone.displayName,
    type: zone.secondary === undefined ? 'PRIMARY' : 'SECONDARY',
    email: zone.email,
    ttl: zone.ttl,
    description: zone.description,
    // Serial that resolvers see.
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

/** Formats an address with a port as Designate does. */
function renderMaster({ address, port }: { address: string; port: number }): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

/** Adds the status of the last change at the nameservers. */
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

// Designate has no DNSSEC. Here a zone attribute switches signing on, since clients have options for attributes. DS
// records and status are only in v1.

/** Attributes of a zone. The signing attribute shows the current state, not an earlier request. */
function listAttributes({
  attributes,
  signing,
}: Pick<ListedZone, 'attributes' | 'signing'>): ZoneAttributes {
  if (signing === undefined && attributes[DNSSEC_ATTRIBUTE] === undefined) return attributes;
  return { ...attributes, [DNSSEC_ATTRIBUTE]: String(isOn(signing)) };
}

function isOn(signing: ListedZone['signing']): boolean {
  return signing === 'signing' || signing === 'signed';
}

/**
 * Whether the body of Update Zone requests a signed zone. Undefined if the attribute is not given. @throws ServiceError
 * `invalid`
 */
export function readDnssecAttribute(body: unknown): boolean | undefined {
  const { attributes } = (body ?? {}) as {
    readonly attributes?: Readonly<Record<string, unknown>>;
  };
  const dnssec = attributes?.[DNSSEC_ATTRIBUTE];
  if (dnssec === undefined) return undefined;
  const problems = checkZoneAttributes({ [DNSSEC_ATTRIBUTE]: dnssec });
  if (problems.length > 0) throw invalidRequest(problems);
  return dnssec === 'true';
}

/**
 * Requests that a zone is signed, or unsigned when its parent no longer has DS records.
 *
 * @returns whether the request changes the desired state
 * @throws ServiceError as enableDnssec does, or `unavailable`
 */
export async function followDnssecAttribute(
  context: Context,
  work: UnitOfWork,
  zone: Pick<ListedZone, 'id' | 'signing'>,
  wanted: boolean | undefined,
): Promise<boolean> {
  if (wanted === undefined || wanted === isOn(zone.signing)) return false;
  const target = { id: zone.id, ifMatch: undefined };
  if (wanted) {
    requireSigner(context);
    await enableDnssec(work, target);
  } else {
    await disableDnssec(work, target, { force: false });
  }
  return true;
}
