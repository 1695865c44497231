import { requireMatch } from '../request/precondition.js';
import { NO_CHANGES } from '../write/changes/judged-changes.js';
import { writeChanges } from '../write/commit/write-changes.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import { getZoneForChange } from '../rows/get-zone.js';
import { type Zone, zoneEtag, type ZoneTarget } from '../rows/zone.js';
import type { ZoneContent } from '../rows/zone.js';

/** Gives a zone the content that `decide` makes of it. */
export async function updateZoneContent(
  work: UnitOfWork,
  target: ZoneTarget,
  decide: (zone: Zone) => ZoneContent,
): Promise<Zone> {
  const zone = await getZoneForChange(work.trx, work.caller, target.id);
  requireMatch(target.ifMatch, zoneEtag(zone));
  return await writeChanges(work, zone, NO_CHANGES, decide(zone));
}
