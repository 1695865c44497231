import { InvalidArgumentError } from 'commander';

/** For an option that may be given several times; the one that negates it, given before, is forgotten. */
export function collect(value: string, previous: readonly string[] | false | undefined): string[] {
  return [...(previous || []), value];
}

/** A whole number, zero or more. */
export function parseCount(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number, zero or more.');
}

/** Words with commas between. */
export function parseWords(value: string): string[] {
  const words = value.split(',').map((word) => word.trim());
  if (!words.includes('')) return words;
  throw new InvalidArgumentError('It must be words, separated by commas.');
}
