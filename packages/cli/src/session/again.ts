import { setTimeout as pause } from 'node:timers/promises';
import { InvalidArgumentError, Option } from 'commander';
import type { Session } from './session.js';
import { describeFailure } from '../command/failure.js';

const DAY_SECONDS = 86_400;

/** `--watch`, which takes how often. @param seconds the usual */
export function watchOption(what: string, seconds: number): Option {
  return new Option('--watch [seconds]', what).preset(String(seconds)).argParser(parseSeconds);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,5}$/.test(text) && seconds >= 1 && seconds <= DAY_SECONDS) return seconds;
  throw new InvalidArgumentError(`It must be a whole number of seconds from 1 to ${DAY_SECONDS}.`);
}

/**
 * Calls `look` until it returns true or the user presses Ctrl-C. After the first success, failures are reported once and retried.
 *
 * @param look returns whether there is nothing more to show
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
