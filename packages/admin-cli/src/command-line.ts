import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { runTree } from '@zonewright/terminal';
import { accessKeyCommands } from './commands/access-key.js';
import { accountDomainCommands } from './commands/account-domain.js';
import { bootstrapCommand } from './bootstrap/bootstrap-command.js';
import { endpointCommands } from './commands/endpoint.js';
import { serviceCommands } from './commands/service.js';
import { dnssecCommands } from './commands/dnssec.js';
import { doctorCommand } from './doctor/doctor-command.js';
import { encryptionKeyCommands } from './commands/encryption-key.js';
import { feedCommands } from './commands/feed.js';
import { nameserverCommands } from './commands/nameserver.js';
import { peerCommands } from './commands/peer.js';
import { primaryCommands } from './commands/primary.js';
import { quotaCommands } from './commands/quota.js';
import { roleCommands } from './commands/role.js';
import { signingKeyCommands } from './commands/signing-key.js';
import { tenantCommands } from './commands/tenant.js';
import { exportCommand } from './account-transfer/export-command.js';
import { importCommand } from './account-transfer/import-command.js';
import { userCommands } from './commands/user.js';
import { CommandAudit } from './command/command-audit.js';
import { describeFailure } from './command/failure.js';
import type { Host } from './command/host.js';
import { commandGroup, PROGRAM } from './command/operator-command.js';

/** All commands, in the order in which a new installation needs them. */
export function buildProgram(host: Host): Command {
  const program = commandGroup(
    PROGRAM,
    'Manage accounts, catalog, keys, quotas and nameservers of an installation.',
    [
      bootstrapCommand(host),
      doctorCommand(host),
      accountDomainCommands(host),
      userCommands(host),
      tenantCommands(host),
      roleCommands(host),
      serviceCommands(host),
      endpointCommands(host),
      accessKeyCommands(host),
      quotaCommands(host),
      nameserverCommands(host),
      peerCommands(host),
      primaryCommands(host),
      dnssecCommands(host),
      signingKeyCommands(host),
      encryptionKeyCommands(host),
      feedCommands(host),
      exportCommand(host),
      importCommand(host),
    ],
    'user --help',
  ).version(readVersion());
  program.hook('preAction', (_program, command) => {
    host.audit?.begin(command);
  });
  return program;
}

/** Runs one command. @returns the exit code */
export async function runCommandLine(args: readonly string[], host: Host): Promise<number> {
  const audit = new CommandAudit(host);
  const exitCode = await runTree(buildProgram({ ...host, audit }), args, host, describeFailure);
  audit.end(exitCode);
  return exitCode;
}

function readVersion(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
