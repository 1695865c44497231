import { type Command, Option } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { SERVICE_COLUMNS } from './catalog-columns.js';
import { changeService } from '@zonewright/accounts';
import { collect } from '@zonewright/terminal';

interface ServiceSetOptions {
  readonly name?: string;
  readonly type?: string[];
  readonly global?: boolean;
  /** False with --no-required-roles. */
  readonly requiredRoles?: string[] | false;
}

export function serviceSetCommand(host: Host): Command {
  return operatorCommand(
    'set',
    'change a service of the catalog; what is not given stays as it is',
    'service set DNS --type ext:dns --type hpext:dns',
    'service set DNS --required-roles dns-admin --required-roles member',
  )
    .argument('<service>', 'id or name')
    .option('--name <name>', 'its new name')
    .option('--type <type>', 'all its types from now on: once for each', collect)
    .option('--global', 'seen by every token, scoped or not, without activation')
    .addOption(new Option('--no-global', 'seen by the tenants for which it is activated'))
    .option(
      '--required-roles <id|name>',
      'all roles of which one is needed, from now on: once for each',
      collect,
    )
    .addOption(new Option('--no-required-roles', 'no role is needed any more'))
    .action(
      withSession(host, async ({ db, output }, reference: string, options: ServiceSetOptions) => {
        const service = await changeService(db, reference, {
          name: options.name,
          types: options.type,
          isGlobal: options.global,
          requiredRoles: options.requiredRoles === false ? [] : options.requiredRoles,
        });
        output.item(service, SERVICE_COLUMNS);
      }),
    );
}
