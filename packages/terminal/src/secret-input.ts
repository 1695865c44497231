import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { InputError, type Streams } from './streams.js';

interface SecretQuestion {
  /** Name of the secret in the prompt: `password`, `secret key`. */
  readonly what: string;
  /** Option that reads the secret from standard input instead. */
  readonly option: string;
  /** Whether the option was given. */
  readonly fromStdin: boolean;
  /** Whether the secret already exists. It then needs no second entry, since a mistyped one is rejected. */
  readonly isKnown?: boolean;
}

/**
 * Reads a secret from standard input, or twice from the terminal without an echo. On the command line, every process on
 * the machine could see it.
 *
 * @throws InputError if there is no terminal, or if the two inputs differ
 */
export async function readSecret(streams: Streams, question: SecretQuestion): Promise<string> {
  if (question.fromStdin) return await readAll(streams);
  if (streams.stdin.isTTY !== true) {
    throw new InputError(
      `the ${question.what} cannot be read without a terminal. Use ${question.option}.`,
    );
  }
  const { what } = question;
  if (question.isKnown === true) {
    const [known = ''] = await askHidden(streams, [`${capitalize(what)}: `]);
    return known;
  }
  const [typed, again] = await askHidden(streams, [`New ${what}: `, `Repeat the ${what}: `]);
  if (typed === undefined || typed !== again) {
    throw new InputError(`the two inputs of the ${what} do not match`);
  }
  return typed;
}

/** Reads one line with an echo. @throws InputError if the line is empty, or if there is no terminal */
export async function promptLine(streams: Streams, what: string, option: string): Promise<string> {
  if (streams.stdin.isTTY !== true) {
    throw new InputError(`the ${what} is missing. Use ${option}.`);
  }
  const lines = createInterface({ input: streams.stdin, output: streams.stderr, historySize: 0 });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.question(`${capitalize(what)}: `, resolve);
      lines.once('SIGINT', () => {
        reject(new Error('interrupted'));
      });
      lines.once('close', () => {
        reject(new InputError('nothing was entered'));
      });
    });
  } finally {
    lines.close();
  }
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Reads all of standard input, without the trailing newline that echo and editors add. */
async function readAll(streams: Streams): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of streams.stdin) chunks.push(Buffer.from(chunk as Uint8Array | string));
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '');
}

async function askHidden(streams: Streams, prompts: readonly string[]): Promise<string[]> {
  // With a terminal, readline turns off the echo of the system. Its own echo is discarded.
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({
    input: streams.stdin,
    output: nowhere,
    terminal: true,
    historySize: 0,
  });
  try {
    return await new Promise<string[]>((resolve, reject) => {
      const answers: string[] = [];
      lines.on('line', (line) => {
        answers.push(line);
        streams.stderr.write(`\n${prompts[answers.length] ?? ''}`);
        if (answers.length === prompts.length) resolve(answers);
      });
      lines.once('SIGINT', () => {
        streams.stderr.write('\n');
        reject(new Error('interrupted'));
      });
      lines.once('close', () => {
        reject(new Error('nothing was entered'));
      });
      // Prompt only now, since the echo must be off before the user types or pastes.
      streams.stderr.write(prompts[0] ?? '');
    });
  } finally {
    lines.close();
  }
}
