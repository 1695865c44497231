import type { PeerZone } from '@zonewright/zones';
import type { Column } from '@zonewright/terminal';

export const PEER_ZONE_COLUMNS: readonly Column<PeerZone>[] = [
  { title: 'Domain', member: 'name' },
  { title: 'Serial', member: 'serial' },
  { title: 'Peer has', member: 'taken', none: 'none' },
  { title: 'Asked', member: 'askedAt', none: 'never' },
  { title: 'Told of', member: 'notifiedSerial', none: 'none' },
  { title: 'Answer', member: 'notifyAnswer', none: 'none' },
];
