import type { ZoneRecord } from '@zonewright/client';
import type { Column } from '@zonewright/terminal';

export const RECORD_COLUMNS: readonly Column<ZoneRecord>[] = [
  { title: 'Name', member: 'name' },
  { title: 'TTL', member: 'ttl', none: 'default' },
  { title: 'Type', member: 'type' },
  { title: 'Priority', member: 'priority', none: '' },
  { title: 'Data', member: 'data' },
];
