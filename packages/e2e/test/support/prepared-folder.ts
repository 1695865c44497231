import { readTestEnvironment, waitFor } from '@zonewright/testkit';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const MADE_WITHIN_MS = 90_000;

/**
 * Gives a platform the data folder of one that was started and stopped once: the first of a test run makes it, in its own place,
 * and all others get a copy, while each start of its own would make a cluster, a schema and a demo.
 * @param make leaves a whole data folder in `dataFolder`, and nothing running on it
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
      // So that the next one tries.
      await rm(folder, { recursive: true });
      throw error;
    }
    return;
  }
  await waitFor(() => existsSync(prepared), MADE_WITHIN_MS);
  await copy(prepared, dataFolder);
}

/** With owners and modes: PostgreSQL's files are its user's. */
async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
}
