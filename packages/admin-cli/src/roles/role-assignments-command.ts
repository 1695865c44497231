import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { findRoleAssignments } from '@zonewright/accounts';
import { ROLE_ASSIGNMENT_COLUMNS } from './role-columns.js';

interface RoleAssignmentFilter {
  readonly user?: string;
  readonly role?: string;
  readonly tenant?: string;
}

export function roleAssignmentsCommand(host: Host): Command {
  return operatorCommand(
    'assignments',
    'list who holds which role where',
    'role assignments --tenant acme-web',
  )
    .option('--user <id|name>', 'only those of the user')
    .option('--role <id|name>', 'only those of the role')
    .option('--tenant <id|name>', 'only those on the tenant')
    .action(
      withSession(host, async ({ db, output }, options: RoleAssignmentFilter) => {
        output.list(await findRoleAssignments(db, options), ROLE_ASSIGNMENT_COLUMNS);
      }),
    );
}
