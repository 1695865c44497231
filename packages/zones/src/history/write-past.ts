import type { RecordImage } from '@zonewright/database';
import { mapInSlices } from '@zonewright/service-kit';
import type { RecordChange } from '../checks/record-change.js';
import type { PastRecord } from './history-store.js';
import {
  completeContent,
  isSameContent,
  type RecordContent,
  type ZoneRecord,
} from '../rows/record.js';
import { RECORD_FLAGS } from '../rows/record-flags.js';
import { changeAlone } from '../write/change-alone.js';
import type { LockedZone, Zone, ZoneContent, ZoneTarget } from '../rows/zone.js';
import type { UnitOfWork } from '../request/unit-of-work.js';

/** Zone after a restore or revert, with the changes. */
export interface Undoing {
  readonly zone: Zone;
  readonly changes: readonly RecordChange[];
}

/** Records and members to restore. */
interface PastState {
  readonly past: readonly PastRecord[];
  readonly content: Partial<ZoneContent> | undefined;
  /** Current records with the same ids. */
  readonly current: readonly ZoneRecord[];
}

/**
 * Writes earlier records and members of a zone. The result is a new changeset, which can be reverted like any other.
 * The current rules apply to restored records.
 *
 * @param find finds the earlier state of the zone, which is locked
 * @throws ServiceError
 */
export async function writePast(
  work: UnitOfWork,
  { id, ifMatch, confirm }: ZoneTarget & { readonly confirm: boolean },
  find: (zone: LockedZone) => Promise<PastState>,
): Promise<Undoing> {
  const { after, changes } = await changeAlone(work, id, {
    ...{ ifMatch, names: [] },
    plan: async ({ zone }) => {
      const { past, current, content } = await find(zone);
      const byId = new Map(current.map((record) => [record.id, record]));
      const planned = await mapInSlices(past, (one) => toChange(zone, one, byId.get(one.id)));
      const changed = planned.filter((change) => change !== undefined);
      return { changes: changed, content, confirmation: { confirm } };
    },
  });
  return { zone: after, changes };
}

function toChange(
  zone: LockedZone,
  { id, image, lastVersion }: PastRecord,
  before: ZoneRecord | undefined,
): RecordChange | undefined {
  if (image === null) return before && { before, after: undefined };
  const content = toContent(image, zone);
  if (before !== undefined && isSameContent(before, content)) return undefined;
  const after: ZoneRecord = {
    ...content,
    flags: RECORD_FLAGS.some(content.flags),
    id,
    zoneId: zone.id,
    version: lastVersion + 1,
    createdAt: image.created_at,
    updatedAt: zone.now,
  };
  return before === undefined ? { before: undefined, after } : { before, after };
}

/**
 * Converts an image, which toRecordImage has written. An expiry time in the past is dropped, since the record would be
 * deleted at once.
 */
function toContent(image: RecordImage, { now }: LockedZone): RecordContent {
  const { name, type, data, ttl, priority, description } = image as unknown as ZoneRecord;
  const flags = RECORD_FLAGS.ofMembers(image);
  const isOver = flags.expiresAt !== null && flags.expiresAt <= now;
  return completeContent({
    ...{ name, type, data, ttl, priority, description },
    flags: isOver ? { ...flags, expiresAt: null } : flags,
  });
}
