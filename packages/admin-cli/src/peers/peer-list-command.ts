import { listPeerProgress } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { PEER_COLUMNS } from './peer-columns.js';

export function peerListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list the peers of all tenants, and how many domains each has in an old version',
    'peer list',
    'peer list --behind',
  )
    .option('--behind', 'only those that are behind')
    .action(
      withSession(host, async ({ db, output }, { behind }: { readonly behind?: true }) => {
        const peers = await listPeerProgress(db);
        output.list(
          behind === true ? peers.filter((peer) => peer.behind > 0) : peers,
          PEER_COLUMNS,
        );
      }),
    );
}
