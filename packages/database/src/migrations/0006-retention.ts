import type { Knex } from 'knex';

// Schema for the removal of old rows (docs/operations/retention.md). Writers of zones do not take part in it: the sizes
// of histories are counted from the journal afterwards.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- About how much the journal holds of each domain, in octets: tells where to look, and is corrected there.
    create table dns.history_sizes (
      domain_id uuid primary key constraint history_sizes_domain references dns.domains (id) on delete cascade,
      octets    bigint not null
    );
    -- How far the journal has been counted: one row.
    create table dns.history_counted (
      is_only   boolean primary key default true constraint history_counted_one_row check (is_only),
      change_id bigint not null
    );

    -- A reader of the feed whose position is not behind this one may have missed the removal of a tombstone.
    alter table dns.nameserver_domain add column feed_floor xid8;
    -- Tombstones by tenant, and all of them.
    create index domains_deleted on dns.domains (tenant_id, deleted_at) where deleted_at is not null;

    -- Octets that a tenant may write a minute; null: the default of dns-api.
    alter table dns.quotas add column max_write_octets bigint
      constraint quotas_max_write_octets check (max_write_octets >= 1024);

    -- Rows go as steadily as they come, so what they leave is swept up early; long values stand aside, in the toast.
    alter table dns.zone_changes set (autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_scale_factor = 0.02);
    alter table dns.records set (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);

    grant select, insert, update, delete on dns.history_sizes, dns.history_counted to zonewright_dns_api, zonewright_operator;
    grant delete on dns.domains, dns.zone_changes, dns.nameserver_status, dns.nameserver_progress to zonewright_dns_api;
    grant update (feed_floor) on dns.nameserver_domain to zonewright_dns_api;
    grant delete on identity.access_keys, identity.signing_keys to zonewright_identity;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    revoke delete on identity.access_keys, identity.signing_keys from zonewright_identity;
    revoke delete on dns.domains, dns.zone_changes, dns.nameserver_status, dns.nameserver_progress from zonewright_dns_api;
    alter table dns.records reset (autovacuum_vacuum_scale_factor, toast.autovacuum_vacuum_scale_factor);
    alter table dns.zone_changes reset (autovacuum_vacuum_scale_factor, toast.autovacuum_vacuum_scale_factor);
    alter table dns.quotas drop column max_write_octets;
    drop index dns.domains_deleted;
    revoke update (feed_floor) on dns.nameserver_domain from zonewright_dns_api;
    alter table dns.nameserver_domain drop column feed_floor;
    drop table dns.history_counted, dns.history_sizes;
  `);
}

export const retention: Knex.Migration = { up, down };
