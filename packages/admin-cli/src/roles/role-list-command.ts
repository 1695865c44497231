import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { ROLE_COLUMNS } from './role-columns.js';
import { listRoles } from '@zonewright/accounts';

export function roleListCommand(host: Host): Command {
  return operatorCommand('list', 'list the roles', 'role list').action(
    withSession(host, async ({ db, output }) => {
      output.list(await listRoles(db), ROLE_COLUMNS);
    }),
  );
}
