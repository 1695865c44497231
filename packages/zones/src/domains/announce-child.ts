import { type Database, queryRows } from '@zonewright/database';
import { ancestorsOf } from '@zonewright/dns-records';
import type { ServiceWork } from '../request/unit-of-work.js';
import { removalsByService } from '../checks/record-change.js';
import { getZoneForChange } from '../rows/get-zone.js';
import { listRecordsNamed } from '../rows/record-store.js';
import { isBelow, listZonesNamed } from '../rows/zone-store.js';
import type { Zone } from '../rows/zone.js';
import { signParent } from '../write/commit/service-step.js';
import { writeChanges } from '../write/commit/write-changes.js';

/**
 * Publishes in the parent zone that this service serves a child zone. Existing DS records of the child belong to an
 * earlier provider and are removed in the same change: with them, resolvers would reject the child.
 */
export async function announceChild(work: ServiceWork, child: Pick<Zone, 'name'>): Promise<void> {
  const above = await listZonesNamed(work.trx, ancestorsOf(child.name));
  const parent = above.toSorted((a, b) => b.name.length - a.name.length)[0];
  // A change of the parent also signs its side of the delegation.
  const told = parent && (await removeDs(work, parent, [child.name]));
  if (told === undefined) await signParent(work, child.name);
}

/**
 * Publishes all child zones of a new parent zone in it, like announceChild. They may have been created while the
 * parent was deleted or was a secondary zone.
 *
 * @returns the parent with its new serial; undefined if it has no DS records for child zones
 */
export async function announceChildren(
  work: ServiceWork,
  parent: Pick<Zone, 'id' | 'name' | 'tenantId'>,
): Promise<Zone | undefined> {
  const names = await listChildrenWithDs(work.trx, parent);
  return names.length === 0 ? undefined : await removeDs(work, parent, names);
}

/** @returns the zone with its new serial; undefined if nothing was removed */
async function removeDs(
  work: ServiceWork,
  { id, tenantId }: Pick<Zone, 'id' | 'tenantId'>,
  names: readonly string[],
): Promise<Zone | undefined> {
  const { trx, caller } = work;
  const records = await listRecordsNamed(trx, id, names);
  const gone = records.filter(({ type }) => type === 'DS');
  if (gone.length === 0) return undefined;
  // The creator of the child may have no rights at the parent.
  const author = {
    ...caller,
    tenantId,
    key: undefined,
    accessKeyId: caller.accessKeyId ?? caller.key?.id,
  };
  const parent = await getZoneForChange(trx, author, id);
  // Records of a secondary zone come from its primaries.
  if (parent.secondary !== undefined) return undefined;
  return await writeChanges({ ...work, caller: author }, parent, removalsByService(gone));
}

/** Returns names below a zone that have DS records in it and are zones whose records are in this service. */
async function listChildrenWithDs(
  db: Database,
  { id, name }: Pick<Zone, 'id' | 'name'>,
): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    db,
    `select d.name from dns.domains as d
      where ${isBelow('?')} and d.deleted_at is null
        and not exists (select from dns.secondaries as s where s.domain_id = d.id)
        and exists (select from dns.records as r where r.domain_id = ? and r.name = d.name and r.type = 'DS')`,
    [name, name, id],
  );
  return rows.map((row) => row.name);
}
