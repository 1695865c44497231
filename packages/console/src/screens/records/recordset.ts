import type { Line } from '../../ui/change-list.js';
import { hclResource } from '../../ui/hcl.js';
import { hasFlags } from '../../ui/record-flags.js';

interface Row extends Line {
  readonly description: string | null;
}

interface RecordChange {
  readonly before: (Row & { readonly id: string }) | undefined;
  readonly after: Row | undefined;
}

/**
 * Returns the resource for a new or changed record, for Terraform's OpenStack provider. It contains all records of a
 * name and type, with one TTL and one description. Undefined if the resource cannot express them.
 *
 * @param known all records of the domain; undefined if not all of them are loaded
 */
export function recordsetFor(
  { id, name: zone }: { readonly id: string; readonly name: string },
  [change, ...others]: readonly RecordChange[],
  known: readonly (Row & { readonly id: string })[] | undefined,
): string | undefined {
  if (change?.after === undefined || others.length > 0 || known === undefined) return undefined;
  const { before, after } = change;
  const { name, type, ttl, description } = after;
  const isBeside = (each: Row) => each.name === name && each.type === type;
  const rows: readonly Row[] = [
    ...known.filter((each) => isBeside(each) && each.id !== before?.id),
    after,
  ];
  if (!isWritable(after, zone) || !isOne(rows)) return undefined;
  return hclResource('openstack_dns_recordset_v2', `${name.replace(/\.$/, '')}_${type}`, {
    zone_id: id,
    name,
    type,
    ttl: ttl ?? undefined,
    description: description ?? undefined,
    records: rows.map(({ priority, data }) => (priority === null ? data : `${priority} ${data}`)),
  });
}

/** Whether the record is complete and not managed: users cannot change the NS records of the service. */
function isWritable({ name, type, data, priority, ttl }: Row, zone: string): boolean {
  if (type === 'NS' && name === zone) return false;
  return data !== '' && !Number.isNaN(priority) && !Number.isNaN(ttl);
}

function isOne(rows: readonly Row[]): boolean {
  const [first] = rows;
  return rows.every(
    (row) => row.ttl === first?.ttl && row.description === first.description && !hasFlags(row),
  );
}
