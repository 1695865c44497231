import type { Knex } from 'knex';

// A tenant's secondaries: the zones that each may transfer, the TSIG key, and the addresses to notify. Nameservers read
// all of it, and write the results (ADR 0032). The nameservers make catalogs (RFC 9432, ADR 0034) from the existing
// domains. The serials of catalogs are stored here. Any code that adds or removes a domain increases them, old code
// too.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table dns.peers (
      id             uuid primary key default gen_random_uuid(),
      tenant_id      text not null,
      name           text not null,
      -- Where transfers may come from, in CIDR form; none: from anywhere, with the key.
      networks       jsonb not null default '[]',
      -- Where changes are told: [{"address": "192.0.2.1", "port": 53}].
      notify         jsonb not null default '[]',
      -- All domains of the tenant, or those in dns.zone_peers.
      all_domains    boolean not null,
      has_catalog    boolean not null,
      catalog_serial integer not null default 1,
      key_name       text not null collate "C" constraint peers_key_name unique,
      key_algorithm  text not null,
      -- AES-256-GCM, by the key of that id of TRANSFER_ENCRYPTION_KEYS.
      secret_sealed  bytea not null,
      secret_key_id  text not null,
      created_at     timestamptz not null default clock_timestamp(),
      updated_at     timestamptz
    );
    create index peers_listed on dns.peers (tenant_id, created_at, id);

    create table dns.zone_peers (
      peer_id   uuid not null constraint zone_peers_peer references dns.peers (id) on delete cascade,
      domain_id uuid not null constraint zone_peers_domain references dns.domains (id) on delete cascade,
      constraint zone_peers_pkey primary key (peer_id, domain_id)
    );
    create index zone_peers_domain on dns.zone_peers (domain_id);

    create table dns.peer_status (
      peer_id         uuid not null constraint peer_status_peer references dns.peers (id) on delete cascade,
      domain_id       uuid not null constraint peer_status_domain references dns.domains (id) on delete cascade,
      -- The latest serial that it took, or showed that it has.
      serial          bigint,
      asked_at        timestamptz,
      -- The latest serial of which it was told, and what it said to that: an RCODE, or 'no answer'.
      notified_serial bigint,
      notify_answer   text,
      notified_at     timestamptz,
      constraint peer_status_pkey primary key (peer_id, domain_id)
    );
    create index peer_status_domain on dns.peer_status (domain_id);

    create function dns.step_catalogs() returns trigger
      language plpgsql security definer set search_path = pg_catalog as $$
    begin
      update dns.peers as p set catalog_serial = p.catalog_serial + 1
       where p.has_catalog and p.tenant_id in (new.tenant_id, old.tenant_id);
      return null;
    end $$;
    revoke all on function dns.step_catalogs() from public;
    create trigger domains_added after insert on dns.domains for each row execute function dns.step_catalogs();
    create trigger domains_moved after update of tenant_id, deleted_at on dns.domains for each row
      when (old.tenant_id is distinct from new.tenant_id or (old.deleted_at is null) <> (new.deleted_at is null))
      execute function dns.step_catalogs();

    grant select, insert, update, delete on dns.peers, dns.zone_peers, dns.peer_status to zonewright_operator;
    grant select, insert, update, delete on dns.peers to zonewright_dns_api;
    grant select, insert, delete on dns.zone_peers to zonewright_dns_api;
    grant select on dns.peer_status to zonewright_dns_api;
    grant select on dns.peers, dns.zone_peers to zonewright_nameserver;
    grant select, insert, update on dns.peer_status to zonewright_nameserver;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger domains_moved on dns.domains;
    drop trigger domains_added on dns.domains;
    drop function dns.step_catalogs();
    drop table dns.peer_status, dns.zone_peers, dns.peers;
  `);
}

export const peers: Knex.Migration = { up, down };
