import type { Quota } from '@zonewright/zones';
import type { Tenant } from '@zonewright/accounts';

/** What a tenant may have, beside the tenant. */
export interface TenantQuota extends Quota {
  readonly tenantId: string;
  readonly tenantName: string;
}

export function toTenantQuota({ id, name }: Tenant, quota: Quota): TenantQuota {
  return { tenantId: id, tenantName: name, ...quota };
}
