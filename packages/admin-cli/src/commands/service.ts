import {
  activateService,
  type Activation,
  changeService,
  createService,
  deactivateService,
  type Endpoint,
  getService,
  listActivationsOf,
  listServices,
  type Service,
} from '@zonewright/accounts';
import { collect, type Column } from '@zonewright/terminal';
import { type Command, Option } from 'commander';
import type { Host } from '../command/host.js';
import { commandGroup, operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';

export function serviceCommands(host: Host): Command {
  return commandGroup(
    'service',
    'manage services of the catalog, and the tenants that use them',
    [
      serviceCreateCommand(host),
      serviceListCommand(host),
      serviceShowCommand(host),
      serviceSetCommand(host),
      ...serviceEnabledCommands(host),
      ...serviceActivationCommands(host),
      serviceActivationsCommand(host),
    ],
    'service activate DNS acme-web',
  );
}

const SERVICE_COLUMNS: readonly Column<Service>[] = [
  { title: 'ID', member: 'id' },
  { title: 'Name', member: 'name' },
  { title: 'Types', member: 'types' },
  { title: 'Global', member: 'isGlobal' },
  { title: 'Enabled', member: 'enabled' },
  { title: 'New tenants', member: 'isForNewTenants', isDetail: true },
  { title: 'Required roles', member: 'requiredRoles', none: '(none)' },
  { title: 'Created', member: 'createdAt', isDetail: true },
];

export const ENDPOINT_COLUMNS: readonly Column<Endpoint>[] = [
  { title: 'ID', member: 'id' },
  { title: 'Service', member: 'serviceName' },
  { title: 'Region', member: 'region' },
  { title: 'Public URL', member: 'publicUrl' },
  { title: 'Public URL 2', member: 'publicUrl2', isDetail: true },
  { title: 'Internal URL', member: 'internalUrl', isDetail: true },
  { title: 'Admin URL', member: 'adminUrl', isDetail: true },
  { title: 'Version ID', member: 'versionId', isDetail: true },
  { title: 'Version info', member: 'versionInfo', isDetail: true },
  { title: 'Version list', member: 'versionList', isDetail: true },
  { title: 'State', member: 'releaseState' },
  { title: 'Enabled', member: 'enabled' },
  { title: 'Created', member: 'createdAt', isDetail: true },
];

const ACTIVATION_COLUMNS: readonly Column<Activation>[] = [
  { title: 'Tenant', member: 'tenantName' },
  { title: 'Service', member: 'serviceName' },
  { title: 'Since', member: 'activatedAt' },
];

/** Implements `activate` and `deactivate`, which decide whether a tenant's catalogs contain a service. */
function serviceActivationCommands(host: Host): Command[] {
  const activate = operatorCommand(
    'activate',
    'activate a service for a tenant',
    'service activate DNS acme-web',
  ).action(
    withSession(host, async ({ db, output }, service: string, tenant: string) => {
      const ids = await activateService(db, { service, tenant });
      output.done(`The service "${service}" is active for the tenant "${tenant}".`, ids);
    }),
  );
  const deactivate = operatorCommand(
    'deactivate',
    'remove a service from the catalog of a tenant; its data is kept',
    'service deactivate DNS acme-web',
  ).action(
    withSession(host, async ({ db, output }, service: string, tenant: string) => {
      const ids = await deactivateService(db, { service, tenant });
      output.done(`The service "${service}" is no longer active for the tenant "${tenant}".`, ids);
    }),
  );
  return [activate, deactivate].map((command) =>
    command.argument('<service>', 'ID or name').argument('<tenant>', 'ID or name'),
  );
}

interface ActivationFilterOptions {
  readonly tenant?: string;
  readonly service?: string;
}

function serviceActivationsCommand(host: Host): Command {
  return operatorCommand(
    'activations',
    'list the active services of tenants',
    'service activations --tenant acme-web',
  )
    .option('--tenant <id|name>', 'only services of this tenant')
    .option('--service <id|name>', 'only tenants of this service')
    .action(
      withSession(host, async ({ db, output }, options: ActivationFilterOptions) => {
        output.list(await listActivationsOf(db, options), ACTIVATION_COLUMNS);
      }),
    );
}

interface ServiceCreateOptions {
  readonly id?: string;
  readonly type: string[];
  readonly global?: boolean;
  readonly requiredRole?: string[];
}

function serviceCreateCommand(host: Host): Command {
  return operatorCommand(
    'create',
    'add a service to the catalog',
    'service create "Object Storage" --type object-store --required-role member',
    'service create DNS --type ext:dns --type hpext:dns --required-role dns-admin',
  )
    .argument('<name>', 'name of the service in the catalog')
    .requiredOption('--type <type>', 'service type that clients look for; repeatable', collect)
    .option('--id <id>', 'ID from a previous installation (default: generated)')
    .option('--global', 'show the service to every token, scoped or not, without activation')
    .option(
      '--required-role <id|name>',
      'role that is required on the tenant; repeatable: one of them is enough',
      collect,
    )
    .action(
      withSession(host, async ({ db, output }, name: string, options: ServiceCreateOptions) => {
        const service = await createService(db, {
          name,
          id: options.id,
          types: options.type,
          isGlobal: options.global,
          requiredRoles: options.requiredRole,
        });
        output.item(service, SERVICE_COLUMNS);
      }),
    );
}

/** Implements `enable` and `disable`. */
function serviceEnabledCommands(host: Host): Command[] {
  return [
    enabledCommand(host, 'enable', true, 'enable a service'),
    enabledCommand(host, 'disable', false, 'disable a service and remove it from all catalogs'),
  ];
}

function enabledCommand(host: Host, name: string, enabled: boolean, summary: string): Command {
  return operatorCommand(name, summary, `service ${name} DNS`)
    .argument('<service>', 'ID or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await changeService(db, reference, { enabled }), SERVICE_COLUMNS);
      }),
    );
}

function serviceListCommand(host: Host): Command {
  return operatorCommand('list', 'list the services of the catalog', 'service list').action(
    withSession(host, async ({ db, output }) => {
      output.list(await listServices(db), SERVICE_COLUMNS);
    }),
  );
}

interface ServiceSetOptions {
  readonly name?: string;
  readonly type?: string[];
  readonly global?: boolean;
  readonly newTenants?: boolean;
  /** False if --no-required-roles is given. */
  readonly requiredRoles?: string[] | false;
}

function serviceSetCommand(host: Host): Command {
  return operatorCommand(
    'set',
    'change a service',
    'service set DNS --type ext:dns --type hpext:dns',
    'service set DNS --new-tenants --required-roles dns-admin --required-roles member',
  )
    .argument('<service>', 'ID or name')
    .option('--name <name>', 'new name')
    .option('--type <type>', 'all service types of the service; repeatable', collect)
    .option('--global', 'show the service to every token, scoped or not, without activation')
    .addOption(
      new Option('--no-global', 'show the service only to tenants for which it is activated'),
    )
    .option('--new-tenants', 'activate the service for each new tenant')
    .addOption(new Option('--no-new-tenants', 'stop activating the service for new tenants'))
    .option('--required-roles <id|name>', 'all roles of which one is required; repeatable', collect)
    .addOption(new Option('--no-required-roles', 'remove the requirement of a role'))
    .action(
      withSession(host, async ({ db, output }, reference: string, options: ServiceSetOptions) => {
        const service = await changeService(db, reference, {
          name: options.name,
          types: options.type,
          isGlobal: options.global,
          isForNewTenants: options.newTenants,
          requiredRoles: options.requiredRoles === false ? [] : options.requiredRoles,
        });
        output.item(service, SERVICE_COLUMNS);
      }),
    );
}

function serviceShowCommand(host: Host): Command {
  return operatorCommand('show', 'show a service', 'service show DNS')
    .argument('<service>', 'ID or name')
    .action(
      withSession(host, async ({ db, output }, reference: string) => {
        output.item(await getService(db, reference), SERVICE_COLUMNS);
      }),
    );
}
