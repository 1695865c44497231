import type { Client } from '@zonewright/client';
import { Argument, Command } from 'commander';
import type { Host } from '../command/host.js';
import { accountCommand, PROGRAM } from '../command/user-command.js';
import { openClient } from '../profile/find-access.js';

/** Time limit for completions, in milliseconds. */
const PATIENCE_MS = 2_000;
/** Hidden command that shells call for completions. */
const ASKED = '__complete';

const SCRIPTS = {
  bash: `_${PROGRAM}() {
  local IFS=$'\\n'
  COMPREPLY=($(${PROGRAM} ${ASKED} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _${PROGRAM} ${PROGRAM}
`,
  zsh: `#compdef ${PROGRAM}
_${PROGRAM}() {
  local -a found
  found=(\${(f)"$(${PROGRAM} ${ASKED} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -a found; else _files; fi
}
compdef _${PROGRAM} ${PROGRAM}
`,
  fish: `complete -c ${PROGRAM} -a '(${PROGRAM} ${ASKED} -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
  // Pass a blank for an empty word: PowerShell before 7.3 drops empty arguments.
  powershell: `Register-ArgumentCompleter -Native -CommandName ${PROGRAM} -ScriptBlock {
  param($begun, $line, $cursor)
  $words = @($line.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor } | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($begun -eq '') { $words += ' ' }
  ${PROGRAM} ${ASKED} '--' @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
};

export function completionCommand(host: Host): Command {
  return accountCommand(
    'completion',
    'print a completion script for a shell',
    'completion bash > ~/.local/share/bash-completion/completions/zonewright',
    'completion zsh > "${fpath[1]}/_zonewright"',
    'completion fish > ~/.config/fish/completions/zonewright.fish',
    'completion powershell >> $PROFILE',
  )
    .addArgument(new Argument('<shell>', 'shell').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => {
      host.stdout.write(SCRIPTS[shell]);
    });
}

/** @param program whose commands are completed */
export function requestedCommand(host: Host, program: Command): Command {
  return new Command(ASKED).argument('<words...>').action(async (words: readonly string[]) => {
    const begun = (words.at(-1) ?? '').trim();
    const candidates = await listCandidates(host, program, words.slice(0, -1), begun);
    const fitting = candidates.filter((candidate) => candidate.startsWith(begun));
    host.stdout.write(fitting.map((candidate) => `${candidate}\n`).join(''));
  });
}

async function listCandidates(
  host: Host,
  program: Command,
  words: readonly string[],
  begun: string,
): Promise<readonly string[]> {
  let command = program;
  let operands = 0;
  for (const word of words) {
    const below = command.commands.find((each) => each.name() === word);
    if (below !== undefined) command = below;
    else if (!word.startsWith('-')) operands += 1;
  }
  if (begun.startsWith('-')) {
    return command.options.map(({ long, short }) => long ?? short ?? '');
  }
  const names = command.commands.map((each) => each.name()).filter((name) => name !== ASKED);
  const { name, choices } = argumentAt(command, operands);
  if (name === 'domain') return await listDomains(host);
  return [...names, ...choices];
}

function argumentAt(command: Command, index: number) {
  const argument = command.registeredArguments[index];
  return { name: argument?.name(), choices: argument?.argChoices ?? [] };
}

/** Returns no domains if the user is not logged in, or if the service does not respond in time. */
async function listDomains(host: Host): Promise<string[]> {
  const names: string[] = [];
  try {
    const client: Client = openClient(host, {});
    const signal = AbortSignal.timeout(PATIENCE_MS);
    for await (const { name } of client.domains.list({ signal })) names.push(name.slice(0, -1));
  } catch {
    // A completion cannot show an error.
  }
  return names;
}
