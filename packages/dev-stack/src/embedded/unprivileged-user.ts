import { spawnSync } from 'node:child_process';
import { chown, cp, mkdir, mkdtemp, readFile, rename, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';

/** A user without rights, under whom root runs PostgreSQL, which refuses to run as root. */
export interface UnprivilegedUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Where root keeps what an unprivileged user must reach, when the project's folder is closed to others. */
const SYSTEM_FOLDER = '/var/lib/zonewright';

/** undefined when this process is not root: then it needs nobody else. */
export async function findUnprivilegedUser(): Promise<UnprivilegedUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await findUser('postgres');
  if (existing !== undefined) return existing;
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
  const user = (await findUser('postgres')) ?? (await findUser('nobody'));
  if (user === undefined) {
    throw new Error(
      'PostgreSQL cannot run as root, and there is no user "postgres" or "nobody" to run it as: add one, or set DATABASE_URL.',
    );
  }
  return user;
}

async function findUser(name: string): Promise<UnprivilegedUser | undefined> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (const line of passwd.split('\n')) {
    const [login, , uid, gid] = line.split(':');
    if (login === name) return { name, uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** Whether `user` may walk down to `folder`: every folder on the way lets it through. */
export async function canReach(user: UnprivilegedUser, folder: string): Promise<boolean> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const { mode, uid, gid } = await stat(path);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/**
 * A copy of `folder` that `user` can reach, made once: the same content is found again by its path and date.
 */
export async function reachableCopy(user: UnprivilegedUser, folder: string): Promise<string> {
  if (await canReach(user, folder)) return folder;
  const { mtimeMs } = await stat(folder);
  const id = createHash('sha256').update(`${folder} ${mtimeMs}`).digest('hex').slice(0, 16);
  const copy = join(SYSTEM_FOLDER, `postgres-${id}`);
  if (await exists(copy)) return copy;
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  const unfinished = await mkdtemp(`${copy}-`);
  await cp(folder, join(unfinished, 'copy'), { recursive: true, verbatimSymlinks: true });
  // Two starts at the same moment may both have copied; either copy will do.
  await rename(join(unfinished, 'copy'), copy).catch(() => undefined);
  return copy;
}

/** A new empty folder that belongs to `user` and that it can reach. */
export async function createReachableFolder(user: UnprivilegedUser): Promise<string> {
  await mkdir(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  const folder = await mkdtemp(join(SYSTEM_FOLDER, 'data-'));
  await chown(folder, user.uid, user.gid);
  return folder;
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
