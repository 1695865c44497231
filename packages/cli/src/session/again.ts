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
 * Looks, and after a pause again, until there is no more to see, or Ctrl-C. What has worked once is tried again after a failure, which
 * is said once.
 *
 * @param look whether that was all
 * @throws what the first look throws
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
    if (failure !== '' && failure !== said) output.remark(`${failure}; trying again`);
    said = failure;
  }
}
