import type { Database } from '@zonewright/database';
import { findTransferSerial } from '../journal/history-periods.js';
import { findHistoryStart } from '../journal/history-store.js';

/** Returns the error message for a serial that the journal does not contain. */
export async function describeMissingSerial(
  db: Database,
  zoneId: string,
  serial: number,
): Promise<string> {
  const taken = await findTransferSerial(db, zoneId);
  if (taken !== undefined && serial < taken) {
    return `The domain is yours since serial ${taken}; earlier changes belong to the project that transferred it.`;
  }
  const start = await findHistoryStart(db, zoneId);
  if (start !== undefined && serial < start.serial) {
    return `The domain's history begins with serial ${start.serial}; earlier changes are no longer stored.`;
  }
  return 'The domain never had this serial; its changes list those that it had.';
}
