import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SEPARATOR = ' => ';

/** Returns the lines of test/cases/NAME.txt that are cases (test/cases/README.md). */
export function readCases(name: string): string[] {
  const path = fileURLToPath(new URL(`cases/${name}.txt`, import.meta.url));
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '));
}

/** Returns the cases of a file whose lines have two columns. */
export function readPairs(name: string): [string, string][] {
  return readCases(name).map((line) => {
    const at = line.lastIndexOf(SEPARATOR);
    if (at === -1) {
      throw new Error(`${name}.txt: a line has no "${SEPARATOR}": ${line}`);
    }
    return [line.slice(0, at), line.slice(at + SEPARATOR.length)];
  });
}
