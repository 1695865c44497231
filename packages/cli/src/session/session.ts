import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Client, Publication } from '@zonewright/client';
import { CommandEnd, Output } from '@zonewright/terminal';
import { Command, InvalidArgumentError, Option } from 'commander';
import { describeFailure } from '../command/failure.js';
import { EXIT, type Host } from '../command/host.js';
import { type CommonOptions, PROGRAM } from '../command/user-command.js';
import { curlFetch, fetchFor } from '../http/watched-fetch.js';
import { openClient } from '../profile/find-access.js';

/** Longest time in seconds that the service waits. Running nameservers need less. */
const WAIT_SECONDS = 10;

interface WriteOptions {
  readonly signal: AbortSignal;
  readonly wait?: number;
  readonly note?: string;
}

/** Everything that a running command uses. */
export interface Session {
  readonly host: Host;
  readonly output: Output;
  readonly client: Client;
  /** Suggests the next command at the end of the output. */
  readonly suggest: (sentence: string) => void;
  /** Options of every call. */
  readonly reading: { readonly signal: AbortSignal };
  /**
   * Performs a write. If it is interrupted, the command reports that the write may have been done.
   *
   * @param what the changed domain, or another object that the user can check
   */
  readonly write: <T>(
    what: string,
    perform: (options: WriteOptions) => Promise<Answer<T>>,
  ) => Promise<Answer<T>>;
}

/**
 * Returns the action of a command that uses the services. `work` gets the arguments and options that commander has
 * parsed.
 */
export function withSession<A extends unknown[]>(
  host: Host,
  work: (session: Session, ...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  return async (...args) => {
    const options = commonOptionsOf(args);
    const written = new WrittenSoFar();
    const printing = options.curl === true ? new CurlPrinting(host, args) : undefined;
    const output = outputOf(printing?.silent ?? host, options);
    const fetch = fetchFor(host, options);
    const suggestions: string[] = [];
    let published: Publication | undefined;
    const session: Session = {
      host,
      output,
      client: openClient(host, options, printing?.watch(fetch) ?? fetch),
      suggest: (sentence) => suggestions.push(sentence),
      reading: { signal: host.signal },
      write: async (what, perform) => {
        written.begin(what);
        const wait = options.wait === false ? {} : { wait: WAIT_SECONDS };
        const note = options.note === undefined ? {} : { note: options.note };
        const answer = await perform({ signal: host.signal, ...wait, ...note });
        written.end(answer.serial);
        published = answer.publication ?? published;
        return answer;
      },
    };
    const working = () => work(session, ...args);
    await sayOnInterrupt(host, written, () =>
      printing === undefined ? working() : Promise.race([working(), printing.ended]),
    );
    if (published !== undefined) sayHowFar(output, published);
    for (const sentence of suggestions) output.remark(sentence);
  };
}

/** State of a command that only prints its requests. */
class CurlPrinting {
  /** Streams that replace those of the command. */
  readonly silent = { stdout: new Nowhere(), stderr: new Nowhere() };
  readonly ended: Promise<void>;
  readonly #host: Host;
  #end: () => void = () => undefined;

  constructor(host: Host, args: readonly unknown[]) {
    this.#host = host;
    this.ended = new Promise((resolve) => (this.#end = resolve));
    // The command makes no changes, so it must not ask for confirmation.
    const command = args.at(-1);
    if (command instanceof Command) command.setOptionValue('yes', true);
  }

  watch(fetch: ReturnType<typeof fetchFor>): ReturnType<typeof fetchFor> {
    return curlFetch(this.#host, fetch, this.#end);
  }
}

class Nowhere extends Writable {
  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
}

/** @throws CommandEnd if a running nameserver does not answer with the change yet */
function sayHowFar(output: Output, { state, applied, live, total }: Publication): void {
  if (state === 'published') {
    const others = live < total ? `; ${total - live} not running` : '';
    output.remark(`${applied} of ${total} nameservers have published it${others}.`);
    return;
  }
  output.remark(
    `Saved, but only ${applied} of ${live} running nameservers have published it so far.`,
  );
  throw new CommandEnd(EXIT.notPublished);
}

/** Returns the output of a command that may work without the services. */
export function outputOf(host: Pick<Host, 'stdout' | 'stderr'>, options: CommonOptions): Output {
  const { json = false, jsonl = false, quiet = false, columns, template } = options;
  const format = jsonl ? 'jsonl' : json ? 'json' : 'table';
  return new Output(host, format, { isQuiet: quiet, columns, template });
}

/** Returns the options. Commander passes the command itself as the last argument. */
function commonOptionsOf(args: readonly unknown[]): AnyOptions {
  const command = args.at(-1);
  return command instanceof Command ? command.opts<AnyOptions>() : {};
}

/** Common options, including those of writes. */
type AnyOptions = CommonOptions & { readonly wait?: boolean; readonly note?: string };

/** Changes that a command has made, for the message after Ctrl-C. */
class WrittenSoFar {
  readonly #done: string[] = [];
  #underWay: string | undefined;

  begin(what: string): void {
    this.#underWay = what;
  }

  end(serial: number | undefined): void {
    if (this.#underWay === undefined) return;
    this.#done.push(serial === undefined ? this.#underWay : `${this.#underWay} (serial ${serial})`);
    this.#underWay = undefined;
  }

  describe(): readonly string[] {
    const done = this.#done.length === 0 ? 'Nothing was changed' : `Done: ${this.#done.join(', ')}`;
    if (this.#underWay === undefined) return [`Interrupted. ${done}.`];
    return [
      `Interrupted. ${this.#done.length === 0 ? '' : `${done}. `}Unknown outcome: ${this.#underWay}.`,
      `Check with \`${PROGRAM} history\` or \`list\`.`,
    ];
  }
}

async function sayOnInterrupt(
  host: Host,
  written: WrittenSoFar,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!host.signal.aborted) throw error;
    for (const line of written.describe()) host.stderr.write(`${line}\n`);
    throw new CommandEnd(EXIT.interrupted);
  }
}

const DAY_SECONDS = 86_400;

/** Creates the option `--watch` with an interval. @param seconds the default */
export function watchOption(what: string, seconds: number): Option {
  return new Option('--watch [seconds]', what).preset(String(seconds)).argParser(parseSeconds);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,5}$/.test(text) && seconds >= 1 && seconds <= DAY_SECONDS) return seconds;
  throw new InvalidArgumentError(`It must be a whole number of seconds from 1 to ${DAY_SECONDS}.`);
}

/**
 * Calls `look` until it returns true or the user presses Ctrl-C. After the first success, failures are reported once
 * and retried.
 *
 * @param look returns whether everything has been shown
 * @throws the error of the first call
 */
export async function again(
  { output, reading: { signal } }: Session,
  seconds: number,
  look: () => Promise<boolean>,
): Promise<void> {
  if (await look()) return;
  let said = '';
  for (;;) {
    await pause(seconds * 1000, undefined, { signal });
    const outcome = await look().catch((error: unknown) => {
      signal.throwIfAborted();
      return describeFailure(error).sentences.join(' ');
    });
    if (outcome === true) return;
    const failure = outcome === false ? '' : outcome;
    if (failure !== '' && failure !== said) output.remark(`${failure}; retrying`);
    said = failure;
  }
}
