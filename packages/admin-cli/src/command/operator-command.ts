import { Command } from 'commander';

export const PROGRAM = 'zonewright-admin';

/**
 * One command: a leaf of the tree, with the option that every one of them has, and an example under its help.
 * An example is written as it is typed, without the name of the program.
 */
export function operatorCommand(name: string, summary: string, ...examples: string[]): Command {
  const lines = examples.map((example) => `  ${PROGRAM} ${example}`);
  return new Command(name)
    .description(summary)
    .option('--json', 'print JSON, for scripts')
    .addHelpText('after', `\nExample:\n${lines.join('\n')}`);
}

/** The commands about one kind of thing. */
export function commandGroup(
  name: string,
  summary: string,
  commands: readonly Command[],
  example: string,
): Command {
  const group = new Command(name)
    .description(summary)
    .addHelpText('after', `\nExample:\n  ${PROGRAM} ${example}`);
  for (const command of commands) group.addCommand(command);
  return group;
}
