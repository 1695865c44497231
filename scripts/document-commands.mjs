// Lists the commands of a program from its `--help`, for docs/reference/cli.md.
import { Readable, Writable } from 'node:stream';

/** Words that tell nothing beside the name of a command. */
const OBVIOUS =
  'a access add an catalog change create domain for in of project tenant the to user your'.split(
    ' ',
  );

/** Creates a host that is sufficient to build a tree of commands that nobody runs. */
export function idleHost() {
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return { env: {}, stdin: Readable.from([]), stdout: sink(), stderr: sink() };
}

/** Writes the list of each program between its markers. */
export function documentCommands(page, programs) {
  let text = page;
  const explained = new Set();
  for (const program of programs) {
    const mark = `<!-- commands of ${program.name()} -->`;
    const from = text.indexOf(mark);
    if (from < 0) throw new Error(`docs/reference/cli.md has no place for ${program.name()}`);
    const items = linesOf(leavesOf(program), explained).join('\n');
    const start = from + mark.length;
    text = `${text.slice(0, start)}\n\n${items}\n\n${text.slice(text.indexOf('<!-- end -->', start))}`;
  }
  return text;
}

function leavesOf(command, path = '') {
  if (command._hidden) return [];
  if (command.commands.length === 0) return [{ command, path }];
  return command.commands.flatMap((child) => leavesOf(child, `${path} ${child.name()}`.trim()));
}

/** One line for each explained command. Those of a group that explain themselves, or were explained for an earlier program, share a line. */
function linesOf(leaves, explained) {
  const plain = new Map();
  const lines = [];
  for (const { command, path } of leaves) {
    const description = command.description().replaceAll('\n', ' ');
    const usage = [path, ...command.registeredArguments.map(nameOf)].join(' ');
    const [group] = path.split(' ');
    const isPlain = explained.has(usage) || repeatsName(path, description);
    explained.add(usage);
    if (!isPlain) lines.push(`- \`${usage}\`: ${description}`);
    else if (plain.has(group)) lines[plain.get(group)] += `, \`${usage.slice(group.length + 1)}\``;
    else plain.set(group, lines.push(`- \`${usage}\``) - 1);
  }
  return lines;
}

/** Whether a description only repeats the command: "create a tenant" for `tenant create`. */
function repeatsName(path, description) {
  const words = (text) => text.split(/[ -]/).map((word) => word.replace(/s$/, ''));
  const known = new Set([...words(path), ...OBVIOUS]);
  return words(description).every((word) => known.has(word));
}

function nameOf(argument) {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
