import type { Timestamp } from '../sql/timestamps.js';

/** Another tenant may read a zone and change its recordsets. */
export interface ZoneShare {
  readonly id: string;
  readonly zoneId: string;
  readonly targetTenantId: string;
  readonly createdAt: Timestamp;
}
