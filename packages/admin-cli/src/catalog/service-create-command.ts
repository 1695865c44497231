import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { SERVICE_COLUMNS } from './catalog-columns.js';
import { createService } from '@zonewright/accounts';
import { collect } from '@zonewright/terminal';

interface ServiceCreateOptions {
  readonly id?: string;
  readonly type: string[];
  readonly global?: boolean;
  readonly requiredRole?: string[];
}

export function serviceCreateCommand(host: Host): Command {
  return operatorCommand(
    'create',
    'put a service into the catalog; endpoint create gives it its URLs',
    'service create "Object Storage" --type object-store --required-role member',
    'service create DNS --type ext:dns --type hpext:dns --required-role dns-admin',
  )
    .argument('<name>', 'shown in the catalog')
    .requiredOption(
      '--type <type>',
      'the kind of service that clients look for; several for one service if given again',
      collect,
    )
    .option('--id <id>', 'the id that it had elsewhere; otherwise a new one')
    .option('--global', 'seen by every token, scoped or not, without activation')
    .option(
      '--required-role <id|name>',
      'needed on the tenant, one of them if given again',
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
