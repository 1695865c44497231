import { readFileSync } from 'node:fs';

interface PackageFile {
  readonly version: string;
}

/** Of this package, as operators see it. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as PackageFile
).version;
