import { type Database, queryRows } from '@zonewright/database';
import { type SigningState, type RequestedSigning, stateToBe } from '../rows/signing-state.js';

/** A signed zone among those of all tenants. */
export interface ListedSigning {
  readonly name: string;
  readonly tenantId: string;
  readonly state: SigningState;
  readonly algorithm: number;
  /** How many keys it has, those that come and go among them. */
  readonly keys: number;
  readonly changedAt: Date;
  readonly wish: RequestedSigning | null;
  /** Number of DS at the parent; null: not checked yet. */
  readonly parentDs: number | null;
}

/** Lists zones with DNSSEC, the latest change of state first. */
export async function listSignings(db: Database): Promise<ListedSigning[]> {
  const rows = await queryRows<ListedSigning>(
    db,
    `select d.name, d.tenant_id as "tenantId", z.state, z.algorithm, z.changed_at as "changedAt", z.wish,
            (select count(*) from dns.zone_keys as k where k.domain_id = d.id and k.state <> 'removed') as keys,
            jsonb_array_length(p.ds) as "parentDs"
       from dns.zone_dnssec as z join dns.domains as d on d.id = z.domain_id and d.deleted_at is null
       left join dns.parent_ds as p on p.domain_id = z.domain_id
      order by z.changed_at desc, d.name`,
  );
  return rows.map((row) => ({ ...row, state: stateToBe(row) }));
}
