import type { Tenant } from '@zonewright/accounts';
import type { Column } from '@zonewright/terminal';

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
