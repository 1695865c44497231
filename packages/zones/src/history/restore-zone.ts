import type { ZoneTarget } from '../rows/zone.js';
import { invalidRequest } from '@zonewright/service-kit';
import { listRecordsById } from '../rows/record-store.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import {
  describeMissingSerial,
  findPastZone,
  findReplacement,
  hasSerial,
  listPastRecords,
} from './history-store.js';
import { findTransferSerial } from '../rows/history-periods.js';
import { type Undoing, writePast } from './write-past.js';

/** Request to restore a zone to an earlier serial. */
export interface RestoreRequest {
  readonly serial: number;
  /** Whether many records may be removed. */
  readonly confirm: boolean;
}

/**
 * Restores a zone to the state of an earlier serial. The result is a new changeset, which can be reverted like any
 * other. The current rules apply to restored records.
 *
 * @throws ServiceError `not-found`, `precondition-failed`, `invalid`, `conflict` or `over-quota`
 */
export async function restoreZone(
  work: UnitOfWork,
  target: ZoneTarget,
  { serial, confirm }: RestoreRequest,
): Promise<Undoing> {
  const { trx } = work;
  return await writePast(work, { ...target, confirm }, async (zone) => {
    const past = await listPastRecords(trx, zone.id, serial);
    const content = await findPastZone(trx, zone.id, serial);
    const ids = past.map(({ id }) => id);
    const current = await listRecordsById(trx, zone.id, ids);
    // This check comes last: the oldest changes are removed first, so if this one still exists, all later ones have
    // been read.
    const isOwn = serial >= ((await findTransferSerial(trx, zone.id)) ?? 0);
    if (!isOwn || !(await hasSerial(trx, zone.id, serial))) {
      throw noSuchSerial(await describeMissingSerial(trx, zone.id, serial));
    }
    const replacement = await findReplacement(trx, zone.id, serial);
    if (replacement === undefined) return { past, current, content };
    throw noSuchSerial(
      `All records were replaced at serial ${replacement}; the history does not contain the earlier ones.`,
    );
  });
}

function noSuchSerial(message: string) {
  return invalidRequest([{ path: 'serial', validator: 'exists', message }]);
}
