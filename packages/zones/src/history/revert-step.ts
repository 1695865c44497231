import type { Database, RecordImage, ZoneImage } from '@zonewright/database';
import { invalidRequest, MAX_PROBLEMS, type Problem, ServiceError } from '@zonewright/service-kit';
import { type JournaledChange, listLaterVersions, listChangesetEntries } from './step-store.js';
import { findTransferSerial } from '../rows/history-periods.js';
import { isSameContent, type ZoneRecord } from '../rows/record.js';
import { RECORD_FLAGS } from '../rows/record-flags.js';
import { listRecordsById } from '../rows/record-store.js';
import type { Zone, ZoneContent, ZoneTarget } from '../rows/zone.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { describeMissingSerial } from './history-store.js';
import { type Undoing, writePast } from './write-past.js';

const MAX_SERIAL = 4_294_967_295;

/** Change of a record, with images of a record. */
type RecordStep = JournaledChange & {
  readonly recordId: string;
  readonly before: RecordImage | null;
  readonly after: RecordImage | null;
};

/**
 * Reverts one changeset without later changes: each record must still be in the state after the changeset.
 *
 * @throws ServiceError `not-found`, `precondition-failed`, `over-quota`, `invalid`, or `conflict` with the records that
 * have changed since
 */
export async function revertChangeset(
  work: UnitOfWork,
  target: ZoneTarget,
  { serial, confirm }: { readonly serial: number; readonly confirm: boolean },
): Promise<Undoing> {
  return await writePast(work, { ...target, confirm }, (zone) =>
    findBefore(work.trx, zone, serial),
  );
}

/** Finds the state before a changeset. */
async function findBefore(trx: Database, zone: Zone, serial: number) {
  const isOwn = serial <= MAX_SERIAL && serial >= ((await findTransferSerial(trx, zone.id)) ?? 0);
  const step = isOwn ? await listChangesetEntries(trx, zone.id, serial) : [];
  const ofRecords = step.filter((change): change is RecordStep => change.recordId !== null);
  if (step.length === 0) {
    throw new ServiceError('not-found', await describeMissingSerial(trx, zone.id, serial));
  }
  requireRevertible(step);
  const ids = ofRecords.map(({ recordId }) => recordId);
  const current = await listRecordsById(trx, zone.id, ids);
  const byId = new Map(current.map((record) => [record.id, record]));
  const later = await listLaterVersions(trx, zone.id, { serial, ids });
  const content = pastContent(zone, step);
  refuseChanged([
    ...content.problems,
    ...ofRecords.flatMap((change) =>
      isAsLeft(change.after, byId.get(change.recordId))
        ? []
        : [changedSince(change, later.get(change.recordId)?.serial ?? serial)],
    ),
  ]);
  const past = ofRecords.map(({ recordId: id, before: image }) => {
    return { id, image, lastVersion: later.get(id)?.version ?? 0 };
  });
  return { past, current, content: content.before };
}

/** Rejects changesets that create or delete a zone, or that contain no change by a user. */
function requireRevertible(step: readonly JournaledChange[]): void {
  const other = step.find(({ action }) => /^domain-(create|delete|undelete)$/.test(action));
  const message =
    other !== undefined
      ? `The change of this serial is a ${other.action}, which cannot be reverted; delete or restore the domain instead.`
      : step.every(changesNothing)
        ? 'This serial changed neither records nor settings of the domain, so nothing can be reverted.'
        : undefined;
  if (message === undefined) return;
  throw invalidRequest([{ path: 'serial', validator: 'revertible', message }]);
}

/** Whether the change affects only the service or the owner, such as new primaries or another project. */
function changesNothing({ recordId, before, after }: JournaledChange): boolean {
  if (recordId !== null || before === null || after === null) return false;
  return isSame(before as ZoneImage, after as ZoneImage);
}

function isAsLeft(image: RecordImage | null, record: ZoneRecord | undefined): boolean {
  if (image === null || record === undefined) return image === null && record === undefined;
  // Images are written by toRecordImage.
  return isSameContent(record, {
    ...(image as unknown as ZoneRecord),
    flags: RECORD_FLAGS.ofMembers(image),
  });
}

function changedSince({ recordId, before, after }: RecordStep, serial: number): Problem {
  const { name = '', type = '' } = after ?? before ?? {};
  const message = `${name} ${type} was changed later, last at serial ${serial}; revert that change first.`;
  return { path: `records.${recordId}`, validator: 'unchanged', message };
}

/** Returns the members of the zone before the changeset. Undefined if it did not change them. */
function pastContent(
  zone: Zone,
  step: readonly JournaledChange[],
): { readonly before: Partial<ZoneContent> | undefined; readonly problems: readonly Problem[] } {
  const change = step.find(({ action }) => action === 'domain-update');
  const before = (change?.before ?? undefined) as ZoneImage | undefined;
  const after = (change?.after ?? undefined) as ZoneImage | undefined;
  if (before === undefined || after === undefined || isSame(before, after)) {
    return { before: undefined, problems: [] };
  }
  const message = 'The domain itself was changed later; revert that change first.';
  const problems = isSame(zone, after) ? [] : [{ path: 'domain', validator: 'unchanged', message }];
  const { email, ttl, description } = before;
  return { before: { email, ttl, description }, problems };
}

type Content = Pick<ZoneImage, 'email' | 'ttl' | 'description'>;

function isSame(one: Content, other: Content): boolean {
  return (
    one.email === other.email && one.ttl === other.ttl && one.description === other.description
  );
}

function refuseChanged(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const message = 'The same records or settings were changed later; errors lists these changes.';
  throw new ServiceError('conflict', message, {
    details: { problems: problems.slice(0, MAX_PROBLEMS) },
  });
}
