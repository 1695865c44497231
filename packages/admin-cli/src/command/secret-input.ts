import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { ServiceError } from '@zonewright/service-kit';
import type { Host } from './host.js';

interface SecretQuestion {
  /** `password`, `secret key`: what the prompt asks for. */
  readonly what: string;
  /** The option that reads standard input instead. */
  readonly option: string;
  /** Whether that option was given. */
  readonly fromStdin: boolean;
}

/**
 * A secret that must not stand on the command line, where every process of the machine could see it: from
 * standard input, or typed twice without an echo.
 *
 * @throws ServiceError invalid when there is no terminal, or when the two differ
 */
export async function readSecret(host: Host, question: SecretQuestion): Promise<string> {
  if (question.fromStdin) return await readAll(host);
  if (host.stdin.isTTY !== true) {
    throw new ServiceError(
      'invalid',
      `there is no terminal on which to ask for the ${question.what}: give it with ${question.option}`,
    );
  }
  const { what } = question;
  const [typed, again] = await askHidden(host, [`New ${what}: `, `The same ${what} again: `]);
  if (typed === undefined || typed !== again) {
    throw new ServiceError('invalid', `the two entries of the ${what} differ`);
  }
  return typed;
}

/** All of standard input, without the line end that echo and editors add. */
async function readAll(host: Host): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of host.stdin) chunks.push(Buffer.from(chunk as Uint8Array | string));
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '');
}

async function askHidden(host: Host, prompts: readonly string[]): Promise<string[]> {
  // As a terminal, readline switches the echo of the system off; what it would echo itself goes nowhere.
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  const lines = createInterface({
    input: host.stdin,
    output: nowhere,
    terminal: true,
    historySize: 0,
  });
  try {
    return await new Promise<string[]>((resolve, reject) => {
      const answers: string[] = [];
      lines.on('line', (line) => {
        answers.push(line);
        host.stderr.write(`\n${prompts[answers.length] ?? ''}`);
        if (answers.length === prompts.length) resolve(answers);
      });
      lines.once('SIGINT', () => {
        host.stderr.write('\n');
        reject(new Error('interrupted'));
      });
      lines.once('close', () => {
        reject(new Error('nothing was entered'));
      });
      // Only now: what is typed, or pasted, as soon as the prompt stands there must find the echo off.
      host.stderr.write(prompts[0] ?? '');
    });
  } finally {
    lines.close();
  }
}
