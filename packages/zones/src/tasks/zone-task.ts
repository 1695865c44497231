import type { Timestamp } from '../sql/timestamps.js';

export type ZoneTaskKind = 'export' | 'import';

/** An export or import of a zone file. Neither keeps the file. */
export interface ZoneTask {
  readonly id: string;
  readonly kind: ZoneTaskKind;
  readonly tenantId: string;
  /** Null: an import that made no zone. */
  readonly zoneId: string | null;
  readonly status: 'PENDING' | 'COMPLETE' | 'ERROR';
  readonly message: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}
