import { readFileSync } from 'node:fs';

interface PackageFile {
  readonly version: string;
}

/** Version of this package that operators see. */
export const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as PackageFile
).version;
