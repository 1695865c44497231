/** Zones with their records and history, and tenants' data about zones. */
export const ZONES = `
create schema dns;

-- Zones. The row of a zone has the serial, and the id of the transaction that last changed the zone (changed_in). A
-- deleted zone keeps its row with the time of the deletion: the feed shows it, and undelete restores it.

create table dns.domains (
  id           uuid primary key default gen_random_uuid(),
  tenant_id    text not null,
  -- Canonical form: lower case, A-labels, trailing dot. "C" compares bytes.
  name         text collate "C" not null,
  email        text not null,
  ttl          integer not null constraint domains_ttl check (ttl >= 0),
  description  text,
  -- Attributes of Designate v2. Null: none were given.
  attributes   jsonb,
  serial       bigint not null constraint domains_serial check (serial between 0 and 4294967295),
  -- Version of the apex (dns.apex_versions) that the zone of this serial has. A trigger keeps it.
  apex_version integer not null default 1,
  -- Kept by writers under the row lock with which they increase the serial, so that a quota needs no count.
  record_count integer not null default 0 constraint domains_record_count check (record_count >= 0),
  version      integer not null default 1,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz,
  deleted_at   timestamptz,
  changed_in   xid8 not null default pg_current_xact_id()
);
-- A name exists once among the zones that are not deleted.
create unique index domains_name_unique on dns.domains (name) where deleted_at is null;
-- All zones that ever had a name: the feed by name, and the serial from which a zone that is created again continues.
create index domains_name on dns.domains (name);
-- List Domains, keyset paging.
create index domains_tenant on dns.domains (tenant_id, created_at, id) where deleted_at is null;
-- Children of a domain: names that end in ".example.com." are a range of reversed names.
create index domains_name_reversed on dns.domains (reverse(name) collate "C") where deleted_at is null;
-- The change feed.
create index domains_changed_in on dns.domains (changed_in);
-- Deleted zones, of a tenant and of all tenants.
create index domains_deleted on dns.domains (tenant_id, deleted_at) where deleted_at is not null;
-- Zones that have an earlier version of the apex than the latest.
create index domains_apex_version on dns.domains (apex_version) where deleted_at is null;

-- Records

create table dns.records (
  id           uuid primary key default gen_random_uuid(),
  domain_id    uuid not null constraint records_domain references dns.domains (id) on delete cascade,
  name         text collate "C" not null,
  -- The code decides which types users may write (RFC 3597 for others: TYPE and a number).
  type         text not null constraint records_type check (type ~ '^[A-Z0-9-]{1,16}$'),
  -- As the user wrote it, for responses of the API.
  data         text not null,
  -- Uncompressed wire form (RFC 1035 s3.3), priority included, for nameservers.
  rdata        bytea not null,
  -- SHA-256 of the canonical wire form (RFC 4034 s6.2), which decides whether two records are the same.
  rdata_digest bytea not null,
  ttl          integer constraint records_ttl check (ttl >= 0),
  priority     integer constraint records_priority check (priority between 0 and 65535),
  description  text,
  -- Data that DNS does not have: {"disabled": ..., "expiresAt": ..., "tags": [...]}. Null: none.
  flags        jsonb,
  version      integer not null default 1,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz,
  constraint records_priority_by_type check ((priority is not null) = (type in ('MX', 'SRV')))
);
-- One record of a name, type and data. It also finds the records of a name (CNAME and MX rules, filters).
create unique index records_unique on dns.records (domain_id, name, type, rdata_digest);
-- List Records, keyset paging.
create index records_listed on dns.records (domain_id, created_at, id);
-- List Records by type.
create index records_type on dns.records (domain_id, type, created_at, id);
-- List Records by data. An index entry has at most some 2,700 bytes, so it contains the beginning only.
create index records_data on dns.records (domain_id, left(data, 64), created_at, id);
-- Records that expire, by time.
create index records_end on dns.records ((flags ->> 'expiresAt')) where flags ->> 'expiresAt' is not null;

-- Id of a recordset of Designate v2: the first bytes of a SHA-256 as a UUID of version 8 (RFC 9562 s5.8). It is computed
-- and not stored, so nothing has to be kept in step.
create function dns.recordset_id(domain_id uuid, name text, type text) returns uuid
  language sql immutable strict parallel safe
  return cast(
    overlay(overlay(
      left(encode(sha256(uuid_send(domain_id) || convert_to(name || ' ' || type, 'UTF8')), 'hex'), 32)
      placing '8' from 13 for 1) placing '8' from 17 for 1)
    as uuid);
-- Rows of a recordset, by its id.
create index records_recordset_id on dns.records (dns.recordset_id(domain_id, name, type));

-- Records that are switched off. They have their own table, so that code that reads dns.records reads served records only.
create table dns.disabled_records (like dns.records including defaults including constraints);
alter table dns.disabled_records
  add primary key (id),
  add constraint disabled_records_domain foreign key (domain_id) references dns.domains (id) on delete cascade,
  add constraint disabled_records_flags check (flags is not null);
create index disabled_records_listed on dns.disabled_records (domain_id, created_at, id);
create index disabled_records_end on dns.disabled_records ((flags ->> 'expiresAt'))
  where flags ->> 'expiresAt' is not null;

-- Search text of a zone: all names, data and descriptions of its records, with the serial that they belong to. A search
-- makes it (ADR 0036), so writes have no cost.
create table dns.search_texts (
  domain_id uuid primary key references dns.domains (id) on delete cascade,
  serial    bigint not null,
  made_at   timestamptz not null,
  content   text not null
) with (toast_tuple_target = 8160);
-- Not compressed: a search reads all of it, and decompression would take longer than reading.
alter table dns.search_texts alter column content set storage external;

-- History

create table dns.zone_changes (
  id            bigint generated always as identity primary key,
  domain_id     uuid not null constraint zone_changes_domain references dns.domains (id) on delete cascade,
  -- Null before the first serial, that is, for the creation of the domain.
  serial_before bigint,
  serial_after  bigint not null,
  action        text not null constraint zone_changes_action check (action in
                  ('domain-create', 'domain-update', 'domain-delete', 'domain-undelete',
                   'record-create', 'record-update', 'record-delete')),
  record_id     uuid,
  -- Row before and after the change, with rdata in base64. Null: there was or is no row.
  before        jsonb,
  after         jsonb,
  user_id       text not null,
  user_name     text,
  access_key_id text,
  -- The schema does not restrict the sources, so that a new source needs no migration.
  source        text,
  -- Reason that the author gave.
  note          text,
  request_id    text not null,
  changed_at    timestamptz not null default now(),
  changed_in    xid8 not null default pg_current_xact_id()
);
-- History of a domain, and the difference between two serials.
create index zone_changes_domain_serial on dns.zone_changes (domain_id, serial_after, id);

-- Approximate size of the history of each domain, in bytes. Retention counts it from the journal, so writers do not
-- take part. It shows which domains to examine, and is corrected there.
create table dns.history_sizes (
  domain_id uuid primary key constraint history_sizes_domain references dns.domains (id) on delete cascade,
  octets    bigint not null
);
-- Last change that was counted: one row.
create table dns.history_counted (
  is_only   boolean primary key default true constraint history_counted_one_row check (is_only),
  change_id bigint not null
);

-- Rows are deleted as steadily as they are inserted, so vacuum runs early. Long values are in the TOAST table.
alter table dns.zone_changes set (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);
alter table dns.records set (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);

-- Limits of tenants

-- Null in any column: the default of the service.
create table dns.quotas (
  tenant_id             text primary key,
  max_domains           integer constraint quotas_max_domains check (max_domains >= 0),
  max_domain_records    integer constraint quotas_max_domain_records check (max_domain_records >= 0),
  max_recordset_records integer constraint quotas_max_recordset_records check (max_recordset_records >= 0),
  max_export_records    integer constraint quotas_max_export_records check (max_export_records >= 0),
  -- Bytes that the tenant may write per minute.
  max_write_octets      bigint constraint quotas_max_write_octets check (max_write_octets >= 1024),
  -- Rule for the targets of MX records.
  mx_target_check       text constraint quotas_mx_target_check check (mx_target_check in ('hosted', 'strict', 'off'))
);

-- Rules for the names of new zones: allowed parents (tld) and forbidden names (blacklist).
create table dns.name_rules (
  id          uuid primary key default gen_random_uuid(),
  kind        text not null constraint name_rules_kind check (kind in ('tld', 'blacklist')),
  -- A name without the trailing dot, or a regular expression.
  pattern     text collate "C" not null,
  -- Cost of matching: number of states of the automaton.
  states      integer not null default 0 constraint name_rules_states check (states >= 0),
  description text,
  created_at  timestamptz not null default clock_timestamp(),
  updated_at  timestamptz,
  constraint name_rules_unique unique (kind, pattern)
);
create index name_rules_listed on dns.name_rules (kind, created_at, id);

-- Responses to requests that had an Idempotency-Key.
create table dns.idempotency_keys (
  tenant_id       text not null,
  idempotency_key text not null,
  -- SHA-256 of method, path and body. The same key with another request is an error.
  request_digest  bytea not null,
  status          integer not null,
  headers         jsonb not null,
  body            text not null,
  created_at      timestamptz not null default now(),
  -- Transaction of the change. A client that repeats the request waits for the publication of the same change.
  changed_in      xid8 default pg_current_xact_id(),
  constraint idempotency_keys_pk primary key (tenant_id, idempotency_key)
);
-- Removal of old rows.
create index idempotency_keys_created_at on dns.idempotency_keys (created_at);

-- Zones between tenants, and tasks (Designate v2)

-- Exports and imports of zone files. The content is not stored: an export is made when it is read.
create table dns.zone_tasks (
  id         uuid primary key default gen_random_uuid(),
  kind       text not null constraint zone_tasks_kind check (kind in ('export', 'import')),
  tenant_id  text not null,
  -- Null: an import that created no zone.
  domain_id  uuid constraint zone_tasks_domain references dns.domains (id) on delete cascade,
  status     text not null constraint zone_tasks_status check (status in ('PENDING', 'COMPLETE', 'ERROR')),
  message    text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz
);
create index zone_tasks_listed on dns.zone_tasks (tenant_id, kind, created_at, id);
create index zone_tasks_created_at on dns.zone_tasks (created_at);
create index zone_tasks_domain on dns.zone_tasks (domain_id);

-- Zone transfer requests: a tenant gives a zone to another tenant.
create table dns.zone_transfers (
  id               uuid primary key default gen_random_uuid(),
  domain_id        uuid not null constraint zone_transfers_domain references dns.domains (id) on delete cascade,
  tenant_id        text not null,
  -- Tenant that may accept. Null: any tenant that has the key.
  target_tenant_id text,
  -- SHA-256 of the key.
  key_digest       bytea not null,
  -- The key, because clients that keep state read it again (Terraform). AES-256-GCM, by the key of that id of
  -- TRANSFER_ENCRYPTION_KEYS; null without those keys, and after the request has ended.
  secret_sealed    bytea,
  secret_key_id    text,
  description      text,
  status           text not null default 'ACTIVE'
                     constraint zone_transfers_status check (status in ('ACTIVE', 'COMPLETE')),
  created_at       timestamptz not null default clock_timestamp(),
  updated_at       timestamptz,
  -- Acceptance. All null until the zone is accepted.
  accept_id        uuid constraint zone_transfers_accept unique,
  accepted_by      text,
  accepted_at      timestamptz,
  -- The tenant that made the request has deleted it since it was accepted.
  is_hidden        boolean not null default false,
  constraint zone_transfers_accepted check
    ((status = 'COMPLETE') = (accept_id is not null and accepted_by is not null and accepted_at is not null))
);
create unique index zone_transfers_active on dns.zone_transfers (domain_id) where status = 'ACTIVE';
create index zone_transfers_domain on dns.zone_transfers (domain_id);
create index zone_transfers_tenant on dns.zone_transfers (tenant_id, created_at, id);
create index zone_transfers_target on dns.zone_transfers (target_tenant_id, created_at, id);
create index zone_transfers_accepted_by on dns.zone_transfers (accepted_by, accepted_at, accept_id);
create index zone_transfers_age on dns.zone_transfers (coalesce(accepted_at, created_at));

-- Tenants that may read a zone of another tenant and change its recordsets.
create table dns.zone_shares (
  id               uuid primary key default gen_random_uuid(),
  domain_id        uuid not null constraint zone_shares_domain references dns.domains (id) on delete cascade,
  target_tenant_id text not null,
  created_at       timestamptz not null default clock_timestamp(),
  constraint zone_shares_unique unique (domain_id, target_tenant_id)
);
create index zone_shares_target on dns.zone_shares (target_tenant_id, created_at, id);

-- A deleted tenant would leave zones that are served and have no owner. identity-service sees only this answer of the
-- dns schema.
create function identity.tenant_has_zones(tenant text) returns boolean language sql stable
  security definer set search_path = pg_catalog as $body$
  select exists (select from dns.domains as d where d.tenant_id = tenant and d.deleted_at is null)
$body$;
`;
