import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PostgresBinaries } from './postgres-binaries.js';
import { canReach, createReachableFolder, type UnprivilegedUser } from './unprivileged-user.js';

export const SUPERUSER = 'zonewright';

/** File of every cluster. It is moved last, so that a folder with it contains a complete cluster. */
const VERSION_FILE = 'PG_VERSION';
/** Folder in the cluster's folder in which initdb works. Its content has never been used as a database. */
const UNFINISHED = 'zonewright-unfinished';
/** File in that folder, written when initdb has succeeded. */
const INITIALIZED_MARK = 'zonewright-initialized';

interface NewCluster {
  readonly folder: string;
  /** Password of the superuser. */
  readonly password: string;
  readonly binaries: PostgresBinaries;
  readonly user: UnprivilegedUser | undefined;
  readonly onNote: (note: string) => void;
}

/**
 * Returns the existing cluster in `folder`, with the content of its version file. Nothing in it is ever removed.
 *
 * @returns undefined if there is none and one may be created
 * @throws Error if this is unclear, or if the folder contains something else
 */
export async function findCluster(
  folder: string,
): Promise<{ readonly folder: string; readonly version: string } | undefined> {
  try {
    const isThere = await unlessMissing(lstat(folder));
    if (isThere === undefined) return undefined;
    const real = await unlessMissing(realpath(folder));
    if (real === undefined) throw new Error('it points to a folder that does not exist');
    const names = await readdir(real);
    if (names.includes(VERSION_FILE)) {
      await giveBackToOwner(real);
      return { folder: real, version: join(real, VERSION_FILE) };
    }
    if (names.length === 0 || (await isOurBeginning(real, names))) return undefined;
    throw new Error(`it has files, but no ${VERSION_FILE}`);
  } catch (error) {
    throw new Error(
      `${folder} should contain the files of PostgreSQL, but cannot be used: ${(error as Error).message}. Nothing was changed. To start with an empty database, move this folder away.`,
      { cause: error },
    );
  }
}

/** Whether initdb, or the move of its result, was interrupted. */
async function isOurBeginning(folder: string, names: readonly string[]): Promise<boolean> {
  if (!names.includes(UNFINISHED)) return false;
  return names.length === 1 || (await isFinished(join(folder, UNFINISHED)));
}

async function isFinished(unfinished: string): Promise<boolean> {
  return (await unlessMissing(stat(join(unfinished, INITIALIZED_MARK)))) !== undefined;
}

/**
 * Returns the folder to its owner. An earlier version, run by root, took ownership of the folder but not of its
 * content.
 */
async function giveBackToOwner(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(join(folder, VERSION_FILE));
  if ((await stat(folder)).uid !== uid) await chown(folder, uid, gid);
}

/** Creates a cluster if findCluster found none. An interrupted attempt is completed or restarted. */
export async function initializeCluster(cluster: NewCluster): Promise<string> {
  const folder = await prepareFolder(cluster);
  const unfinished = join(folder, UNFINISHED);
  if (!(await isFinished(unfinished))) {
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    if (cluster.user !== undefined) await chown(unfinished, cluster.user.uid, cluster.user.gid);
    await runInitdb(cluster, unfinished);
    await writeFile(join(unfinished, INITIALIZED_MARK), '');
  }
  const names = await readdir(unfinished);
  // The version file is moved last: its presence means that the cluster is complete. The mark stays until everything
  // else has been moved.
  const rank = (name: string) => [INITIALIZED_MARK, VERSION_FILE].indexOf(name);
  for (const name of names.toSorted((a, b) => rank(a) - rank(b))) {
    if (name !== INITIALIZED_MARK) await rename(join(unfinished, name), join(folder, name));
  }
  await rm(unfinished, { recursive: true });
  return folder;
}

/**
 * Prepares the folder. If root owns a project that others cannot enter, the folder is elsewhere and a symbolic link
 * leads to it.
 */
async function prepareFolder({ folder, user, onNote }: NewCluster): Promise<string> {
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  const isThere = (await unlessMissing(lstat(folder))) !== undefined;
  if (!isThere && user !== undefined && !(await canReach(user, parent))) {
    const elsewhere = await createReachableFolder(user);
    await symlink(elsewhere, folder);
    onNote(
      `PostgreSQL cannot run as root, and user "${user.name}" cannot access ${parent}: its files are in ${elsewhere}.`,
    );
    return elsewhere;
  }
  await mkdir(folder, { recursive: true });
  // PostgreSQL refuses a folder that others may enter.
  await chmod(folder, 0o700);
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  return await realpath(folder);
}

async function runInitdb({ binaries, password, user }: NewCluster, folder: string): Promise<void> {
  const secretFolder = await mkdtemp(join(tmpdir(), 'zonewright-initdb-'));
  const passwordFile = join(secretFolder, 'password');
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (user !== undefined) {
      await chmod(secretFolder, 0o711);
      await chown(passwordFile, user.uid, user.gid);
    }
    const result = spawnSync(
      binaries.initdb,
      [
        `--pgdata=${folder}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--no-instructions',
      ],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
        ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
      },
    );
    if (result.status !== 0) {
      throw new Error(`initdb failed: ${result.error?.message ?? result.stderr.trim()}`);
    }
  } finally {
    await rm(secretFolder, { recursive: true, force: true });
  }
}

/** Returns undefined only for ENOENT. Any other error does not mean that the file is missing. */
async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
