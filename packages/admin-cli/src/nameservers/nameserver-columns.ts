import type { Nameserver, NameserverDomain } from '@zonewright/zones';
import type { Column } from '@zonewright/terminal';

export const NAMESERVER_COLUMNS: readonly Column<Nameserver>[] = [
  { title: 'Position', member: 'position' },
  { title: 'Name', member: 'name' },
  { title: 'IPv4', member: 'ipv4' },
  { title: 'IPv6', member: 'ipv6' },
  { title: 'Id', member: 'id' },
  { title: 'Created', member: 'createdAt', isDetail: true },
  { title: 'Updated', member: 'updatedAt', isDetail: true },
];

export const NAMESERVER_DOMAIN_COLUMNS: readonly Column<NameserverDomain>[] = [
  { title: 'Name', member: 'name' },
  { title: 'E-mail', member: 'email' },
  { title: 'Serial', member: 'serial' },
];
