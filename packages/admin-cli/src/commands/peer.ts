import { isUuid, ServiceError } from '@zonewright/service-kit';
import type { Column } from '@zonewright/terminal';
import {
  listPeerProgress,
  listZonesOfPeer,
  type PeerProgress,
  type PeerZone,
  type SecondaryProgress,
  renotifyPeer,
} from '@zonewright/zones';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

export function peerCommands(host: Host): Command {
  return commandGroup(
    'peer',
    'show the secondaries of tenants and whether they are up to date',
    [peerListCommand(host), peerShowCommand(host), peerRetryCommand(host)],
    'peer list --behind',
  );
}

const PEER_COLUMNS: readonly Column<PeerProgress>[] = [
  { title: 'ID', member: 'id' },
  { title: 'Tenant', member: 'tenantId' },
  { title: 'Name', member: 'name' },
  { title: 'Domains', member: 'zones' },
  { title: 'Outdated', member: 'behind' },
  { title: 'Last query', member: 'askedAt', none: 'never' },
];

export const PRIMARY_COLUMNS: readonly Column<SecondaryProgress>[] = [
  { title: 'Domain', member: 'name' },
  { title: 'Tenant', member: 'tenantId' },
  { title: 'State', member: 'state' },
  { title: 'Serial', member: 'serial', none: 'none' },
  { title: 'Last refreshed', member: 'refreshedAt', none: 'never' },
  { title: 'Failures', member: 'failures' },
  { title: 'Problem', member: 'problem', none: 'none' },
];

function peerListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list the peers of all tenants, with the number of their outdated domains',
    'peer list',
    'peer list --behind',
  )
    .option('--behind', 'only peers with outdated domains')
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

function peerRetryCommand(host: Host): Command {
  return operatorCommand(
    'retry',
    'send NOTIFY again for the outdated domains of a peer',
    'peer retry 0f8a5a3e-5d0e-4f57-9c8e-8a9f6f4b6a11',
  )
    .argument('<peer>', 'ID of the peer')
    .action(
      withSession(host, async ({ db, output }, id: string) => {
        if (!isUuid(id) || !(await renotifyPeer(db, id))) {
          throw new ServiceError('not-found', `there is no peer ${id}`);
        }
        const peer = (await listPeerProgress(db)).find((each) => each.id === id);
        if (peer !== undefined) output.item(peer, PEER_COLUMNS);
      }),
    );
}

function peerShowCommand(host: Host): Command {
  return operatorCommand(
    'show',
    'show the domains of a peer, most recent activity first',
    'peer show 0f8a5a3e-5d0e-4f57-9c8e-8a9f6f4b6a11',
  )
    .argument('<peer>', 'ID of the peer')
    .action(
      withSession(host, async ({ db, output }, id: string) => {
        output.list(await listZonesOfPeer(db, id), PEER_ZONE_COLUMNS);
      }),
    );
}

const PEER_ZONE_COLUMNS: readonly Column<PeerZone>[] = [
  { title: 'Domain', member: 'name' },
  { title: 'Serial', member: 'serial' },
  { title: 'Serial at peer', member: 'taken', none: 'none' },
  { title: 'Last query', member: 'askedAt', none: 'never' },
  { title: 'Notified of', member: 'notifiedSerial', none: 'none' },
  { title: 'Answer', member: 'notifyAnswer', none: 'none' },
];
