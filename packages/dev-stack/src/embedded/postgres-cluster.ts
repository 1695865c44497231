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

/** Every cluster has it; by our own making last of all, so that a folder with it holds a whole cluster. */
const VERSION_FILE = 'PG_VERSION';
/** Folder below the cluster's folder in which initdb works. Its content has never been a database. */
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
 * The cluster that is in `folder`, whoever made it, and its file of the version. Nothing of it is ever removed.
 *
 * @returns undefined when there is none, and one may be made
 * @throws Error when that cannot be told, or when something else is there
 */
export async function findCluster(
  folder: string,
): Promise<{ readonly folder: string; readonly version: string } | undefined> {
  try {
    const isThere = await unlessMissing(lstat(folder));
    if (isThere === undefined) return undefined;
    const real = await unlessMissing(realpath(folder));
    if (real === undefined) throw new Error('it leads to a folder that is not there');
    const names = await readdir(real);
    if (names.includes(VERSION_FILE)) {
      await giveBackToOwner(real);
      return { folder: real, version: join(real, VERSION_FILE) };
    }
    if (names.length === 0 || (await isOurBeginning(real, names))) return undefined;
    throw new Error(`it has files, but no ${VERSION_FILE}`);
  } catch (error) {
    throw new Error(
      `${folder} should hold PostgreSQL's files, and cannot be used: ${(error as Error).message}. Nothing was changed; to begin with an empty database, move it away.`,
      { cause: error },
    );
  }
}

/** initdb was interrupted, and nothing but its folder is here; or the moving of what it had made. */
async function isOurBeginning(folder: string, names: readonly string[]): Promise<boolean> {
  if (!names.includes(UNFINISHED)) return false;
  return names.length === 1 || (await isFinished(join(folder, UNFINISHED)));
}

async function isFinished(unfinished: string): Promise<boolean> {
  return (await unlessMissing(stat(join(unfinished, INITIALIZED_MARK)))) !== undefined;
}

/** An earlier version, run by root, took the folder, but not what is in it, from the user who had made it. */
async function giveBackToOwner(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(join(folder, VERSION_FILE));
  if ((await stat(folder)).uid !== uid) await chown(folder, uid, gid);
}

/** Creates a cluster if findCluster found none. An interrupted earlier attempt is completed or started again. */
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
  // The version last: with it the cluster is there. The mark stays until nothing else is left to be moved.
  const rank = (name: string) => [INITIALIZED_MARK, VERSION_FILE].indexOf(name);
  for (const name of names.toSorted((a, b) => rank(a) - rank(b))) {
    if (name !== INITIALIZED_MARK) await rename(join(unfinished, name), join(folder, name));
  }
  await rm(unfinished, { recursive: true });
  return folder;
}

/**
 * The folder itself, or, when root owns a project that others cannot enter, one elsewhere to which a
 * symbolic link leads.
 */
async function prepareFolder({ folder, user, onNote }: NewCluster): Promise<string> {
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  const isThere = (await unlessMissing(lstat(folder))) !== undefined;
  if (!isThere && user !== undefined && !(await canReach(user, parent))) {
    const elsewhere = await createReachableFolder(user);
    await symlink(elsewhere, folder);
    onNote(
      `PostgreSQL cannot run as root, and user "${user.name}" cannot enter ${parent}: its files are in ${elsewhere}.`,
    );
    return elsewhere;
  }
  await mkdir(folder, { recursive: true });
  // PostgreSQL refuses one that others may enter.
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

/** Returns undefined for ENOENT only. Any other error does not show that the file is missing. */
async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
