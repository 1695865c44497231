import type { Column } from '../output/table.js';
import type { AccessKeySummary } from '@zonewright/accounts';

export const ACCESS_KEY_COLUMNS: readonly Column<AccessKeySummary>[] = [
  { title: 'Id', member: 'id' },
  { title: 'User', member: 'userName' },
  { title: 'Status', member: 'status' },
  { title: 'Algorithm', member: 'algorithm' },
  { title: 'Key length', member: 'keyLength', isDetail: true },
  { title: 'Valid from', member: 'validFrom' },
  { title: 'Valid to', member: 'validTo' },
  { title: 'Created', member: 'createdAt', isDetail: true },
];
