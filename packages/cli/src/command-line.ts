import { readFileSync } from 'node:fs';
import { runTree } from '@zonewright/terminal';
import type { Command } from 'commander';
import { apiCommand } from './api/api-command.js';
import { checkCommand } from './check/check-command.js';
import { publishCommand } from './check/publish-command.js';
import { describeFailure } from './command/failure.js';
import type { Host } from './command/host.js';
import { commandGroup, PROGRAM } from './command/user-command.js';
import { askedCommand, completionCommand } from './completion/completion-commands.js';
import { dnssecCommands } from './dnssec/dnssec-commands.js';
import { domainCommands } from './domain/domain-commands.js';
import { limitsCommand } from './domain/limits-command.js';
import { externalDnsCommand } from './external-dns/external-dns-command.js';
import { historyCommand, restoreCommand, undoCommand } from './history/history-commands.js';
import { acmeCommands, shieldChallenges } from './hooks/acme-commands.js';
import { dyndnsCommand } from './hooks/dyndns-command.js';
import { revertCommand } from './history/revert-command.js';
import { keyCommands } from './key/key-commands.js';
import { logInCommand } from './login/log-in-command.js';
import { logOutCommand } from './login/log-out-command.js';
import { whoAmICommand } from './login/who-am-i-command.js';
import { profileCommands } from './login/profile-commands.js';
import { queryCommand } from './query/query-command.js';
import { recordCommands } from './record/record-commands.js';
import { watchCommand } from './watch/watch-command.js';
import { editCommand } from './zonefile/edit-command.js';
import { applyCommand, diffCommand, planCommand } from './zonefile/plan-commands.js';

/** All commands, in the order in which a new user needs them. */
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
  program.addCommand(askedCommand(host, program), { hidden: true });
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
