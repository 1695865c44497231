/** Zone transfers from and to servers of tenants, and their TSIG keys. */
export const TRANSFERS = `
-- TSIG keys of Designate v2.
create table dns.tsig_keys (
  id            uuid primary key default gen_random_uuid(),
  -- As the user wrote it. Compared in lower case, as names are.
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

-- Transfer peers: secondary servers of a tenant, to which zones are transferred (ADR 0032).

create table dns.peers (
  id             uuid primary key default gen_random_uuid(),
  tenant_id      text not null,
  name           text not null,
  -- Networks that transfers may come from, in CIDR form. Empty: any network, with the key.
  networks       jsonb not null default '[]',
  -- Addresses that are notified of changes: [{"address": "192.0.2.1", "port": 53}].
  notify         jsonb not null default '[]',
  -- All domains of the tenant, or those in dns.zone_peers.
  all_domains    boolean not null,
  -- The nameservers make a catalog (RFC 9432, ADR 0032) from the domains of the peer.
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

-- Results of transfers and notifications, which nameservers write.
create table dns.peer_status (
  peer_id         uuid not null constraint peer_status_peer references dns.peers (id) on delete cascade,
  domain_id       uuid not null constraint peer_status_domain references dns.domains (id) on delete cascade,
  -- Latest serial that the peer transferred, or showed that it has.
  serial          bigint,
  asked_at        timestamptz,
  -- Latest serial that the peer was notified of, and its response: an RCODE, or 'no answer'.
  notified_serial bigint,
  notify_answer   text,
  notified_at     timestamptz,
  constraint peer_status_pkey primary key (peer_id, domain_id)
);
create index peer_status_domain on dns.peer_status (domain_id);

-- The serials of catalogs are increased by triggers, so that any code that adds or removes a domain does it.
create function dns.step_catalogs() returns trigger
  language plpgsql security definer set search_path = pg_catalog as $$
begin
  update dns.peers as p set catalog_serial = p.catalog_serial + 1
   where p.has_catalog and p.tenant_id in (new.tenant_id, old.tenant_id);
  return null;
end $$;
create trigger domains_added after insert on dns.domains for each row execute function dns.step_catalogs();
create trigger domains_moved after update of tenant_id, deleted_at on dns.domains for each row
  when (old.tenant_id is distinct from new.tenant_id or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function dns.step_catalogs();

-- Secondary zones: domains whose records are transferred from primary servers of the tenant (ADR 0040). The apex comes
-- with the records. Special values of dns.domains.apex_version mark these zones, and exclude them from the rollout.
create table dns.secondaries (
  domain_id      uuid primary key constraint secondaries_domain references dns.domains (id) on delete cascade,
  -- In the order in which they are asked: [{"address": "192.0.2.1", "port": 53}].
  primaries      jsonb not null,
  -- Either all four columns of the key have a value, or none.
  key_name       text,
  key_algorithm  text,
  -- AES-256-GCM, by the key of that id of TRANSFER_ENCRYPTION_KEYS.
  secret_sealed  bytea,
  secret_key_id  text,
  -- Serial and times, in seconds, of the SOA record of the transferred content. Null: nothing was transferred yet.
  serial         bigint,
  refresh        bigint,
  retry          bigint,
  expire         bigint,
  transferred_at timestamptz,
  -- Time at which a primary last confirmed that this is its latest version.
  refreshed_at   timestamptz,
  -- Time of the next question to the primaries, and of a NOTIFY that was not answered yet.
  next_at        timestamptz not null default clock_timestamp(),
  notified_at    timestamptz,
  -- Failures since the last success, and the message of the last failure.
  failures       integer not null default 0,
  problem        text,
  -- Lease of the dns-api process that transfers the zone.
  held_until     timestamptz,
  held_by        uuid,
  constraint secondaries_key check (num_nonnulls(key_name, key_algorithm, secret_sealed, secret_key_id) in (0, 4))
);
create index secondaries_due on dns.secondaries (next_at);
`;
