import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { peerListCommand } from './peer-list-command.js';
import { peerRetryCommand } from './peer-retry-command.js';
import { peerShowCommand } from './peer-show-command.js';

export function peerCommands(host: Host): Command {
  return commandGroup(
    'peer',
    "tenants' own secondaries, which take domains from here, and how far they are",
    [peerListCommand(host), peerShowCommand(host), peerRetryCommand(host)],
    'peer list --behind',
  );
}
