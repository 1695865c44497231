import type { Database } from '@zonewright/database';
import type { Clock } from '@zonewright/service-kit';
import type { Caller } from '../request/caller.js';
import type { ChangeSource } from '../request/change-source.js';
import type { ZoneRules } from '../request/rules.js';
import type { ZoneSigner } from './zone-signer.js';

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
