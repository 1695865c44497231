import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { EXIT, type Streams } from './streams.js';

/** Exit code and message of a command that failed. */
export interface Failure {
  readonly exitCode: number;
  /** One clear sentence for each problem. Empty if they were printed already. */
  readonly sentences: readonly string[];
}

/** Ends a command with an exit code. The command has already printed its messages. */
export class CommandEnd extends Error {
  override readonly name = 'CommandEnd';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Returns functions that create the commands of a program in a uniform style, with examples in the help. */
export function commandsOf(program: string) {
  return {
    /** Creates a leaf of the tree. Examples omit the name of the program. */
    command: (name: string, summary: string, ...examples: string[]): Command => {
      const lines = examples.map((example) => `  ${program} ${example}`);
      return new Command(name)
        .description(summary)
        .option('--json', 'print JSON, for scripts')
        .addHelpText('after', `\nExample:\n${lines.join('\n')}`);
    },

    /** Creates a group of commands for one kind of object. */
    group: (
      name: string,
      summary: string,
      commands: readonly Command[],
      example: string,
    ): Command => {
      const group = new Command(name)
        .description(summary)
        .addHelpText('after', `\nExample:\n  ${program} ${example}`);
      for (const command of commands) group.addCommand(command);
      return group;
    },
  };
}

/** Runs one command of a tree. @returns the exit code */
export async function runTree(
  program: Command,
  args: readonly string[],
  streams: Streams,
  describeFailure: (error: unknown) => Failure,
): Promise<number> {
  attach(program, program.name(), streams);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.ok;
  } catch (error) {
    const { exitCode, sentences } = describeEnd(error) ?? describeFailure(error);
    for (const sentence of sentences) streams.stderr.write(`${program.name()}: ${sentence}\n`);
    return exitCode;
  }
}

/** Describes an error of Commander, which has already printed its message or the requested help. */
function describeEnd(error: unknown): Failure | undefined {
  if (error instanceof CommandEnd) return { exitCode: error.exitCode, sentences: [] };
  if (!(error instanceof CommanderError)) return undefined;
  const isAnswer = ['commander.helpDisplayed', 'commander.version'].includes(error.code);
  return { exitCode: isAnswer ? EXIT.ok : EXIT.usage, sentences: [] };
}

/** Words that other programs use for the same. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['add', 'create', 'new'],
  ['delete', 'remove', 'rm', 'destroy', 'del'],
  ['list', 'ls', 'all'],
  ['set', 'update', 'change', 'modify', 'edit'],
  ['show', 'get', 'info', 'view', 'status', 'describe'],
  ['sign', 'enable', 'on', 'start'],
  ['unsign', 'disable', 'off', 'stop'],
  ['query', 'dig', 'lookup', 'resolve'],
  ['undelete', 'recover'],
  ['check', 'verify', 'test', 'health'],
];

/** Names the right command for an unknown one, unless Commander has found one with a similar spelling. */
function suggest({ commands }: Command, text: string): string {
  const [, unknown] = /unknown command '([^']+)'/.exec(text) ?? [];
  if (unknown === undefined || text.includes('Did you mean')) return '';
  const names = commands.map((command) => command.name()).filter((name) => name !== 'help');
  const meant = SYNONYMS.filter((words) => words.includes(unknown)).flatMap((words) =>
    words.filter((word) => names.includes(word)),
  );
  return meant.length > 0
    ? `(Did you mean ${meant.join(' or ')}?)\n`
    : `The commands are: ${names.join(', ')}\n`;
}

/** Makes a command and its subcommands write to the given streams, without ending the process. */
function attach(command: Command, program: string, streams: Streams): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => streams.stdout.write(text),
    writeErr: (text) => streams.stderr.write(text),
    outputError: (text, write) => {
      write(`${text.replace(/^error: /, `${program}: `)}${suggest(command, text)}`);
    },
  });
  for (const subcommand of command.commands) attach(subcommand, program, streams);
}

/** Collects the values of an option that may be given several times. An earlier negating option is ignored. */
export function collect(value: string, previous: readonly string[] | false | undefined): string[] {
  return [...(previous || []), value];
}

/** Parses a whole number, zero or more. */
export function parseCount(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number, zero or more.');
}

/** Parses comma-separated words. */
export function parseWords(value: string): string[] {
  const words = value.split(',').map((word) => word.trim());
  if (!words.includes('')) return words;
  throw new InvalidArgumentError('It must be a list of words, separated by commas.');
}
