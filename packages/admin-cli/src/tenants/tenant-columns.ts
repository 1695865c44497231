import type { Column } from '../output/table.js';
import type { Tenant } from '@zonewright/accounts';

export const TENANT_COLUMNS: readonly Column<Tenant>[] = [
  { title: 'Id', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'Account domain', member: 'accountDomainName' },
  { title: 'Enabled', member: 'enabled' },
  { title: 'Display name', member: 'displayName', isDetail: true },
  { title: 'Description', member: 'description', isDetail: true },
  { title: 'Created', member: 'createdAt' },
  { title: 'Updated', member: 'updatedAt', isDetail: true },
];
