import { isUuid, ServiceError } from '@zonewright/service-kit';
import { listPeerProgress, tellPeerAgain } from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { PEER_COLUMNS } from './peer-columns.js';

export function peerRetryCommand(host: Host): Command {
  return operatorCommand(
    'retry',
    'have nameservers tell a peer (NOTIFY) again of the domains that it does not have as they are',
    'peer retry 0f8a5a3e-5d0e-4f57-9c8e-8a9f6f4b6a11',
  )
    .argument('<peer>', 'id')
    .action(
      withSession(host, async ({ db, output }, id: string) => {
        if (!isUuid(id) || !(await tellPeerAgain(db, id))) {
          throw new ServiceError('not-found', `there is no peer ${id}`);
        }
        const peer = (await listPeerProgress(db)).find((each) => each.id === id);
        if (peer !== undefined) output.item(peer, PEER_COLUMNS);
      }),
    );
}
