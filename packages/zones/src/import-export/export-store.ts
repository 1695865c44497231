import { type Database, queryRows } from '@zonewright/database';
import { ALL_RECORDS } from '../rows/record-store.js';
import type { RecordFlags } from '../rows/record-flags.js';

/** Domain in an account export (docs/account-export.schema.json). Times are RFC 3339 in UTC. */
export interface DomainPart {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  /** Name in the letter case of its creation. Absent if it is the canonical name. */
  readonly displayName?: string;
  readonly email: string;
  readonly ttl: number;
  readonly description: string | null;
  readonly serial?: number;
  readonly version?: number;
  readonly createdAt?: string;
  readonly updatedAt?: string | null;
  readonly records: readonly RecordPart[];
}

export interface RecordPart {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly ttl?: number | null;
  readonly priority?: number | null;
  readonly description?: string | null;
  /** Absent if no flag is set. */
  readonly flags?: RecordFlags;
  readonly version?: number;
  readonly createdAt?: string;
  readonly updatedAt?: string | null;
}

/** SQL for a timestamp in a document, with the microseconds by which lists are sorted. */
const time = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Lists the next existing domains of tenants, by id. */
export async function listDomainParts(
  db: Database,
  tenantIds: readonly string[],
  page: { readonly after: string; readonly limit: number },
): Promise<Omit<DomainPart, 'records'>[]> {
  const rows = await queryRows<NamedDomainRow>(
    db,
    `select d.id, d.tenant_id as tenant, d.name, d.display_name as "displayName", d.email, d.ttl, d.description, d.serial, d.version,
            ${time('d.created_at')} as "createdAt", ${time('d.updated_at')} as "updatedAt"
       from dns.domains as d
      where d.tenant_id = any(?::text[]) and d.deleted_at is null and d.id > ?::uuid order by d.id limit ?`,
    [tenantIds, page.after, page.limit],
  );
  return rows.map(({ displayName, ...row }) =>
    displayName === null ? row : { ...row, displayName },
  );
}

type NamedDomainRow = Omit<DomainPart, 'records' | 'displayName'> & {
  readonly displayName: string | null;
};

/** Counts the signed domains of tenants, whose keys an export does not contain. */
export async function countSignedDomains(
  db: Database,
  tenantIds: readonly string[],
): Promise<number> {
  const [row] = await queryRows<{ count: number | string }>(
    db,
    `select count(*) as count from dns.domains as d join dns.zone_dnssec as z on z.domain_id = d.id
      where d.tenant_id = any(?::text[]) and d.deleted_at is null`,
    [[...tenantIds]],
  );
  return Number(row?.count ?? 0);
}

/** Lists the next records of a domain by id, including disabled ones. */
export async function listRecordParts(
  db: Database,
  domainId: string,
  page: { readonly after: string; readonly limit: number },
): Promise<RecordPart[]> {
  const rows = await queryRows<Omit<RecordPart, 'flags'> & { readonly flags: RecordFlags | null }>(
    db,
    `select r.flags, r.id, r.name, r.type, r.data, r.ttl, r.priority, r.description, r.version,
            ${time('r.created_at')} as "createdAt", ${time('r.updated_at')} as "updatedAt"
       from ${ALL_RECORDS} as r
      where r.domain_id = ?::uuid and r.id > ?::uuid order by r.id limit ?`,
    [domainId, page.after, page.limit],
  );
  return rows.map(({ flags, ...row }) => (flags === null ? row : { ...row, flags }));
}
