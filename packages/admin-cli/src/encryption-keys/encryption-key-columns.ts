import type { EncryptionKeyUse } from '@zonewright/accounts';
import type { Column } from '@zonewright/terminal';

export const ENCRYPTION_KEY_COLUMNS: readonly Column<EncryptionKeyUse>[] = [
  { title: 'Id', member: 'id' },
  { title: 'State', member: 'state' },
  { title: 'Signing keys', member: 'signingKeys' },
  { title: 'Access keys', member: 'accessKeys' },
];
