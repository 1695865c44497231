// Lists the commands of a program from its `--help`, for docs/reference/cli.md.
import { Readable, Writable } from 'node:stream';

/** Creates a host that is sufficient to build a tree of commands that nobody runs. */
export function idleHost() {
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return { env: {}, stdin: Readable.from([]), stdout: sink(), stderr: sink() };
}

/** Writes the list of each program between its markers. */
export function documentCommands(page, programs) {
  let text = page;
  for (const program of programs) {
    const mark = `<!-- commands of ${program.name()} -->`;
    const from = text.indexOf(mark);
    if (from < 0) throw new Error(`docs/reference/cli.md has no place for ${program.name()}`);
    const items = leavesOf(program).map(itemOf).join('\n');
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

function itemOf({ command, path }) {
  const usage = [path, ...command.registeredArguments.map(nameOf)].join(' ');
  const description = command.description().replaceAll('\n', ' ');
  return repeatsName(path, description) ? `- \`${usage}\`` : `- \`${usage}\`: ${description}`;
}

/** Whether a description only repeats the command: "create a tenant" for `tenant create`. */
function repeatsName(path, description) {
  const words = (text) => text.split(/[ -]/).map((word) => word.replace(/s$/, ''));
  const known = new Set([...words(path), 'a', 'an', 'the', 'of', 'for', 'to']);
  return words(description).every((word) => known.has(word));
}

function nameOf(argument) {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
