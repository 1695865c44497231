import {
  createRole,
  findRoleAssignments,
  grantRole,
  listRoles,
  revokeRole,
  type Role,
  type RoleAssignment,
} from '@zonewright/accounts';
import type { Column } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

export function roleCommands(host: Host): Command {
  return commandGroup(
    'role',
    'manage roles and role assignments',
    [
      roleCreateCommand(host),
      roleListCommand(host),
      ...roleGrantCommands(host),
      roleAssignmentsCommand(host),
    ],
    'role grant dns-admin alice --tenant acme-web',
  );
}

interface RoleAssignmentFilter {
  readonly user?: string;
  readonly role?: string;
  readonly tenant?: string;
}

function roleAssignmentsCommand(host: Host): Command {
  return operatorCommand(
    'assignments',
    'list role assignments',
    'role assignments --tenant acme-web',
  )
    .option('--user <id|name>', 'only assignments of this user')
    .option('--role <id|name>', 'only assignments of this role')
    .option('--tenant <id|name>', 'only assignments on this tenant')
    .action(
      withSession(host, async ({ db, output }, options: RoleAssignmentFilter) => {
        output.list(await findRoleAssignments(db, options), ROLE_ASSIGNMENT_COLUMNS);
      }),
    );
}

const ROLE_COLUMNS: readonly Column<Role>[] = [
  { title: 'ID', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'Service', member: 'serviceName' },
  { title: 'Created', member: 'createdAt' },
];

const ROLE_ASSIGNMENT_COLUMNS: readonly Column<RoleAssignment>[] = [
  { title: 'User', member: 'userName' },
  { title: 'Role', member: 'roleName' },
  { title: 'Tenant', member: 'tenantName', none: '(account domain)' },
  { title: 'Since', member: 'createdAt' },
];

function roleCreateCommand(host: Host): Command {
  return operatorCommand('create', 'create a role', 'role create dns-reader --service DNS')
    .argument('<name>', 'name of the role, unique in the installation')
    .option('--id <id>', 'ID from a previous installation (default: generated)')
    .option('--service <id|name>', 'service of the role, shown to clients as serviceId')
    .action(
      withSession(
        host,
        async ({ db, output }, name: string, options: { id?: string; service?: string }) => {
          output.item(await createRole(db, { ...options, name }), ROLE_COLUMNS);
        },
      ),
    );
}

interface PlaceOption {
  readonly tenant?: string;
}

const TENANT_OPTION = '--tenant <id|name>';
const TENANT_HELP = 'tenant of the role (default: the account domain, for tokens of any scope)';

/** Implements `grant` and `revoke`, which take the same arguments. */
function roleGrantCommands(host: Host): Command[] {
  const grant = operatorCommand(
    'grant',
    'grant a role to a user',
    'role grant dns-admin alice --tenant acme-web',
  ).action(
    withSession(host, async ({ db, output }, role: string, user: string, place: PlaceOption) => {
      const ids = await grantRole(db, { role, user, tenant: place.tenant });
      output.done(`"${user}" holds the role "${role}"${placeText(place)}.`, ids);
    }),
  );
  const revoke = operatorCommand(
    'revoke',
    'revoke a role from a user',
    'role revoke dns-admin alice --tenant acme-web',
  ).action(
    withSession(host, async ({ db, output }, role: string, user: string, place: PlaceOption) => {
      const ids = await revokeRole(db, { role, user, tenant: place.tenant });
      output.done(`"${user}" no longer holds the role "${role}"${placeText(place)}.`, ids);
    }),
  );
  return [grant, revoke].map((command) =>
    command
      .argument('<role>', 'ID or name')
      .argument('<user>', 'ID or name')
      .option(TENANT_OPTION, TENANT_HELP),
  );
}

function placeText({ tenant }: PlaceOption): string {
  return tenant === undefined ? ' on the account domain' : ` on the tenant "${tenant}"`;
}

function roleListCommand(host: Host): Command {
  return operatorCommand('list', 'list the roles', 'role list').action(
    withSession(host, async ({ db, output }) => {
      output.list(await listRoles(db), ROLE_COLUMNS);
    }),
  );
}
