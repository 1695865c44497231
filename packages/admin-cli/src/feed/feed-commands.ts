import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup } from '../command/operator-command.js';
import { feedRestampCommand } from './feed-restamp-command.js';

export function feedCommands(host: Host): Command {
  return commandGroup(
    'feed',
    'the change feed that nameservers follow',
    [feedRestampCommand(host)],
    'feed restamp',
  );
}
