import type { PeerProgress, SecondaryProgress } from '@zonewright/zones';
import type { Column } from '@zonewright/terminal';

export const PEER_COLUMNS: readonly Column<PeerProgress>[] = [
  { title: 'Id', member: 'id' },
  { title: 'Tenant', member: 'tenantId' },
  { title: 'Name', member: 'name' },
  { title: 'Domains', member: 'zones' },
  { title: 'Behind', member: 'behind' },
  { title: 'Last asked', member: 'askedAt', none: 'never' },
];

export const PRIMARY_COLUMNS: readonly Column<SecondaryProgress>[] = [
  { title: 'Domain', member: 'name' },
  { title: 'Tenant', member: 'tenantId' },
  { title: 'State', member: 'state' },
  { title: 'Serial', member: 'serial', none: 'none' },
  { title: 'Last refreshed', member: 'refreshedAt', none: 'never' },
  { title: 'Failures', member: 'failures' },
  { title: 'Problem', member: 'problem', none: 'none' },
];
