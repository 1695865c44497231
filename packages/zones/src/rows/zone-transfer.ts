import type { Timestamp } from '../sql/timestamps.js';

/** A zone that one tenant offers to another, and who took it. */
export interface ZoneTransfer {
  readonly id: string;
  readonly zoneId: string;
  readonly zoneName: string;
  /** Who offers it. */
  readonly tenantId: string;
  /** Null: to whoever knows the key. */
  readonly targetTenantId: string | null;
  readonly description: string | null;
  readonly status: 'ACTIVE' | 'COMPLETE';
  /** Who offered it has deleted it since it was taken. */
  readonly isHidden: boolean;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/** A transfer as the tenant sees it that took the zone. */
export interface TransferAccept {
  readonly id: string;
  readonly transferId: string;
  readonly zoneId: string;
  readonly tenantId: string;
  readonly createdAt: Timestamp;
}
