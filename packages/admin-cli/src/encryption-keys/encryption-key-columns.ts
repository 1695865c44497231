import type { EncryptionKeyUse } from '@zonewright/database';
import type { Column } from '@zonewright/terminal';

export const ENCRYPTION_KEY_COLUMNS: readonly Column<EncryptionKeyUse>[] = [
  { title: 'Setting', member: 'setting' },
  { title: 'Id', member: 'id' },
  { title: 'State', member: 'state' },
  { title: 'Signing keys', member: 'signingKeys' },
  { title: 'Access keys', member: 'accessKeys' },
  { title: 'Peers', member: 'peers' },
  { title: 'TSIG keys', member: 'tsigKeys' },
  { title: 'Primaries', member: 'primaries' },
  { title: 'Transfers', member: 'transfers' },
  { title: 'Zone keys', member: 'zoneKeys' },
];
