import { setTimeout as delay } from 'node:timers/promises';
import { type Database, errorCode, SQLSTATE } from '@zonewright/database';
import type { Rrset } from '@zonewright/dns-records/dnssec';
import { type Clock, ServiceError } from '@zonewright/service-kit';
import type { Caller, ChangeSource } from './caller.js';
import type { ZoneRules } from './rules.js';

/** Context of a use case that changes something: one transaction, on behalf of one request. */
export interface UnitOfWork {
  readonly trx: Database;
  readonly caller: Caller;
  readonly requestId: string;
  readonly source: ChangeSource;
  /** Why, as the caller says. */
  readonly note: string | undefined;
  readonly rules: ZoneRules;
  readonly clock: Clock;
  /** Signs what changes in signed zones. */
  readonly signer: ZoneSigner;
  /** Hints beside the response, set by the last check of the changes. */
  readonly hints: { mixedTtl: boolean };
  /** Bytes that the database has to write, including changes that are undone in the end. */
  readonly written: { octets: number };
  /** Zones of mail targets that an earlier attempt could not lock: this one locks them first, in order. */
  readonly zonesToKeep: Set<string>;
  /** All of it will be taken back: what costs much and shows in no answer need not be written. */
  readonly isDryRun: boolean;
}

/** Parts of a unit of work for changes that the service makes itself: no rules of users hold for them. */
export type ServiceWork = Omit<UnitOfWork, 'rules' | 'hints' | 'zonesToKeep'>;

/** Records that are to be signed. */
export interface RrsetToSign {
  /** Wire form. */
  readonly owner: Uint8Array;
  readonly rrset: Rrset;
}

/** A zone that is to be signed, and what the one who asks knows of its keys. */
export interface SignedZone {
  readonly id: string;
  /** Version of the keys in its rows (keyVersion). The signer uses no other keys. */
  readonly keyVersion: string;
}

/** Signer that has the keys of zones. */
export interface ZoneSigner {
  /**
   * The rdata of the RRSIGs of each, in their order: one for each key that signs it.
   *
   * @throws ServiceError `unavailable`
   */
  sign(
    zone: SignedZone,
    items: readonly RrsetToSign[],
  ): Promise<readonly (readonly Uint8Array[])[]>;
}

/** Locks are taken in one order, so a second attempt is rare and a fifth means real overload. */
const MAX_ATTEMPTS = 5;
const BACKOFF_MS = 10;

const RETRIED: ReadonlySet<string | undefined> = new Set([
  SQLSTATE.serializationFailure,
  SQLSTATE.deadlockDetected,
]);

/** Thrown inside a transaction that found out, too late to take it in order, that it needs another lock. */
export class LocksOutdated extends Error {
  override readonly name = 'LocksOutdated';
}

/**
 * Runs `work` in a transaction, and again when PostgreSQL chose it as the victim of a conflict.
 *
 * @param onRetry is called each time that it is run again.
 */
export async function inTransaction<T>(
  db: Database,
  work: (trx: Database) => Promise<T>,
  onRetry: () => void,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (!RETRIED.has(errorCode(error)) && !(error instanceof LocksOutdated)) throw error;
      if (attempt === MAX_ATTEMPTS) {
        throw new ServiceError('unavailable', 'Too many changes meet here at once; try again.', {
          cause: error,
        });
      }
    }
    onRetry();
    await delay(BACKOFF_MS * 2 ** attempt * Math.random());
  }
}

/** Thrown at the end of a transaction that was only tried: all of it is undone, and its result is kept. */
export class Undo<T> extends Error {
  override readonly name = 'Undo';
  readonly result: T;

  constructor(result: T) {
    super('tried only');
    this.result = result;
  }
}
