import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { EXIT } from '@zonewright/terminal';
import { buildProgram } from '../src/command-line.js';
import { PROGRAM } from '../src/command/operator-command.js';
import { idleHost } from './run-command.js';

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

const program = buildProgram(idleHost());

/** Returns the command lines of a document. Continued lines are joined, and comments and shell syntax are removed. */
function commandLinesOf(document: string): string[] {
  return document
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.startsWith(`${PROGRAM} `))
    .map((line) => line.replace(/\s+(#|\||<).*$/, '').slice(PROGRAM.length + 1));
}

/** Returns the command that the first words name. */
function findCommand(words: readonly string[]): Command {
  const child = program.commands.find((command) => command.name() === words[0]);
  if (child === undefined) throw new Error(`There is no command ${words.join(' ')}.`);
  return child.commands.find((command) => command.name() === words[1]) ?? child;
}

const OPERATIONS = new URL('../../../docs/operations/', import.meta.url);
const linesOfGuide = readdirSync(OPERATIONS).flatMap((page) =>
  commandLinesOf(readFileSync(new URL(page, OPERATIONS), 'utf8')).map((line) => ({ page, line })),
);

describe('docs/operations', () => {
  it('the documents contain commands', () => {
    expect(linesOfGuide.length).toBeGreaterThan(50);
  });

  it.each(linesOfGuide)(
    '$page: $line uses an existing command, arguments and options',
    ({ line }) => {
      const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(
        ([word, double, single]) => double ?? single ?? word,
      );
      const command = findCommand(words);
      const isGroupMember = command.parent?.parent === program;
      const rest = words.slice(isGroupMember ? 2 : 1);
      const { operands, unknown } = command.parseOptions(rest);
      expect(unknown).toEqual([]);
      expect(command.commands).toEqual([]);
      const { registeredArguments } = command;
      const required = registeredArguments.filter((argument) => argument.required);
      expect(operands.length).toBeGreaterThanOrEqual(required.length);
      const most =
        registeredArguments.at(-1)?.variadic === true ? Infinity : registeredArguments.length;
      expect(operands.length).toBeLessThanOrEqual(most);
    },
  );
});

it('docs/reference/cli.md lists every exit code', () => {
  const page = read('../../../docs/reference/cli.md');
  const [, section = ''] = page.split('### Exit codes of zonewright-admin');
  const codes = [...section.matchAll(/^- (\d): /gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(EXIT));
});
