import {
  checkZoneAttributes,
  disableDnssec,
  DNSSEC_ATTRIBUTE,
  enableDnssec,
  type ListedZone,
  type UnitOfWork,
  type ZoneAttributes,
} from '@zonewright/zones';
import { invalidRequest } from '@zonewright/service-kit';
import type { Context } from '../../context/context.js';
import { requireSigner } from '../../dnssec/require-signer.js';

// Designate has no DNSSEC. Here a zone attribute switches signing on, since clients have options for attributes. DS records and status
// are only in v1.

/** Attributes of a zone. The signing attribute shows the current state, not an earlier request. */
export function listAttributes({
  attributes,
  signing,
}: Pick<ListedZone, 'attributes' | 'signing'>): ZoneAttributes {
  if (signing === undefined && attributes[DNSSEC_ATTRIBUTE] === undefined) return attributes;
  return { ...attributes, [DNSSEC_ATTRIBUTE]: String(isOn(signing)) };
}

function isOn(signing: ListedZone['signing']): boolean {
  return signing === 'signing' || signing === 'signed';
}

/** Whether the body of Update Zone wants the zone signed; undefined: as it is. @throws ServiceError `invalid` */
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
