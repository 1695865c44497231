import {
  createTenant,
  describeTenant,
  getAccountDomain,
  getTenant,
  listTenants,
  setTenantEnabled,
  type Tenant,
} from '@zonewright/accounts';
import type { Column } from '@zonewright/terminal';
import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

export function tenantCommands(host: Host): Command {
  return commandGroup(
    'tenant',
    'manage tenants (projects), in which services are used',
    [
      tenantCreateCommand(host),
      tenantListCommand(host),
      tenantShowCommand(host),
      tenantSetCommand(host),
      ...tenantEnabledCommands(host),
    ],
    'tenant create acme-web --account-domain "Acme Ltd"',
  );
}

const TENANT_COLUMNS: readonly Column<Tenant>[] = [
  { title: 'ID', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'Account domain', member: 'accountDomainName' },
  { title: 'Enabled', member: 'enabled' },
  { title: 'Display name', member: 'displayName', isDetail: true },
  { title: 'Description', member: 'description', isDetail: true },
  { title: 'Created', member: 'createdAt' },
  { title: 'Updated', member: 'updatedAt', isDetail: true },
];

interface TenantCreateOptions {
  readonly id?: string;
  readonly accountDomain?: string;
  readonly displayName?: string;
  readonly description?: string;
}

function tenantCreateCommand(host: Host): Command {
  return operatorCommand(
    'create',
    'create a tenant',
    'tenant create acme-web --account-domain "Acme Ltd"',
    'tenant create acme-web --id 10345678901234 --description "moved in from the old cloud"',
  )
    .argument(
      '<name>',
      'name of the tenant, unique in the installation, since tokens can be scoped by tenantName only',
    )
    .option('--id <id>', 'ID from a previous installation (default: generated)')
    .option('--account-domain <id|name>', 'account domain of the tenant (default: Default)')
    .option('--display-name <text>', 'name shown by clients next to the tenant name')
    .option('--description <text>', 'purpose of the tenant')
    .action(
      withSession(host, async ({ db, output }, name: string, options: TenantCreateOptions) => {
        output.item(await createTenant(db, { ...options, name }), TENANT_COLUMNS);
      }),
    );
}

/** Implements `enable` and `disable`. */
function tenantEnabledCommands(host: Host): Command[] {
  return [
    enabledCommand(host, 'enable', true, 'enable a tenant'),
    enabledCommand(host, 'disable', false, 'disable a tenant'),
  ];
}

function enabledCommand(host: Host, name: string, enabled: boolean, summary: string): Command {
  return operatorCommand(name, summary, `tenant ${name} acme-web`)
    .argument('<tenant>', 'ID or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await setTenantEnabled(db, reference, enabled), TENANT_COLUMNS);
      }),
    );
}

function tenantListCommand(host: Host): Command {
  return operatorCommand('list', 'list tenants', 'tenant list --account-domain "Acme Ltd"')
    .option('--account-domain <id|name>', 'only tenants of this account domain')
    .action(
      withSession(host, async ({ db, output }, options: { accountDomain?: string }) => {
        const domain =
          options.accountDomain === undefined
            ? undefined
            : await getAccountDomain(db, options.accountDomain);
        output.list(await listTenants(db, domain?.id), TENANT_COLUMNS);
      }),
    );
}

interface TenantSetOptions {
  readonly name?: string;
  readonly displayName?: string;
  readonly description?: string;
}

function tenantSetCommand(host: Host): Command {
  return operatorCommand(
    'set',
    'rename or describe a tenant',
    'tenant set acme-web --name acme-shop --description "the shop"',
  )
    .argument('<tenant>', 'ID or name')
    .option('--name <name>', 'new name')
    .option('--display-name <text>', 'name shown by clients next to the tenant name')
    .option('--description <text>', 'purpose of the tenant')
    .action(
      withSession(host, async ({ db, output }, reference: string, options: TenantSetOptions) => {
        output.item(await describeTenant(db, reference, options), TENANT_COLUMNS);
      }),
    );
}

function tenantShowCommand(host: Host): Command {
  return operatorCommand('show', 'show a tenant', 'tenant show acme-web')
    .argument('<tenant>', 'ID or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await getTenant(db, reference), TENANT_COLUMNS);
      }),
    );
}
