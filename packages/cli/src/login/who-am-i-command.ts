import type { Command } from 'commander';
import type { Host } from '../command/host.js';
import { withSession } from '../session/session.js';
import { accountCommand } from '../command/user-command.js';

export function whoAmICommand(host: Host): Command {
  return accountCommand('whoami', 'show user, project and roles of the login', 'whoami').action(
    withSession(host, async ({ client, output }) => {
      const { user, tenant, roles, dnsUrl } = await client.session();
      const row = {
        user: user.name,
        project: tenant?.name,
        projectId: tenant?.id,
        roles: [...new Set(roles)],
        dns: dnsUrl,
      };
      output.item(row, [
        { title: 'User', member: 'user' },
        { title: 'Project', member: 'project' },
        { title: 'Project ID', member: 'projectId' },
        { title: 'Roles', member: 'roles' },
        { title: 'DNS API', member: 'dns', none: 'not active' },
      ]);
    }),
  );
}
