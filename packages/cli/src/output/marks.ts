import type { Host } from '../command/host.js';

/** Signs before lines; in colours at a terminal, unless NO_COLOR (https://no-color.org) forbids it; FORCE_COLOR has them elsewhere, too. */
export function marksFor({ env, stdout }: Host) {
  const isForced = (env['FORCE_COLOR'] ?? '0') !== '0';
  const hasColours =
    !env['NO_COLOR'] && (isForced || (stdout.isTTY === true && env['TERM'] !== 'dumb'));
  const mark = (sign: string, colour: number) =>
    hasColours ? `\u001b[${colour}m${sign}\u001b[0m` : sign;
  return {
    good: mark('✔', 32),
    bad: mark('✘', 31),
    warning: mark('!', 33),
    added: mark('+', 32),
    changed: mark('~', 33),
    removed: mark('-', 31),
  };
}
