import type { Line } from '../../change-list/zone-line.js';
import { hclResource } from '../../ui/hcl.js';

interface Row extends Line {
  readonly description: string | null;
}

interface RecordChange {
  readonly before: (Row & { readonly id: string }) | undefined;
  readonly after: Row | undefined;
}

/**
 * The resource of Terraform's provider for OpenStack that makes one new or changed record: it has all records of a name and type, with
 * one TTL and one description. Undefined where it has no words for what they would be.
 *
 * @param known the domain's records, where all of them are here
 */
export function recordsetFor(
  { id, name: zone }: { readonly id: string; readonly name: string },
  [change, ...others]: readonly RecordChange[],
  known: readonly (Row & { readonly id: string })[] | undefined,
): string | undefined {
  const after = change?.after;
  if (after === undefined || others.length > 0 || known === undefined) return undefined;
  const { name, type, ttl, description } = after;
  // Not all of it is typed yet.
  if (after.data === '' || Number.isNaN(after.priority) || Number.isNaN(ttl)) return undefined;
  // The service's own stand at the name of the domain, and are not to be written.
  if (type === 'NS' && name === zone) return undefined;
  const rows: readonly Row[] = [
    ...known.filter(
      (each) => each.name === name && each.type === type && each.id !== change?.before?.id,
    ),
    after,
  ];
  const isOne = rows.every((row) => row.ttl === ttl && row.description === description);
  if (!isOne || rows.some(hasFlags)) return undefined;
  return hclResource('openstack_dns_recordset_v2', `${name.replace(/\.$/, '')}_${type}`, {
    zone_id: id,
    name,
    type,
    ttl: ttl ?? undefined,
    description: description ?? undefined,
    records: rows.map(({ priority, data }) => (priority === null ? data : `${priority} ${data}`)),
  });
}

function hasFlags({ disabled = false, expires_at: end, tags = [] }: Row): boolean {
  return disabled || end != null || tags.length > 0;
}
