import type { Knex } from 'knex';

// Tables of the v2 API besides zones and their records: tasks, zone transfers and shares, rules for the names of new
// zones, and TSIG keys. The role of dns-api has access to all of them, that of nameservers to none.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Exports and imports of zone files. What they hold is nowhere kept: an export is made when it is read.
    create table dns.zone_tasks (
      id         uuid primary key default gen_random_uuid(),
      kind       text not null constraint zone_tasks_kind check (kind in ('export', 'import')),
      tenant_id  text not null,
      -- Null: an import that made no zone.
      domain_id  uuid constraint zone_tasks_domain references dns.domains (id) on delete cascade,
      status     text not null constraint zone_tasks_status check (status in ('PENDING', 'COMPLETE', 'ERROR')),
      message    text,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz
    );
    create index zone_tasks_listed on dns.zone_tasks (tenant_id, kind, created_at, id);
    create index zone_tasks_created_at on dns.zone_tasks (created_at);
    create index zone_tasks_domain on dns.zone_tasks (domain_id);

    -- A zone that is offered to another tenant, and who took it.
    create table dns.zone_transfers (
      id               uuid primary key default gen_random_uuid(),
      domain_id        uuid not null constraint zone_transfers_domain references dns.domains (id) on delete cascade,
      -- Who offers it, and to whom; null: to whoever knows the key.
      tenant_id        text not null,
      target_tenant_id text,
      -- SHA-256 of the key, which is told once.
      key_digest       bytea not null,
      description      text,
      status           text not null default 'ACTIVE'
                         constraint zone_transfers_status check (status in ('ACTIVE', 'COMPLETE')),
      created_at       timestamptz not null default clock_timestamp(),
      updated_at       timestamptz,
      -- Who took it; all null as long as it is only offered.
      accept_id        uuid constraint zone_transfers_accept unique,
      accepted_by      text,
      accepted_at      timestamptz,
      -- Who offered it has deleted it since it was taken.
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

    -- Who else may read a zone and change its recordsets.
    create table dns.zone_shares (
      id               uuid primary key default gen_random_uuid(),
      domain_id        uuid not null constraint zone_shares_domain references dns.domains (id) on delete cascade,
      target_tenant_id text not null,
      created_at       timestamptz not null default clock_timestamp(),
      constraint zone_shares_unique unique (domain_id, target_tenant_id)
    );
    create index zone_shares_target on dns.zone_shares (target_tenant_id, created_at, id);

    -- Which names new zones may have: below which names at all (tld), and which not (blacklist).
    create table dns.name_rules (
      id          uuid primary key default gen_random_uuid(),
      kind        text not null constraint name_rules_kind check (kind in ('tld', 'blacklist')),
      -- A name without the dot at its end, or a regular expression.
      pattern     text collate "C" not null,
      -- How much it is to match: states of its automaton.
      states      integer not null default 0 constraint name_rules_states check (states >= 0),
      description text,
      created_at  timestamptz not null default clock_timestamp(),
      updated_at  timestamptz,
      constraint name_rules_unique unique (kind, pattern)
    );
    create index name_rules_listed on dns.name_rules (kind, created_at, id);

    create table dns.tsig_keys (
      id            uuid primary key default gen_random_uuid(),
      -- As it was written; compared in lower case, as names are.
      name          text collate "C" not null,
      algorithm     text not null,
      -- AES-256-GCM, by the key of that id of TRANSFER_ENCRYPTION_KEYS.
      secret_sealed bytea not null,
      secret_key_id text not null,
      scope         text not null constraint tsig_keys_scope check (scope in ('POOL', 'ZONE')),
      resource_id   uuid not null,
      created_at    timestamptz not null default clock_timestamp(),
      updated_at    timestamptz
    );
    create unique index tsig_keys_name on dns.tsig_keys (lower(rtrim(name, '.')) collate "C");
    create index tsig_keys_listed on dns.tsig_keys (created_at, id);

    grant select, insert, update, delete on dns.zone_transfers, dns.name_rules, dns.tsig_keys
      to zonewright_dns_api, zonewright_operator;
    grant select, insert, delete on dns.zone_tasks, dns.zone_shares to zonewright_dns_api;
    grant select, insert, update, delete on dns.zone_tasks, dns.zone_shares to zonewright_operator;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table dns.tsig_keys, dns.name_rules, dns.zone_shares, dns.zone_transfers, dns.zone_tasks;
  `);
}

export const zonesBetweenTenants: Knex.Migration = { up, down };
