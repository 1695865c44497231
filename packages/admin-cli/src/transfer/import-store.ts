import { announceZoneChange, type Database, queryRow } from '@zonewright/database';
import type { TenantPart } from './account-document.js';
import type { StoredDomain, StoredRecord } from './check-domain.js';

export async function insertTenantQuotas(
  db: Database,
  tenants: readonly TenantPart[],
): Promise<void> {
  await db.raw(
    `insert into dns.quotas (tenant_id, max_domains, max_domain_records, mx_target_check)
     select p.id, (p.quota ->> 'maxDomains')::integer, (p.quota ->> 'maxDomainRecords')::integer,
            p.quota ->> 'mxTargetCheck'
       from jsonb_to_recordset(?::jsonb) as p (id text, quota jsonb) where jsonb_typeof(p.quota) = 'object'
     on conflict (tenant_id) do nothing`,
    [JSON.stringify(tenants)],
  );
}

/** The highest serial that a zone of this name ever had here. */
export async function findHighestSerial(db: Database, name: string): Promise<number | undefined> {
  const row = await queryRow<{ serial: number | null }>(
    db,
    'select max(d.serial) as serial from dns.domains as d where d.name = ?',
    [name],
  );
  return row?.serial ?? undefined;
}

export async function insertDomainPart(
  trx: Database,
  { records, ...domain }: StoredDomain,
  serial: number,
): Promise<void> {
  await trx.raw(
    `insert into dns.domains (id, tenant_id, name, email, ttl, description, serial, record_count, version, created_at,
       updated_at)
     select p.id, p.tenant, p.name, p.email, p.ttl, p.description, ?, ?, coalesce(p.version, 1),
            coalesce(p."createdAt", clock_timestamp()), p."updatedAt"
       from jsonb_to_record(?::jsonb) as p (id uuid, tenant text, name text, email text, ttl integer, description text,
              version integer, "createdAt" timestamptz, "updatedAt" timestamptz)`,
    [serial, records.length, JSON.stringify(domain)],
  );
}

export async function insertRecordParts(
  trx: Database,
  domainId: string,
  records: readonly StoredRecord[],
): Promise<void> {
  const rows = records.map((record) => ({
    ...record,
    rdata: record.rdata.toString('base64'),
    digest: record.digest.toString('base64'),
  }));
  await trx.raw(
    `insert into dns.records (id, domain_id, name, type, data, rdata, rdata_digest, ttl, priority, description, version,
       created_at, updated_at)
     select p.id, ?::uuid, p.name, p.type, p.data, decode(p.rdata, 'base64'), decode(p.digest, 'base64'), p.ttl,
            p.priority, p.description, coalesce(p.version, 1), coalesce(p."createdAt", clock_timestamp()), p."updatedAt"
       from jsonb_to_recordset(?::jsonb) as p (id uuid, name text, type text, data text, rdata text, digest text,
              ttl integer, priority integer, description text, version integer, "createdAt" timestamptz,
              "updatedAt" timestamptz)`,
    [domainId, JSON.stringify(rows)],
  );
}

/** The journal of a zone that comes with its records, in the form that dns-api gives it; wakes the nameservers. */
export async function recordImport(
  trx: Database,
  domainId: string,
  requestId: string,
): Promise<void> {
  const time = (column: string) =>
    `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
  await trx.raw(
    `insert into dns.zone_changes (domain_id, serial_before, serial_after, action, record_id, after, user_id, request_id)
     select d.id, null, d.serial, 'domain-create', null, jsonb_build_object('id', d.id, 'tenant_id', d.tenant_id,
              'name', d.name, 'email', d.email, 'ttl', d.ttl, 'description', d.description,
              'created_at', ${time('d.created_at')}, 'updated_at', ${time('d.updated_at')}), 'operator', ?
       from dns.domains as d where d.id = ?::uuid`,
    [requestId, domainId],
  );
  await trx.raw(
    `insert into dns.zone_changes (domain_id, serial_before, serial_after, action, record_id, after, user_id, request_id)
     select d.id, null, d.serial, 'record-create', r.id, jsonb_build_object('id', r.id, 'name', r.name, 'type', r.type,
              'data', r.data, 'ttl', r.ttl,
              'priority', r.priority, 'description', r.description, 'version', r.version,
              'created_at', ${time('r.created_at')}, 'updated_at', ${time('r.updated_at')}), 'operator', ?
       from dns.records as r join dns.domains as d on d.id = r.domain_id
      where r.domain_id = ?::uuid order by r.created_at, r.id`,
    [requestId, domainId],
  );
  await announceZoneChange(trx, domainId);
}
