import { listZonesOfPeer } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { PEER_ZONE_COLUMNS } from './peer-zone-columns.js';

export function peerShowCommand(host: Host): Command {
  return operatorCommand(
    'show',
    'show the domains that a peer has asked for, or was told of, the latest first',
    'peer show 0f8a5a3e-5d0e-4f57-9c8e-8a9f6f4b6a11',
  )
    .argument('<peer>', 'id')
    .action(
      withSession(host, async ({ db, output }, id: string) => {
        output.list(await listZonesOfPeer(db, id), PEER_ZONE_COLUMNS);
      }),
    );
}
