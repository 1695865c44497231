import { randomUUID } from 'node:crypto';
import type { Database } from '@zonewright/database';
import { nextSerial } from '@zonewright/dns-records';
import { type Clock, systemClock } from '@zonewright/service-kit';
import { findNameserverDomain } from '../rows/nameserver-domain.js';
import { increaseSerials } from '../write/commit/raise-serials.js';
import { listAnsweredSerials, serialToExceed } from './ahead-zone-store.js';
import {
  announceAll,
  requestSigning,
  deleteUnreachedStatus,
  type UnreachedPositions,
  lockZonesToStamp,
  nextPosition,
  stampJournal,
  stampNameserverDomain,
  stampZones,
} from '../write/commit/reset-store.js';

interface RestampOptions {
  /**
   * Whether every existing zone gets a new serial above those of nameservers and secondaries, so that they accept it.
   */
  readonly newSerials: boolean;
  /** Called after each batch. */
  readonly onProgress?: (zones: number) => void | Promise<void>;
  readonly clock?: Clock;
}

/** Number of zones in one transaction. Writers of these zones wait for it. */
const ZONES_PER_BATCH = 500;
const ENTRIES_PER_BATCH = 5_000;

/**
 * Resets the positions in a restored database to those of its cluster. Rows with a future transaction are marked as
 * changed now. It works in batches while services run. After an interruption, it must be run again.
 *
 * @returns the number of marked rows of each kind
 */
export async function resetFeed(
  db: Database,
  { newSerials, onProgress, clock = systemClock }: RestampOptions,
): Promise<UnreachedPositions> {
  const requestId = `feed-reset-${randomUUID()}`;
  const before = newSerials ? await nextPosition(db) : undefined;
  const next = (serial: number) => nextSerial(serial, clock.now() / 1000);
  let zones = await db.transaction(async (trx) => {
    const domain = await findNameserverDomain(trx);
    const serial = newSerials && domain !== undefined ? next(domain.serial) : undefined;
    const stamped = await stampNameserverDomain(trx, { always: newSerials, serial });
    await announceAll(trx);
    return stamped;
  });
  for (;;) {
    const stamped = await db.transaction(async (trx) => {
      const batch = await lockZonesToStamp(trx, ZONES_PER_BATCH, before);
      const idsOf = (zones: typeof batch) => zones.map(({ id }) => id);
      const living = newSerials ? batch.filter(({ isLiving }) => isLiving) : [];
      const stepped = living.filter(({ isSigned }) => !isSigned);
      await requestSigning(trx, idsOf(living.filter(({ isSigned }) => isSigned)));
      const exceeded = await findExceeded(trx, stepped, clock);
      await increaseSerials(trx, idsOf(stepped), { requestId, clock, exceeded });
      await stampZones(trx, idsOf(batch.filter((zone) => !stepped.includes(zone))));
      if (batch.length > 0) await announceAll(trx);
      return batch.length;
    });
    if (stamped === 0) break;
    zones += stamped;
    await onProgress?.(zones);
  }
  return {
    zones,
    journalEntries: await resetJournal(db),
    nameservers: await deleteUnreachedStatus(db),
  };
}

/** Finds the serials that nameservers and secondaries have of zones, if they are later than those in the database. */
async function findExceeded(
  trx: Database,
  zones: readonly { readonly id: string; readonly serial: number }[],
  clock: Clock,
): Promise<ReadonlyMap<string, number>> {
  const ids = zones.map(({ id }) => id);
  const answered = await listAnsweredSerials(trx, ids);
  return new Map(
    zones.map(({ id, serial }) => [
      id,
      serialToExceed(serial, answered.get(id) ?? [], clock.now() / 1_000) ?? serial,
    ]),
  );
}

async function resetJournal(db: Database): Promise<number> {
  let journalEntries = 0;
  for (let after = 0; ;) {
    const { last, stamped } = await stampJournal(db, after, ENTRIES_PER_BATCH);
    if (last === null) return journalEntries;
    journalEntries += stamped;
    after = last;
  }
}
