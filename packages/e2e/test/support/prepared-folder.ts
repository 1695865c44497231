import { readTestEnvironment, waitFor } from '@zonewright/testkit';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const MADE_WITHIN_MS = 90_000;

/**
 * Gives a platform a copy of a data folder that was started and stopped once. The first platform of a test run creates
 * it, since each start would create a cluster, a schema and a demo.
 * @param make creates a complete data folder in `dataFolder`, without running processes
 */
export async function copyPreparedFolder(
  dataFolder: string,
  make: () => Promise<void>,
): Promise<void> {
  const folder = join(readTestEnvironment().folder, 'platform');
  const prepared = join(folder, 'data');
  const isFirst = (await mkdir(folder, { recursive: true })) !== undefined;
  if (isFirst) {
    try {
      await make();
      await rm(join(dataFolder, 'logs'), { recursive: true });
      await copy(dataFolder, `${prepared}.new`);
      await rename(`${prepared}.new`, prepared);
    } catch (error) {
      // Removed so that the next platform tries again.
      await rm(folder, { recursive: true });
      throw error;
    }
    return;
  }
  await waitFor(() => existsSync(prepared), MADE_WITHIN_MS);
  await copy(prepared, dataFolder);
}

/** Copies files with owners and modes: the files of PostgreSQL belong to its user. */
async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}
