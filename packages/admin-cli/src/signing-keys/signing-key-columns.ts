import type { SigningKey } from '@zonewright/accounts';
import type { Column } from '@zonewright/terminal';

export const SIGNING_KEY_COLUMNS: readonly Column<SigningKey>[] = [
  { title: 'Id', member: 'id' },
  { title: 'Signs', member: 'isPrimary' },
  { title: 'Created', member: 'createdAt' },
  { title: 'Replaced', member: 'replacedAt' },
  { title: 'Retired', member: 'retiredAt' },
];
