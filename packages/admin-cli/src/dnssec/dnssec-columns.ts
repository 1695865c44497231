import type { Column } from '@zonewright/terminal';
import type { ListedSigning } from '@zonewright/zones';
import type { ShownDnssec } from './show-dnssec.js';

export const SIGNING_COLUMNS: readonly Column<ListedSigning>[] = [
  { title: 'Domain', member: 'name' },
  { title: 'Tenant', member: 'tenantId' },
  { title: 'State', member: 'state' },
  { title: 'Algorithm', member: 'algorithm' },
  { title: 'Keys', member: 'keys' },
  { title: 'Since', member: 'changedAt' },
  { title: 'Asked for', member: 'wish', none: 'nothing' },
  { title: 'DS at parent', member: 'parentDs', none: 'not known' },
];

export const DNSSEC_COLUMNS: readonly Column<ShownDnssec>[] = [
  { title: 'Domain', member: 'name' },
  { title: 'Tenant', member: 'tenantId' },
  { title: 'State', member: 'state' },
  { title: 'DS', member: 'ds', none: 'none' },
  { title: 'Keys', member: 'keys', none: 'none' },
  { title: 'Keys of another provider', member: 'foreignKeys', none: 'none' },
  { title: 'Missing', member: 'missing', none: 'nothing' },
];
