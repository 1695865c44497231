import type { Column } from '../output/table.js';
import type { User } from '@zonewright/accounts';

export const USER_COLUMNS: readonly Column<User>[] = [
  { title: 'Id', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'Account domain', member: 'accountDomainName' },
  { title: 'Status', member: 'status' },
  { title: 'Password', member: 'hasPassword' },
  { title: 'Created', member: 'createdAt' },
  { title: 'Updated', member: 'updatedAt', isDetail: true },
];
