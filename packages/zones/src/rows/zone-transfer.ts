import type { Timestamp } from '../sql/timestamps.js';

/** A zone that one tenant offers to another, and who took it. */
export interface ZoneTransfer {
  readonly id: string;
  readonly zoneId: string;
  readonly zoneName: string;
  /** Tenant that offers the zone. */
  readonly tenantId: string;
  /** Null if everyone with the key may accept it. */
  readonly targetTenantId: string | null;
  readonly description: string | null;
  readonly status: 'ACTIVE' | 'COMPLETE';
  /** Whether the offering tenant has deleted it after it was accepted. */
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
