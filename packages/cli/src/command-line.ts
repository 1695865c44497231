import { readFileSync } from 'node:fs';
import { runTree } from '@zonewright/terminal';
import type { Command } from 'commander';
import { apiCommand } from './commands/api.js';
import { checkCommand, publishCommand } from './commands/check.js';
import { describeFailure } from './command/failure.js';
import type { Host } from './command/host.js';
import { commandGroup, PROGRAM } from './command/user-command.js';
import { requestedCommand, completionCommand } from './commands/completion.js';
import { dnssecCommands } from './commands/dnssec.js';
import { domainCommands } from './commands/domain.js';
import { limitsCommand } from './commands/limits.js';
import { externalDnsCommand } from './external-dns/webhook.js';
import { historyCommand, restoreCommand, revertCommand, undoCommand } from './commands/history.js';
import { acmeCommands, shieldChallenges } from './commands/acme.js';
import { dyndnsCommand } from './commands/dyndns.js';
import { keyCommands } from './commands/key.js';
import { logInCommand, logOutCommand, whoAmICommand } from './commands/login.js';
import { profileCommands } from './commands/profile.js';
import { queryCommand } from './commands/query.js';
import { recordCommands } from './commands/record.js';
import { watchCommand } from './commands/watch.js';
import { editCommand } from './commands/edit.js';
import { applyCommand, diffCommand, planCommand } from './commands/zone-file.js';

/** Creates all commands, in the order in which a new user needs them. */
export function buildProgram(host: Host): Command {
  const program = commandGroup(
    PROGRAM,
    'Manage DNS domains and records.',
    [
      logInCommand(host),
      logOutCommand(host),
      whoAmICommand(host),
      profileCommands(host),
      domainCommands(host),
      recordCommands(host),
      checkCommand(host),
      publishCommand(host),
      queryCommand(host),
      watchCommand(host),
      planCommand(host),
      applyCommand(host),
      diffCommand(host),
      editCommand(host),
      historyCommand(host),
      undoCommand(host),
      restoreCommand(host),
      revertCommand(host),
      dnssecCommands(host),
      keyCommands(host),
      acmeCommands(host),
      dyndnsCommand(host),
      limitsCommand(host),
      apiCommand(host),
      externalDnsCommand(host),
      completionCommand(host),
    ],
    'login',
  ).version(readVersion());
  program.addCommand(requestedCommand(host, program), { hidden: true });
  return program;
}

/** Runs one command. @returns the exit code */
export function runCommandLine(args: readonly string[], host: Host): Promise<number> {
  return runTree(buildProgram(host), shieldChallenges(args), host, describeFailure);
}

function readVersion(): string {
  const manifest = new URL('../package.json', import.meta.url);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
