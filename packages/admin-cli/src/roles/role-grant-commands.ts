import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { operatorCommand } from '../command/operator-command.js';
import { withSession } from '../command/session.js';
import { grantRole, revokeRole } from '@zonewright/accounts';

interface PlaceOption {
  readonly tenant?: string;
}

const TENANT_OPTION = '--tenant <id|name>';
const TENANT_HELP = 'where; without it on the account domain, whatever the scope of a token';

/** `grant` and `revoke`: the same words in both, so that one can be written from the other. */
export function roleGrantCommands(host: Host): Command[] {
  const grant = operatorCommand(
    'grant',
    'let a user hold a role',
    'role grant dns-admin alice --tenant acme-web',
  ).action(
    withSession(host, async ({ db, output }, role: string, user: string, place: PlaceOption) => {
      const ids = await grantRole(db, { role, user, tenant: place.tenant });
      output.done(`"${user}" holds the role "${role}"${placeText(place)}.`, ids);
    }),
  );
  const revoke = operatorCommand(
    'revoke',
    'take a role away from a user',
    'role revoke dns-admin alice --tenant acme-web',
  ).action(
    withSession(host, async ({ db, output }, role: string, user: string, place: PlaceOption) => {
      const ids = await revokeRole(db, { role, user, tenant: place.tenant });
      output.done(`"${user}" no longer holds the role "${role}"${placeText(place)}.`, ids);
    }),
  );
  return [grant, revoke].map((command) =>
    command
      .argument('<role>', 'id or name')
      .argument('<user>', 'id or name')
      .option(TENANT_OPTION, TENANT_HELP),
  );
}

function placeText({ tenant }: PlaceOption): string {
  return tenant === undefined ? ' on the account domain' : ` on the tenant "${tenant}"`;
}
