import type { AccountDomain } from '@zonewright/accounts';
import type { Column } from '@zonewright/terminal';

export const ACCOUNT_DOMAIN_COLUMNS: readonly Column<AccountDomain>[] = [
  { title: 'Id', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'Status', member: 'status' },
  { title: 'Code', member: 'statusCode' },
  { title: 'Created', member: 'createdAt' },
  { title: 'Updated', member: 'updatedAt', isDetail: true },
];
