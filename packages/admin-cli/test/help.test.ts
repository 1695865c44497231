import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { buildProgram } from '../src/command-line.js';
import { PROGRAM } from '../src/command/operator-command.js';
import { idleHost, runCommand } from './run-command.js';

/** Lists every command of the tree with the words that call it. */
function listCommands(command: Command, words: readonly string[]): [string, Command][] {
  const below = command.commands.flatMap((child) => listCommands(child, [...words, child.name()]));
  return [[words.join(' '), command], ...below];
}

const commands = listCommands(buildProgram(idleHost()), []);
const leaves = commands.filter(([, command]) => command.commands.length === 0);

/** Returns the words of the examples in a help text, with continued lines joined. */
function examplesOf(help: string): string[] {
  const [, examples = ''] = help.split('\nExample:\n');
  return examples
    .replaceAll(/\\\n\s+/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

describe('--help', () => {
  it.each(commands.map(([words]) => words))(
    'of "%s" describes the command with an example, without any setting',
    async (words) => {
      const { exitCode, stdout, stderr } = await runCommand([
        ...words.split(' ').filter(Boolean),
        '--help',
      ]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout).toContain(`Usage: ${`${PROGRAM} ${words}`.trim()} `);
      const examples = examplesOf(stdout);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) expect(example).toContain(`${PROGRAM} ${words}`.trim());
    },
  );

  it.each(leaves)('of "%s" explains each argument and option', (_words, command) => {
    for (const { description } of [...command.registeredArguments, ...command.options]) {
      expect(description).not.toBe('');
    }
    expect(command.options.map(({ long }) => long)).toContain('--json');
  });

  it.each(leaves)('of "%s" shows only options that exist', (_words, command) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    const known = command.options.map(({ long }) => long);
    for (const example of examplesOf(help)) {
      const used = example.match(/--[a-z][a-z0-9-]*/g) ?? [];
      expect(known).toEqual(expect.arrayContaining(used));
    }
  });
});

describe('the command line', () => {
  it('without a command lists the commands and ends with 2', async () => {
    const { exitCode, stderr } = await runCommand([]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Commands:');
  });

  it.each([
    ['an unknown command', ['users'], "unknown command 'users'"],
    ['an unknown option', ['user', 'list', '--all'], "unknown option '--all'"],
    ['a missing argument', ['user', 'show'], "missing required argument 'user'"],
    ['an argument too many', ['user', 'show', 'a', 'b'], 'too many arguments'],
  ])('with %s ends with 2 and one sentence', async (_what, args, sentence) => {
    const { exitCode, stdout, stderr } = await runCommand(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`${PROGRAM}: ${sentence}`);
  });

  it('--version prints the version of the package', async () => {
    const { exitCode, stdout } = await runCommand(['--version']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
