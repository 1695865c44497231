import { type Database, hasTable } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import type { User } from '../users/user-store.js';
import type { Administrator } from './administrator.js';
import {
  deleteDefaultProject,
  listDefaultProjects,
  upsertDefaultProject,
} from './default-project-store.js';
import { getManagedTenant } from './tenant-administration.js';

/** A user as those see it who administer it. */
export interface ManagedUser extends User {
  /** The project that clients take where they are told none; a token without a scope has none all the same. */
  readonly defaultProjectId: string | null;
}

export async function withDefaultProjects(
  db: Database,
  users: readonly User[],
): Promise<ManagedUser[]> {
  const projects = await listDefaultProjects(
    db,
    users.map(({ id }) => id),
  );
  return users.map((user) => ({ ...user, defaultProjectId: projects.get(user.id) ?? null }));
}

/**
 * @param projectId undefined: it stays as it is; an empty text: none
 * @throws ServiceError not-found for a project that the administrator does not manage
 */
export async function changeDefaultProject(
  trx: Database,
  administrator: Administrator,
  { user, projectId }: { readonly user: User; readonly projectId: string | undefined },
): Promise<ManagedUser> {
  const isKept = await hasTable(trx, 'identity.default_projects');
  if (projectId === '') {
    if (isKept) await deleteDefaultProject(trx, user.id);
  } else if (projectId !== undefined) {
    if (!isKept) {
      const message = 'default projects are kept as soon as the database is migrated';
      throw new ServiceError('unavailable', message);
    }
    await getManagedTenant(trx, administrator, projectId);
    await upsertDefaultProject(trx, user.id, projectId);
  }
  return await withDefaultProject(trx, user);
}

export async function withDefaultProject(db: Database, user: User): Promise<ManagedUser> {
  const projects = await listDefaultProjects(db, [user.id]);
  return { ...user, defaultProjectId: projects.get(user.id) ?? null };
}
