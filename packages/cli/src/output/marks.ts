import type { Host } from '../command/host.js';

/** Signs before lines; in colours at a terminal, unless NO_COLOR (https://no-color.org) forbids it. */
export function marksFor({ env, stdout }: Host) {
  const hasColours = stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
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
