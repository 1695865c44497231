import type { ZoneRecord } from '@zonewright/client';
import type { Column } from '@zonewright/terminal';

/** Columns of properties beyond DNS, shown on request. */
export const FLAG_COLUMNS: readonly Column<ZoneRecord>[] = [
  { title: 'Off', member: 'disabled' },
  { title: 'Until', member: 'expires_at' },
  { title: 'Tags', member: 'tags', isCut: true },
];

export const RECORD_COLUMNS: readonly Column<ZoneRecord>[] = [
  { title: 'Name', member: 'name' },
  { title: 'TTL', member: 'ttl', none: 'default' },
  { title: 'Type', member: 'type' },
  { title: 'Priority', member: 'priority', none: '' },
  { title: 'Data', member: 'data', isCut: true },
];
