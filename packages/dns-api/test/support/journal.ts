import type { Database } from '@zonewright/database';

interface ChangeRow {
  action: string;
  serial_before: number | null;
  serial_after: number;
  record_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Returns the journal of a domain in the order of its entries. */
export async function readJournal(db: Database, domainId: string): Promise<ChangeRow[]> {
  const { rows } = await db.raw<{ rows: ChangeRow[] }>(
    `select c.action, c.serial_before, c.serial_after, c.record_id, c.before, c.after
       from dns.zone_changes as c where c.domain_id = ? order by c.id`,
    [domainId],
  );
  return rows;
}

/**
 * Returns the records that result from replaying the journal, by id; each image before a change is compared with the
 * state.
 */
export function replay(journal: readonly ChangeRow[]): Record<string, unknown>[] {
  const records = new Map<string, Record<string, unknown>>();
  for (const { record_id: id, before, after } of journal) {
    if (id === null) continue;
    const current = records.get(id) ?? null;
    if (JSON.stringify(current) !== JSON.stringify(before)) {
      throw new Error(`The image before does not match: ${JSON.stringify({ current, before })}`);
    }
    if (after === null) records.delete(id);
    else records.set(id, after);
  }
  return [...records.values()].sort((a, b) => String(a['id']).localeCompare(String(b['id'])));
}

/** Returns the rows of a domain in the form of the journal's images. */
export async function readRecordRows(
  db: Database,
  domainId: string,
): Promise<Record<string, unknown>[]> {
  const { rows } = await db.raw<{ rows: Record<string, unknown>[] }>(
    `select r.id, r.name, r.type, r.data, r.ttl, r.priority, r.description, r.version,
            to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as created_at,
            to_char(r.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') as updated_at
       from dns.records as r where r.domain_id = ?`,
    [domainId],
  );
  return rows.sort((a, b) => String(a['id']).localeCompare(String(b['id'])));
}

/**
 * Returns the serials, after checking that each change begins at the serial at which the one before ended, and
 * increases it.
 */
export function serialsOf(journal: readonly ChangeRow[]): number[] {
  const serials: number[] = [];
  for (const { serial_before: before, serial_after: after } of journal) {
    const last = serials.at(-1);
    if (after === last) continue;
    if (last !== undefined && (before !== last || after <= last)) {
      throw new Error(`The serial went from ${last} to ${String(before)} -> ${after}.`);
    }
    serials.push(after);
  }
  return serials;
}
