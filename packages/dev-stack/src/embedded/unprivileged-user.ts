import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  stat,
} from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';

/** User without privileges. Root runs PostgreSQL as this user, since PostgreSQL refuses to run as root. */
export interface UnprivilegedUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Folder for files that an unprivileged user must reach if root's project folder is closed to others. */
const SYSTEM_FOLDER = '/var/lib/zonewright';

/**
 * Finds the owner of existing files. PostgreSQL must run as this user.
 *
 * @returns undefined if this process is not root and needs no other user
 */
export async function findOwner(path: string): Promise<UnprivilegedUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = await stat(path);
  if (uid === 0) return await findSystemUser();
  const { name = String(uid) } = (await readUsers()).find((user) => user.uid === uid) ?? {};
  return { name, uid, gid };
}

/**
 * Finds the user for new files in `folder`: its owner, so that files that root creates in a user's folder belong to
 * that user.
 *
 * @returns undefined if this process is not root and needs no other user
 */
export async function findUnprivilegedUser(folder: string): Promise<UnprivilegedUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const { uid } = await stat(folder);
  // initdb needs a user with a name. A folder from outside a container may belong to a user without one.
  const owner = uid === 0 ? undefined : (await readUsers()).find((user) => user.uid === uid);
  return owner ?? (await findSystemUser());
}

async function findSystemUser(): Promise<UnprivilegedUser> {
  const existing = await findUser('postgres');
  if (existing !== undefined) return existing;
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
  const user = (await findUser('postgres')) ?? (await findUser('nobody'));
  if (user === undefined) {
    throw new Error(
      'PostgreSQL cannot run as root, and there is no user "postgres" or "nobody": add one of them, or set DATABASE_URL.',
    );
  }
  return user;
}

async function findUser(wanted: string): Promise<UnprivilegedUser | undefined> {
  return (await readUsers()).find(({ name }) => name === wanted);
}

async function readUsers(): Promise<UnprivilegedUser[]> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return passwd.split('\n').map((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
}

/** Whether `user` can enter `folder` and all folders above it. */
export async function canReach(user: UnprivilegedUser, folder: string): Promise<boolean> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const { mode, uid, gid } = await stat(path);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/** Returns a copy of `folder` that `user` can reach. It is created once for a path and date. */
export async function reachableCopy(user: UnprivilegedUser, folder: string): Promise<string> {
  const parts = ['bin', 'lib', 'share'].map((part) => canReach(user, join(folder, part)));
  if ((await Promise.all(parts)).every(Boolean)) return folder;
  const { mtimeMs } = await stat(folder);
  const id = createHash('sha256').update(`${folder} ${mtimeMs} for all`).digest('hex').slice(0, 16);
  const copy = join(SYSTEM_FOLDER, `postgres-${id}`);
  await openSystemFolder();
  if (await exists(copy)) return copy;
  const unfinished = await mkdtemp(`${copy}-`);
  await cp(folder, join(unfinished, 'copy'), { recursive: true, verbatimSymlinks: true });
  await letAllRead(join(unfinished, 'copy'));
  // Two concurrent starts may both have copied. Either copy can be used.
  await rename(join(unfinished, 'copy'), copy).catch(() => undefined);
  return copy;
}

/** Creates an empty folder that belongs to `user` and that the user can reach. */
export async function createReachableFolder(user: UnprivilegedUser): Promise<string> {
  await openSystemFolder();
  const folder = await mkdtemp(join(SYSTEM_FOLDER, 'data-'));
  await chown(folder, user.uid, user.gid);
  return folder;
}

/** Sets the mode explicitly, since the umask may be stricter. */
async function openSystemFolder(): Promise<void> {
  await mkdir(SYSTEM_FOLDER, { recursive: true });
  await chmod(SYSTEM_FOLDER, 0o755);
}

/** Makes files readable for all users. An installation under a umask of 077 is closed to others. */
async function letAllRead(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await letAllRead(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
