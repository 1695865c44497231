import type { Zone } from '../rows/zone.js';
import type { RecordContent, ZoneRecord } from '../rows/record.js';

/** One item of a batch; what it says about a record is read when the record and its zone are known. */
export type BatchItem =
  | { readonly action: 'create'; readonly read: (zone: Zone) => RecordContent }
  | (StoredRecord & {
      readonly action: 'update';
      readonly read: (zone: Zone, stored: ZoneRecord) => RecordContent;
    })
  | (StoredRecord & { readonly action: 'delete' });

/** Record that an item changes or deletes. */
interface StoredRecord {
  readonly id: string;
  /** The version in which the client saw it, as lists show it; undefined: whatever it is. */
  readonly ifVersion: number | undefined;
}

export interface Batch {
  readonly items: readonly BatchItem[];
  /** False: what can be done is done, and the rest is reported. */
  readonly atomic: boolean;
  /** Whether many records may be removed. */
  readonly confirm: boolean;
}
