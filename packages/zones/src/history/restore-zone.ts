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
 * Makes a zone what it was at an earlier serial: a step forward, to a new serial, like any other change, and so
 * undone like any other. Today's rules hold for what comes back.
 *
 * @throws ServiceError `not-found`, `precondition-failed`, `invalid`, `conflict` or `over-quota`.
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
    // Asked last: changes go oldest first, so while this one is there those after it have been, too.
    const isOwn = serial >= ((await findTransferSerial(trx, zone.id)) ?? 0);
    if (!isOwn || !(await hasSerial(trx, zone.id, serial))) {
      throw noSuchSerial(await describeMissingSerial(trx, zone.id, serial));
    }
    const replacement = await findReplacement(trx, zone.id, serial);
    if (replacement === undefined) return { past, current, content };
    throw noSuchSerial(
      `All records were replaced with serial ${replacement}; the history does not have those of before.`,
    );
  });
}

function noSuchSerial(message: string) {
  return invalidRequest([{ path: 'serial', validator: 'exists', message }]);
}
