import type { Column } from '@zonewright/terminal';
import type { TenantQuota } from './tenant-quota.js';

export const QUOTA_COLUMNS: readonly Column<TenantQuota>[] = [
  { title: 'Tenant', member: 'tenantName' },
  { title: 'Max domains', member: 'maxDomains', none: 'default' },
  { title: 'Max records in a domain', member: 'maxDomainRecords', none: 'default' },
  { title: 'Max octets written a minute', member: 'maxWriteOctets', none: 'default' },
  { title: 'MX target check', member: 'mxTargetCheck', none: 'default' },
];
