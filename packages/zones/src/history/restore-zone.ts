import { type Zone, zoneEtag, type ZoneTarget } from '../rows/zone.js';
import type { RecordImage } from '@zonewright/database';
import { requireMatch } from '../request/precondition.js';
import { invalidRequest, isUuid, mapInSlices } from '@zonewright/service-kit';
import { isSameContent, type RecordContent, type ZoneRecord } from '../rows/record.js';
import type { RecordChange } from '../changes/record-change.js';
import { completeContent } from '../records/record-content.js';
import { requireConfirmation } from '../records/record-guard.js';
import { findBreaches, refuseBreaches, requireRecordQuota } from '../records/record-rules.js';
import { listRecordsById } from '../rows/record-store.js';
import { lockZoneForRecords } from '../records/lock-zone.js';
import { writeChanges } from '../changes/write-changes.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import {
  findPastZone,
  hasSerial,
  listPastRecords,
  type PastRecord,
} from '../journal/history-store.js';
import { describeMissingSerial } from './missing-serial.js';

/** What a zone is to become again. */
export interface RestoreRequest {
  readonly serial: number;
  /** See requireConfirmation. */
  readonly confirm: boolean;
}

/**
 * Makes a zone what it was at an earlier serial: a step forward, to a new serial, like any other change, and so
 * undone like any other. Today's rules hold for what comes back.
 *
 * @throws ServiceError `not-found`, `precondition-failed`, `invalid`, `conflict` or `over-quota`.
 */
export async function restoreZone(
  work: UnitOfWork,
  target: ZoneTarget,
  { serial, confirm }: RestoreRequest,
): Promise<Zone> {
  const { trx } = work;
  // Looked at before the zone is locked, since mail targets that come back lie in zones to be locked as well.
  const preview = isUuid(target.id) ? await listPastRecords(trx, target.id, serial) : [];
  const zone = await lockZoneForRecords(
    work,
    target.id,
    preview.map(({ image }) => image),
  );
  requireMatch(target.ifMatch, zoneEtag(zone));
  const past = await listPastRecords(trx, zone.id, serial);
  const content = await findPastZone(trx, zone.id, serial);
  const ids = past.map(({ id }) => id);
  const current = new Map(
    (await listRecordsById(trx, zone.id, ids)).map((record) => [record.id, record]),
  );
  // Asked last: changes go oldest first, so while this one is there those after it have been, too.
  if (!(await hasSerial(trx, zone.id, serial))) {
    const message = await describeMissingSerial(trx, zone.id, serial);
    throw invalidRequest([{ path: 'serial', validator: 'exists', message }]);
  }
  const changes = (
    await mapInSlices(past, (record) => toChange(zone, record, current.get(record.id)))
  ).filter((change) => change !== undefined);
  refuseBreaches(await findBreaches(work, zone, changes));
  requireConfirmation(zone, changes, confirm);
  await requireRecordQuota(work, zone, changes);
  return await writeChanges(work, zone, changes, content);
}

function toChange(
  zone: Zone & { readonly now: string },
  { id, image, lastVersion }: PastRecord,
  before: ZoneRecord | undefined,
): RecordChange | undefined {
  if (image === null) return before && { before, after: undefined };
  const content = toContent(image);
  if (before !== undefined && isSameContent(before, content)) return undefined;
  const after: ZoneRecord = {
    ...content,
    id,
    zoneId: zone.id,
    version: lastVersion + 1,
    createdAt: image.created_at,
    updatedAt: zone.now,
  };
  return before === undefined ? { before: undefined, after } : { before, after };
}

/** An image has been written by toRecordImage. */
function toContent(image: RecordImage): RecordContent {
  const { name, type, data, ttl, priority, description } = image as unknown as ZoneRecord;
  return completeContent({ name, type, data, ttl, priority, description });
}
