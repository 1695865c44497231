import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { readdirSync, readFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { buildProgram } from '../src/command-line.js';

const sink = () =>
  new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
const program = buildProgram({
  env: {},
  stdin: Readable.from([]),
  stdout: sink(),
  stderr: sink(),
} as never);

const DOCS = new URL('../../../docs/', import.meta.url);
const PAGES = ['guide', 'recipes', 'operations'].flatMap((folder) =>
  readdirSync(new URL(folder, DOCS)).map((page) => `${folder}/${page}`),
);

/** Commands within sentences and tables, which no test runs. */
const inline = PAGES.flatMap((page) => {
  const text = readFileSync(new URL(page, DOCS), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/`zonewright ([a-z][^`]*)`/g)].map(([, line = '']) => ({ page, line }));
});

function findCommand(words: readonly string[]): { command: Command; rest: readonly string[] } {
  let command: Command = program;
  let at = 0;
  for (; at < words.length; at += 1) {
    const child = command.commands.find(
      (each) => each.name() === words[at] || each.aliases().includes(words[at] ?? ''),
    );
    if (child === undefined) break;
    command = child;
  }
  return { command, rest: words.slice(at) };
}

describe('commands that documents name in a sentence', () => {
  it('the documents contain commands', () => {
    expect(inline.length).toBeGreaterThan(30);
  });

  it.each(inline)('$page: zonewright $line', ({ line }) => {
    const words = [...line.replaceAll('SERIAL', '1').matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(
      ([word]) => word,
    );
    const { command, rest } = findCommand(words);
    expect(command).not.toBe(program);
    const { operands, unknown } = command.parseOptions([...rest]);
    expect(unknown.filter((word) => word.startsWith('-'))).toEqual([]);
    if (command.commands.length > 0) expect(operands).toEqual([]);
  });
});
