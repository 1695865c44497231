// Tables of the commands of a program, as its own `--help` describes them, for docs/reference/cli.md.
import { Readable, Writable } from 'node:stream';

/** Options that every command has. */
const COMMON = new Set(
  '--json --jsonl --template --quiet --profile --env-file --debug --curl --columns --no-wait --note'.split(
    ' ',
  ),
);

/** Enough to build a tree of commands that nobody runs. */
export function idleHost() {
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return { env: {}, stdin: Readable.from([]), stdout: sink(), stderr: sink() };
}

/** Puts the table of each program between its marks. */
export function documentCommands(page, programs) {
  let text = page;
  for (const program of programs) {
    const mark = `<!-- commands of ${program.name()} -->`;
    const from = text.indexOf(mark);
    if (from < 0) throw new Error(`docs/reference/cli.md has no place for ${program.name()}`);
    const rows = leavesOf(program).map(rowOf);
    const table = ['| Command | Purpose | Options |', '| --- | --- | --- |', ...rows].join('\n');
    const start = from + mark.length;
    text = `${text.slice(0, start)}\n\n${table}\n\n${text.slice(text.indexOf('<!-- end -->', start))}`;
  }
  return text;
}

function leavesOf(command, path = '') {
  if (command._hidden) return [];
  if (command.commands.length === 0) return [{ command, path }];
  return command.commands.flatMap((child) => leavesOf(child, `${path} ${child.name()}`.trim()));
}

function rowOf({ command, path }) {
  const usage = [path, ...command.registeredArguments.map(nameOf)].join(' ');
  const options = command.options
    .filter(({ long, hidden }) => !hidden && !COMMON.has(long))
    .map(({ long }) => `\`${long}\``);
  const cells = [`\`${usage}\``, command.description(), options.join(', ')];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function nameOf(argument) {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
