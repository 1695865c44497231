import type { Column } from '../output/table.js';
import type { EncryptionKeyUse } from '@zonewright/accounts';

export const ENCRYPTION_KEY_COLUMNS: readonly Column<EncryptionKeyUse>[] = [
  { title: 'Id', member: 'id' },
  { title: 'State', member: 'state' },
  { title: 'Signing keys', member: 'signingKeys' },
  { title: 'Access keys', member: 'accessKeys' },
];
