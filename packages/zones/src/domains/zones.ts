import { type Problem, ServiceError } from '@zonewright/service-kit';
import { requireMatch } from '../request/rules.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { getZoneForChange } from '../rows/get-zone.js';
import { toZoneImage } from '../rows/images.js';
import { deleteTransferRequestsOf } from '../rows/transfer-store.js';
import { findHighestSerial, findZoneBelow } from '../rows/zone-store.js';
import {
  type Zone,
  type ZoneAttributes,
  type ZoneContent,
  zoneEtag,
  type ZoneTarget,
} from '../rows/zone.js';
import { beginSigning } from '../signing/begin-signing.js';
import { changeAlone } from '../write/change-alone.js';
import { signParent } from '../write/commit/service-step.js';
import { writeNewZone } from '../write/commit/write-changes.js';
import { commitZone, serialAfter } from '../write/commit/zone-step.js';
import { announceChild } from './announce-child.js';
import { requireAllowedName } from './check-name.js';
import { claimZoneName } from './claim-name.js';

/** Creates an empty zone. @throws ServiceError as requireAllowedName and claimZoneName do */
export async function createZone(
  work: UnitOfWork,
  content: ZoneContent & { readonly attributes?: ZoneAttributes },
  { hasPrimaries = false }: { readonly hasPrimaries?: boolean } = {},
): Promise<Zone> {
  const { trx, caller } = work;
  await requireAllowedName(work, content.name);
  await claimZoneName(work, content.name);
  // Resolvers and secondaries may have cached a deleted zone with this name.
  const highest = await findHighestSerial(trx, content.name);
  const serial = serialAfter(work, highest ?? 0);
  const zone = await writeNewZone(work, { ...content, tenantId: caller.tenantId, serial });
  const isToBeSigned = content.attributes?.[DNSSEC_ATTRIBUTE] !== 'false';
  if (work.rules.signsNewZones === true && isToBeSigned) await beginSigning(work, zone);
  if (hasPrimaries) await signParent(work, zone.name);
  else await announceChild(work, zone);
  return zone;
}

/** Changes the content of a zone as decided by `decide`. */
export async function updateZoneContent(
  work: UnitOfWork,
  target: ZoneTarget,
  decide: (zone: Zone) => ZoneContent,
): Promise<Zone> {
  const { after } = await changeAlone(work, target.id, {
    ...{ ifMatch: target.ifMatch, names: [] },
    plan: ({ zone }) => ({ changes: [], content: decide(zone) }),
  });
  return after;
}

/**
 * Deletes a zone with its records. Readers no longer see it, but undelete can restore it. Returns the serial of the
 * deletion.
 */
export async function deleteZone(work: UnitOfWork, target: ZoneTarget): Promise<number> {
  const zone = await getZoneForChange(work.trx, work.caller, target.id);
  requireMatch(target.ifMatch, zoneEtag(zone));
  const child = await findZoneBelow(work.trx, zone.name);
  if (child !== undefined) {
    throw new ServiceError(
      'invalid',
      `The domain has the child domain ${JSON.stringify(child)}; delete its children first.`,
      { details: { subject: 'zone-with-children' } },
    );
  }
  // An earlier transfer request must not transfer a restored zone.
  await deleteTransferRequestsOf(work.trx, [zone.id]);
  const { serial } = await commitZone(work, zone, zone, {
    entries: [{ action: 'domain-delete', before: toZoneImage(zone) }],
    ...{ touched: undefined, life: 'ends' },
  });
  await signParent(work, zone.name);
  return serial;
}

const MAX_ATTRIBUTES = 32;
const MAX_CHARACTERS = 255;
/** Control characters and halves of surrogate pairs, which cannot be displayed, or stored in PostgreSQL. */
const UNSHOWABLE = /[\p{Cc}\p{Cs}]/u;

/** The only attribute with an effect: whether the zone is signed. */
export const DNSSEC_ATTRIBUTE = 'dnssec';

/** Returns the problems of a new zone's attributes, which are texts by name. All but one are only informative. */
export function checkZoneAttributes(attributes: unknown): Problem[] {
  if (attributes === undefined) return [];
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) {
    const message = 'attributes must be an object with string values, such as {"tier": "gold"}.';
    return [{ path: 'attributes', validator: 'type', message }];
  }
  const entries = Object.entries(attributes);
  if (entries.length > MAX_ATTRIBUTES) {
    const message = `attributes has ${entries.length} members; the maximum is ${MAX_ATTRIBUTES}.`;
    return [{ path: 'attributes', validator: 'maxProperties', message }];
  }
  const dnssec = (attributes as Readonly<Record<string, unknown>>)[DNSSEC_ATTRIBUTE];
  if (![undefined, 'true', 'false'].includes(dnssec as string | undefined)) {
    const message = 'dnssec must be "true" or "false".';
    return [{ path: `attributes.${DNSSEC_ATTRIBUTE}`, validator: 'enum', message }];
  }
  return entries
    .filter(([name, value]) => ![name, value].every(isShowable))
    .map(([name]) => ({
      path: `attributes.${name.slice(0, MAX_CHARACTERS)}`,
      validator: 'format',
      message: `Names and values of attributes must be strings of 1 to ${MAX_CHARACTERS} characters, without control characters.`,
    }));
}

function isShowable(text: unknown): boolean {
  return (
    typeof text === 'string' &&
    text !== '' &&
    text.length <= MAX_CHARACTERS &&
    !UNSHOWABLE.test(text)
  );
}
