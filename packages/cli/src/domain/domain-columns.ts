import type { Domain, ListedDomain } from '@zonewright/client';
import type { Column } from '@zonewright/terminal';

export const DOMAIN_COLUMNS: readonly Column<Domain>[] = [
  { title: 'Name', member: 'name' },
  { title: 'Id', member: 'id' },
  { title: 'Email', member: 'email', isDetail: true },
  { title: 'TTL', member: 'ttl' },
  { title: 'Serial', member: 'serial' },
  { title: 'Description', member: 'description', isDetail: true },
  { title: 'Created', member: 'created_at', isDetail: true },
  { title: 'Changed', member: 'updated_at', isDetail: true },
];

export const DELETED_COLUMNS: readonly Column<ListedDomain>[] = [
  { title: 'Name', member: 'name' },
  { title: 'Id', member: 'id' },
  { title: 'Deleted', member: 'deleted_at' },
];
