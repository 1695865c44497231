// Command line of a benchmark with several parts: requested parts and numbers.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Reads the command line: names of parts (default: all) and numeric options with `defaults`.
 *
 * @throws Error for an unknown part
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

/**
 * Runs one part after the other in a folder that is removed at the end. `prepare` turns the folder into the argument of
 * each part.
 */
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
