import type { User } from '@zonewright/accounts';
import type { Column } from '@zonewright/terminal';

export const USER_COLUMNS: readonly Column<User>[] = [
  { title: 'Id', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'Account domain', member: 'accountDomainName' },
  { title: 'Status', member: 'status' },
  { title: 'Password', member: 'hasPassword' },
  { title: 'Created', member: 'createdAt' },
  { title: 'Updated', member: 'updatedAt', isDetail: true },
];
