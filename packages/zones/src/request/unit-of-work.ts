import { setTimeout as delay } from 'node:timers/promises';
import { type Database, errorCode, SQLSTATE } from '@zonewright/database';
import type { Rrset } from '@zonewright/dns-records/dnssec';
import { type Clock, ServiceError } from '@zonewright/service-kit';
import type { Caller, ChangeSource } from './caller.js';
import type { ZoneRules } from './rules.js';

/** Context of a use case that changes data: one transaction, on behalf of one request. */
export interface UnitOfWork {
  readonly trx: Database;
  readonly caller: Caller;
  readonly requestId: string;
  readonly source: ChangeSource;
  /** Reason for the change, as given by the caller. */
  readonly note: string | undefined;
  readonly rules: ZoneRules;
  readonly clock: Clock;
  /** Signs changes of signed zones. */
  readonly signer: ZoneSigner;
  /** Hints beside the response, set by the last check of the changes. */
  readonly hints: { mixedTtl: boolean };
  /** Bytes that the database has to write, including changes that are rolled back. */
  readonly written: { octets: number };
  /** Zones of mail targets that an earlier attempt could not lock. This attempt locks them first, in order. */
  readonly zonesToKeep: Set<string>;
  /** Whether everything will be rolled back. Expensive writes that no response shows can then be skipped. */
  readonly isDryRun: boolean;
}

/** Parts of a unit of work for changes that the service makes itself: the rules for users do not apply to them. */
export type ServiceWork = Omit<UnitOfWork, 'rules' | 'hints' | 'zonesToKeep'>;

/** Records to sign. */
export interface RrsetToSign {
  /** Owner in wire form. */
  readonly owner: Uint8Array;
  readonly rrset: Rrset;
}

/** Returns the size of the rdata in bytes. */
export function octetsToSign({ rrset }: RrsetToSign): number {
  return rrset.rdatas.reduce((sum, { length }) => sum + length, 0);
}

/** Zone to sign, and the version of its keys that the caller has seen. */
export interface SignedZone {
  readonly id: string;
  readonly tenantId: string;
  /** Version of the keys in the database (keyVersion). The signer uses no other keys. */
  readonly keyVersion: string;
}

/** Signer with the keys of zones. */
export interface ZoneSigner {
  /**
   * Returns the rdata of the RRSIGs for each RRset in order, one for each key that signs it.
   *
   * @throws ServiceError `unavailable`
   */
  sign(
    zone: SignedZone,
    items: readonly RrsetToSign[],
  ): Promise<readonly (readonly Uint8Array[])[]>;
}

/**
 * Maximum number of attempts. Locks are taken in one order, so a second attempt is rare, and a fifth means real
 * overload.
 */
const MAX_ATTEMPTS = 5;
const BACKOFF_MS = 10;

const RETRIED: ReadonlySet<string | undefined> = new Set([
  SQLSTATE.serializationFailure,
  SQLSTATE.deadlockDetected,
]);

/** Thrown by a transaction that needs another lock, but can no longer take it in order. */
export class LocksOutdated extends Error {
  override readonly name = 'LocksOutdated';
}

/**
 * Runs `work` in a transaction, and again if PostgreSQL aborts it because of a conflict.
 *
 * @param onRetry called before each retry
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
        throw new ServiceError('unavailable', 'Too many concurrent changes; try again.', {
          cause: error,
        });
      }
    }
    onRetry();
    await delay(BACKOFF_MS * 2 ** attempt * Math.random());
  }
}

/** Thrown at the end of a dry run: everything is rolled back, and the result is kept. */
export class Undo<T> extends Error {
  override readonly name = 'Undo';
  readonly result: T;

  constructor(result: T) {
    super('tried only');
    this.result = result;
  }
}
