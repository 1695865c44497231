import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { NAMESERVER_COLUMNS } from './nameserver-columns.js';
import { listNameservers } from '@zonewright/zones';

export function nameserverListCommand(host: Host): Command {
  return operatorCommand(
    'list',
    'list the nameservers that every zone shows; the first is in the SOA record',
    'nameserver list',
  ).action(
    withSession(host, async ({ db, output }) => {
      output.list(await listNameservers(db), NAMESERVER_COLUMNS);
    }),
  );
}
