import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { requireAllowedName } from '../name-rules/check-name.js';
import { claimZoneName } from './claim-name.js';
import { DNSSEC_ATTRIBUTE } from './zone-attributes.js';
import type { Zone } from '../rows/zone.js';
import type { ZoneAttributes, ZoneContent } from '../rows/zone.js';
import { toZoneImage } from '../journal/zone-image.js';
import { recordZoneChange, serialAfter } from '../write/commit/zone-step.js';
import { beginSigning } from '../signing/begin-signing.js';
import { signParent } from '../write/commit/service-step.js';
import { announceChild } from './announce-child.js';
import { findHighestSerial } from '../rows/zone-store.js';
import { insertZone } from '../write/commit/zone-rows.js';

/** Creates an empty zone. @throws ServiceError as requireAllowedName and claimZoneName do. */
export async function createZone(
  work: UnitOfWork,
  content: ZoneContent & { readonly attributes?: ZoneAttributes },
  { hasPrimaries = false }: { readonly hasPrimaries?: boolean } = {},
): Promise<Zone> {
  const { trx, caller } = work;
  await requireAllowedName(work, content.name);
  await claimZoneName(work, content.name);
  // Resolvers and secondaries may remember the zone of that name that was deleted.
  const highest = await findHighestSerial(trx, content.name);
  const zone = await insertZone(trx, {
    ...content,
    tenantId: caller.tenantId,
    serial: serialAfter(work, highest ?? 0),
  });
  await recordZoneChange(
    work,
    { zoneId: zone.id, serialBefore: undefined, serialAfter: zone.serial },
    [{ action: 'domain-create', after: toZoneImage(zone) }],
  );
  const isToBeSigned = content.attributes?.[DNSSEC_ATTRIBUTE] !== 'false';
  if (work.rules.signsNewZones === true && isToBeSigned) await beginSigning(work, zone);
  if (hasPrimaries) await signParent(work, zone.name);
  else await announceChild(work, zone);
  return zone;
}
