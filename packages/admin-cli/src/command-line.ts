import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { runTree } from '@zonewright/terminal';
import { accessKeyCommands } from './access-keys/access-key-commands.js';
import { accountDomainCommands } from './account-domains/account-domain-commands.js';
import { bootstrapCommand } from './bootstrap/bootstrap-command.js';
import { endpointCommands } from './catalog/endpoint-commands.js';
import { serviceCommands } from './catalog/service-commands.js';
import { dnssecCommands } from './dnssec/dnssec-commands.js';
import { doctorCommand } from './doctor/doctor-command.js';
import { encryptionKeyCommands } from './encryption-keys/encryption-key-commands.js';
import { feedCommands } from './feed/feed-commands.js';
import { nameserverCommands } from './nameservers/nameserver-commands.js';
import { peerCommands } from './peers/peer-commands.js';
import { primaryCommands } from './peers/primary-commands.js';
import { quotaCommands } from './quotas/quota-commands.js';
import { roleCommands } from './roles/role-commands.js';
import { signingKeyCommands } from './signing-keys/signing-key-commands.js';
import { tenantCommands } from './tenants/tenant-commands.js';
import { exportCommand } from './transfer/export-command.js';
import { importCommand } from './transfer/import-command.js';
import { userCommands } from './users/user-commands.js';
import { CommandAudit } from './command/command-audit.js';
import { describeFailure } from './command/failure.js';
import type { Host } from './command/host.js';
import { commandGroup, PROGRAM } from './command/operator-command.js';

/** All commands, in the order in which a new installation needs them. */
export function buildProgram(host: Host): Command {
  const program = commandGroup(
    PROGRAM,
    "The operator's command: accounts, catalog, keys, quotas and nameservers.",
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
