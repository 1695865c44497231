import type { Knex } from 'knex';

// The DNS data and its change feed. A zone's row has the id of the transaction that last changed the zone (changed_in),
// and its serial. A deleted zone also has the time of deletion: a tombstone that the feed shows and undelete restores.
// Records are in a table of their own; the journal has each change with both images.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    create schema dns;

    create table dns.domains (
      id           uuid primary key default gen_random_uuid(),
      tenant_id    text not null,
      -- Canonical: lower case, A-labels, trailing dot. "C": compared octet by octet.
      name         text collate "C" not null,
      email        text not null,
      ttl          integer not null constraint domains_ttl check (ttl >= 0),
      description  text,
      serial       bigint not null constraint domains_serial check (serial between 0 and 4294967295),
      -- Kept by the writers under the row lock that bumps the serial, so that a quota needs no count.
      record_count integer not null default 0 constraint domains_record_count check (record_count >= 0),
      version      integer not null default 1,
      created_at   timestamptz not null default now(),
      updated_at   timestamptz,
      deleted_at   timestamptz,
      changed_in   xid8 not null default pg_current_xact_id()
    );
    -- A name exists once among the living.
    create unique index domains_name_unique on dns.domains (name) where deleted_at is null;
    -- All that ever bore a name: the feed by name, and the serial from which a name that comes back goes on.
    create index domains_name on dns.domains (name);
    -- List Domains, keyset paging.
    create index domains_tenant on dns.domains (tenant_id, created_at, id) where deleted_at is null;
    -- Children of a domain: names that end in ".example.com." are a range of reversed names.
    create index domains_name_reversed on dns.domains (reverse(name) collate "C") where deleted_at is null;
    -- The change feed.
    create index domains_changed_in on dns.domains (changed_in);

    create table dns.records (
      id          uuid primary key default gen_random_uuid(),
      domain_id   uuid not null constraint records_domain references dns.domains (id) on delete cascade,
      name        text collate "C" not null,
      type        text not null constraint records_type check (type in ('NS', 'A', 'AAAA', 'MX', 'TXT', 'CNAME', 'SRV')),
      -- As it was written, for answers of the API.
      data        text not null,
      -- Uncompressed wire form (RFC 1035 s3.3), priority included, for nameservers.
      rdata       bytea not null,
      -- SHA-256 of the canonical wire form (RFC 4034 s6.2): what makes two records the same.
      rdata_digest bytea not null,
      ttl         integer constraint records_ttl check (ttl >= 0),
      priority    integer constraint records_priority check (priority between 0 and 65535),
      description text,
      version     integer not null default 1,
      created_at  timestamptz not null default now(),
      updated_at  timestamptz,
      constraint records_priority_by_type check ((priority is not null) = (type in ('MX', 'SRV')))
    );
    -- One record of a name, type and data; also finds the records of a name (CNAME, MX rules, filters).
    create unique index records_unique on dns.records (domain_id, name, type, rdata_digest);
    -- List Records, keyset paging.
    create index records_listed on dns.records (domain_id, created_at, id);
    -- The same, filtered by data. Its beginning only: an entry of an index has at most some 2,700 octets, a text more.
    create index records_data on dns.records (domain_id, left(data, 64), created_at, id);
    -- List Records by type.
    create index records_type on dns.records (domain_id, type, created_at, id);

    create table dns.zone_changes (
      id            bigint generated always as identity primary key,
      domain_id     uuid not null constraint zone_changes_domain references dns.domains (id) on delete cascade,
      -- Null before the first serial: the creation of the domain.
      serial_before bigint,
      serial_after  bigint not null,
      action        text not null constraint zone_changes_action check (action in
                      ('domain-create', 'domain-update', 'domain-delete', 'domain-undelete',
                       'record-create', 'record-update', 'record-delete')),
      record_id     uuid,
      -- The row before and after, with rdata in base64; null where there was or is none.
      before        jsonb,
      after         jsonb,
      user_id       text not null,
      request_id    text not null,
      changed_at    timestamptz not null default now(),
      changed_in    xid8 not null default pg_current_xact_id()
    );
    -- A domain's history, and the difference between two serials.
    create index zone_changes_domain_serial on dns.zone_changes (domain_id, serial_after, id);

    create table dns.servers (
      id         uuid primary key default gen_random_uuid(),
      -- ns1-1.<nameserver domain>, with trailing dot.
      name       text collate "C" not null constraint servers_name_unique unique,
      -- The order in which the servers are listed, and the first of which is MNAME.
      position   integer not null constraint servers_position_unique unique,
      ipv4       inet constraint servers_ipv4 check (family(ipv4) = 4 and masklen(ipv4) = 32),
      ipv6       inet constraint servers_ipv6 check (family(ipv6) = 6 and masklen(ipv6) = 128),
      created_at timestamptz not null default now(),
      updated_at timestamptz
    );

    -- The domain in which the nameservers themselves stand: one row.
    create table dns.nameserver_domain (
      is_only    boolean primary key default true constraint nameserver_domain_one_row check (is_only),
      name       text collate "C" not null,
      email      text not null,
      serial     bigint not null,
      changed_in xid8 not null default pg_current_xact_id()
    );

    -- Every zone shows the servers, so a change of them is a change of the nameserver domain.
    create function dns.servers_changed() returns trigger language plpgsql as $body$
    begin
      update dns.nameserver_domain
        set serial = greatest(extract(epoch from now())::bigint, serial + 1), changed_in = pg_current_xact_id();
      perform pg_notify('zonewright_dns', 'servers');
      return null;
    end
    $body$;
    create trigger servers_changed after insert or update or delete or truncate on dns.servers
      for each statement execute function dns.servers_changed();

    create table dns.quotas (
      tenant_id          text primary key,
      -- Null: the default of the service.
      max_domains        integer constraint quotas_max_domains check (max_domains >= 0),
      max_domain_records integer constraint quotas_max_domain_records check (max_domain_records >= 0)
    );

    -- What each nameserver process has applied, written by itself.
    create table dns.nameserver_status (
      name           text primary key,
      address        text not null,
      software       text not null,
      -- Every change of a transaction below this id has been applied.
      applied_before xid8 not null,
      zones          bigint not null,
      image_bytes    bigint not null,
      started_at     timestamptz not null,
      applied_at     timestamptz not null,
      heartbeat_at   timestamptz not null
    );

    -- Answers already given to requests that carried an Idempotency-Key.
    create table dns.idempotency_keys (
      tenant_id       text not null,
      idempotency_key text not null,
      -- SHA-256 of method, path and body: the same key with another request is an error.
      request_digest  bytea not null,
      status          integer not null,
      headers         jsonb not null,
      body            text not null,
      created_at      timestamptz not null default now(),
      constraint idempotency_keys_pk primary key (tenant_id, idempotency_key)
    );
    -- Removing what is old.
    create index idempotency_keys_created_at on dns.idempotency_keys (created_at);
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw('drop schema dns cascade');
}

export const dnsTables: Knex.Migration = { up, down };
