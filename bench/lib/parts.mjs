// A benchmark of several parts: which were asked for, with which numbers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Reads the command line: names of parts, none for all of them, and options that are numbers, of which `defaults` has the usual
 * values.
 *
 * @throws Error for a part that there is not
 */
export function readParts(parts, defaults) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [
        name,
        { type: 'string', default: String(value) },
      ]),
    ),
  });
  const unknown = positionals.find((part) => !(part in parts));
  if (unknown !== undefined) {
    throw new Error(`There is no part ${unknown}; there are ${Object.keys(parts).join(', ')}.`);
  }
  return {
    numbers: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, Number(value)]),
    ),
    chosen: Object.entries(parts).filter(
      ([name]) => positionals.length === 0 || positionals.includes(name),
    ),
  };
}

/** One part after the other, in a folder that goes with the end. `prepare` makes of the folder what each part is given. */
export async function measureParts(chosen, prepare) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    const world = prepare(folder);
    for (const [name, measure] of chosen) {
      console.error(`measuring ${name} ...`);
      await measure(world);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
