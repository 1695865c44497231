import type { RecordImage } from '@zonewright/database';
import { mapInSlices } from '@zonewright/service-kit';
import type { RecordChange } from '../checks/record-change.js';
import { writeChanges } from '../write/commit/write-changes.js';
import type { PastRecord } from './history-store.js';
import {
  completeContent,
  flagsOfImage,
  isSameContent,
  type RecordContent,
  someFlags,
  type ZoneRecord,
} from '../rows/record.js';
import { checkChanges } from '../write/check-changes.js';
import type { LockedZone, Zone, ZoneContent } from '../rows/zone.js';
import type { UnitOfWork } from '../request/unit-of-work.js';

/** A zone after something was undone, and what that changed. */
export interface Undoing {
  readonly zone: Zone;
  readonly changes: readonly RecordChange[];
}

/**
 * Gives a zone records and members that it had: a step forward, to a new serial, like any other change, and so undone like
 * any other. Today's rules hold for what comes back.
 *
 * @throws ServiceError `invalid`, `conflict` or `over-quota`.
 */
export async function writePast(
  work: UnitOfWork,
  zone: LockedZone,
  wanted: {
    readonly past: readonly PastRecord[];
    /** Current records with the same ids. */
    readonly current: ReadonlyMap<string, ZoneRecord>;
    readonly content: Partial<ZoneContent> | undefined;
    readonly confirm: boolean;
  },
): Promise<Undoing> {
  const { past, current, content, confirm } = wanted;
  const changes = (
    await mapInSlices(past, (record) => toChange(zone, record, current.get(record.id)))
  ).filter((change) => change !== undefined);
  const judged = await checkChanges(work, zone, changes, { confirmation: { confirm } });
  return { zone: await writeChanges(work, zone, judged, content), changes: judged };
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
    flags: someFlags(content.flags),
    id,
    zoneId: zone.id,
    version: lastVersion + 1,
    createdAt: image.created_at,
    updatedAt: zone.now,
  };
  return before === undefined ? { before: undefined, after } : { before, after };
}

/** An image has been written by toRecordImage. An end that has come is not taken up again: the record would go at once. */
function toContent(image: RecordImage, { now }: LockedZone): RecordContent {
  const { name, type, data, ttl, priority, description } = image as unknown as ZoneRecord;
  const flags = flagsOfImage(image);
  const isOver = flags.expiresAt !== null && flags.expiresAt <= now;
  return completeContent({
    ...{ name, type, data, ttl, priority, description },
    flags: isOver ? { ...flags, expiresAt: null } : flags,
  });
}
