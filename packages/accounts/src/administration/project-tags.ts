import { type Database, hasTable } from '@zonewright/database';
import { ServiceError } from '@zonewright/service-kit';
import { invalidRequest } from '../problems/problems.js';
import type { Tenant } from '../tenants/tenant.js';
import { listTags, replaceTags } from './project-tag-store.js';

/** Keystone's bounds. */
const MAX_TAGS = 80;
const TAG = /^[^,/\0\p{Surrogate}]{1,255}$/u;

/** A tenant as those see it who administer it. */
export interface TaggedTenant extends Tenant {
  readonly tags: readonly string[];
}

export async function withTags(
  db: Database,
  tenants: readonly Tenant[],
): Promise<readonly TaggedTenant[]> {
  const tags = await listTags(
    db,
    tenants.map(({ id }) => id),
  );
  return tenants.map((tenant) => ({ ...tenant, tags: tags.get(tenant.id) ?? [] }));
}

/** @param tags undefined: they stay as they are. @throws ServiceError invalid */
export async function tagTenant(
  trx: Database,
  tenant: Tenant,
  tags?: readonly string[],
): Promise<TaggedTenant> {
  if (tags !== undefined) {
    const wanted = parseTags(tags);
    const isKept = await hasTable(trx, 'identity.project_tags');
    if (!isKept && wanted.length > 0) {
      throw new ServiceError('unavailable', 'tags are kept as soon as the database is migrated');
    }
    if (isKept) await replaceTags(trx, tenant.id, wanted);
  }
  const [tagged] = await withTags(trx, [tenant]);
  return tagged ?? { ...tenant, tags: [] };
}

/** @throws ServiceError invalid */
function parseTags(tags: readonly string[]): readonly string[] {
  const wanted = [...new Set(tags)];
  const wrong = wanted.find((tag) => !TAG.test(tag));
  if (wrong !== undefined || wanted.length > MAX_TAGS) {
    throw invalidRequest(
      `tags are up to ${MAX_TAGS} texts of 1 to 255 characters without comma and slash`,
    );
  }
  return wanted;
}
