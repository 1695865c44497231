import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { activateService, deactivateService } from '@zonewright/accounts';

/** `activate` and `deactivate`: whether a tenant has a service in its catalogs. */
export function serviceActivationCommands(host: Host): Command[] {
  const activate = operatorCommand(
    'activate',
    'let a tenant use a service',
    'service activate DNS acme-web',
  ).action(
    withSession(host, async ({ db, output }, service: string, tenant: string) => {
      const ids = await activateService(db, { service, tenant });
      output.done(`The service "${service}" is active for the tenant "${tenant}".`, ids);
    }),
  );
  const deactivate = operatorCommand(
    'deactivate',
    'take a service out of the catalogs of a tenant; its data stay',
    'service deactivate DNS acme-web',
  ).action(
    withSession(host, async ({ db, output }, service: string, tenant: string) => {
      const ids = await deactivateService(db, { service, tenant });
      output.done(`The service "${service}" is no longer active for the tenant "${tenant}".`, ids);
    }),
  );
  return [activate, deactivate].map((command) =>
    command.argument('<service>', 'id or name').argument('<tenant>', 'id or name'),
  );
}
