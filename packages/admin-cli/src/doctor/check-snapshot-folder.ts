import { constants } from 'node:fs';
import { access, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './finding.js';
import { error, ok, warning } from './finding.js';

const AREA = 'snapshots';
/** The folder needs space for the current snapshot, the previous one, and the one that is being written. */
const COPIES = 3;

/** Checks the folder of a nameserver's snapshots, if it is on this machine. */
export const checkSnapshotFolder: Check = async ({ settings }) => {
  const { snapshotFolder: folder } = settings.doctor;
  if (folder === undefined) {
    return [ok(AREA, 'NAMESERVER_SNAPSHOT_DIR is not set here: no folder is checked.')];
  }
  try {
    await access(folder, constants.W_OK);
  } catch (failure) {
    return [
      error(
        AREA,
        `Snapshots cannot be written to ${folder} (${(failure as NodeJS.ErrnoException).code ?? ''}).`,
        'Create the folder, and allow the user of the nameserver to write to it.',
      ),
    ];
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const names = (await readdir(folder)).filter((name) => name.startsWith('zones.snapshot'));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  const needed = Math.max(0, ...sizes) * COPIES;
  const shown = `${Math.floor(free / 1_048_576)} MiB are free`;
  if (free < needed || free < 64 * 1_048_576) {
    return [
      warning(
        AREA,
        `The disk of ${folder} is nearly full: ${shown}.`,
        'Free some space: three snapshots must fit at the same time.',
      ),
    ];
  }
  return [ok(AREA, `Snapshots can be written to ${folder}; ${shown}.`)];
};
