/** Nameservers: the zone of their names, the settings for all zones, and the state that nameservers report. */
export const NAMESERVERS = `
-- Identity of this database (ADR 0020): one row. Dumps, copies of files and standbys keep the id. A database that
-- replaces a lost one has another id.
create table dns.database_identity (
  is_only     boolean not null default true,
  id          uuid not null default gen_random_uuid(),
  made_at     timestamptz not null default now(),
  -- The operator's last confirmation that nameservers are to trust this database: another value each time, null for none.
  acceptance  uuid,
  accepted_at timestamptz,
  -- Ids of the databases that this one was accepted to replace.
  instead_of  uuid[] not null default '{}',
  constraint database_identity_pk primary key (is_only),
  constraint database_identity_one_row check (is_only)
);
insert into dns.database_identity default values;

-- Servers and settings at the apex of all zones. The content of a zone depends on its serial only (ADR 0025): each change
-- of servers or SOA times makes a new version, and zones get a new serial for it.

create table dns.servers (
  id         uuid primary key default gen_random_uuid(),
  -- ns1-1.<nameserver domain>, with trailing dot.
  name       text collate "C" not null constraint servers_name_unique unique,
  -- Order in which servers are listed. The first is MNAME.
  position   integer not null constraint servers_position_unique unique,
  ipv4       inet constraint servers_ipv4 check (family(ipv4) = 4 and masklen(ipv4) = 32),
  ipv6       inet constraint servers_ipv6 check (family(ipv6) = 6 and masklen(ipv6) = 128),
  created_at timestamptz not null default now(),
  updated_at timestamptz
);

-- Domain that contains the names of the nameservers: one row.
create table dns.nameserver_domain (
  is_only    boolean primary key default true constraint nameserver_domain_one_row check (is_only),
  name       text collate "C" not null,
  email      text not null,
  serial     bigint not null,
  -- A reader of the feed whose position is before this one may have missed the removal of a deleted zone.
  feed_floor xid8,
  changed_in xid8 not null default pg_current_xact_id()
);

-- Settings of all zones: one row. migrate writes the first values from its environment.
create table dns.service_settings (
  is_only               boolean primary key default true constraint service_settings_one_row check (is_only),
  soa_refresh           integer not null constraint service_settings_soa_refresh check (soa_refresh >= 0),
  soa_retry             integer not null constraint service_settings_soa_retry check (soa_retry >= 0),
  soa_expire            integer not null constraint service_settings_soa_expire check (soa_expire >= 0),
  soa_minimum           integer not null constraint service_settings_soa_minimum check (soa_minimum >= 0),
  nameserver_domain_ttl integer not null constraint service_settings_nameserver_domain_ttl check (nameserver_domain_ttl >= 0),
  updated_at            timestamptz
);
insert into dns.service_settings (soa_refresh, soa_retry, soa_expire, soa_minimum, nameserver_domain_ttl)
values (14400, 3600, 1209600, 300, 3600);

-- A version is never changed, because serials depend on it.
create table dns.apex_versions (
  version     integer primary key,
  -- In order. The first is MNAME.
  servers     text[] not null,
  soa_refresh integer not null,
  soa_retry   integer not null,
  soa_expire  integer not null,
  soa_minimum integer not null,
  created_at  timestamptz not null default now()
);
insert into dns.apex_versions (version, servers, soa_refresh, soa_retry, soa_expire, soa_minimum)
select 1, '{}', t.soa_refresh, t.soa_retry, t.soa_expire, t.soa_minimum from dns.service_settings as t;

-- Rollout of the latest version to all zones: one row, locked by the dns-api process that does it.
create table dns.apex_rollout (
  is_only   boolean primary key default true constraint apex_rollout_one_row check (is_only),
  -- Time of the last step, and earliest time of the next step.
  raised_at timestamptz,
  next_at   timestamptz not null default now()
);
insert into dns.apex_rollout default values;

-- A change of servers or settings changes the nameserver domain, and makes a version if zones show the change. The row of
-- the nameserver domain is the lock between two changes.
create function dns.servers_changed() returns trigger language plpgsql as $body$
begin
  update dns.nameserver_domain
    set serial = greatest(extract(epoch from now())::bigint, serial + 1), changed_in = pg_current_xact_id();
  insert into dns.apex_versions (version, servers, soa_refresh, soa_retry, soa_expire, soa_minimum)
  select latest.version + 1, now_is.servers, now_is.soa_refresh, now_is.soa_retry, now_is.soa_expire, now_is.soa_minimum
    from (select array(select s.name from dns.servers as s order by s.position) as servers,
                 t.soa_refresh, t.soa_retry, t.soa_expire, t.soa_minimum
            from dns.service_settings as t) as now_is,
         (select v.* from dns.apex_versions as v order by v.version desc limit 1) as latest
   where (now_is.servers, now_is.soa_refresh, now_is.soa_retry, now_is.soa_expire, now_is.soa_minimum)
         is distinct from (latest.servers, latest.soa_refresh, latest.soa_retry, latest.soa_expire, latest.soa_minimum);
  perform pg_notify('zonewright_dns', 'servers');
  return null;
end
$body$;
create trigger servers_changed after insert or update or delete or truncate on dns.servers
  for each statement execute function dns.servers_changed();
create trigger service_settings_changed after update on dns.service_settings
  for each statement execute function dns.servers_changed();

-- A zone of a new serial has the latest version. The zone of the nameserver domain contains the records of a user's zone
-- of the same name, so a change of that zone is a change of the nameserver domain.
create function dns.domains_apex_version() returns trigger language plpgsql as $body$
declare
  latest integer;
  nameserver_domain text;
begin
  select (select max(v.version) from dns.apex_versions as v), (select n.name from dns.nameserver_domain as n)
    into latest, nameserver_domain;
  -- 2147483646 and 2147483647 are those of secondary zones.
  if tg_op = 'INSERT' or old.apex_version < 2147483646 then
    new.apex_version := latest;
  end if;
  if new.name = nameserver_domain then
    update dns.nameserver_domain as n
       set serial = greatest(n.serial + 1, new.serial);
  end if;
  return new;
end
$body$;
create trigger domains_apex_version before insert or update of serial on dns.domains
  for each row execute function dns.domains_apex_version();

-- State of nameservers. Each nameserver writes its own rows.

create table dns.nameserver_status (
  name             text primary key,
  address          text not null,
  software         text not null,
  version          text not null,
  -- Features that zones may need and that not every version of the nameserver has. Null: none.
  capabilities     text[],
  -- Settings in the environment of the nameserver that differ from those of the database. Null: none.
  ignored_settings text,
  -- Every change of a transaction below this id has been applied.
  applied_before   xid8 not null,
  -- Transactions whose changes have been applied (ADR 0012). It is more exact than applied_before, which waits for the
  -- slowest transaction.
  horizon          pg_snapshot,
  -- Time of the last reading of the feed. Of changes committed before it, only those outside the horizon are missing.
  read_at          timestamptz not null,
  zones            bigint not null,
  -- Zones whose last version could not be installed, with the serial that is answered (0: none). Null: no zone.
  failed_zones     jsonb,
  -- Zones that are answered in a version that the database lost in a failover or a restore (ADR 0020), with the serial
  -- that their next version must exceed. Null: no zone.
  ahead_zones      jsonb,
  -- Large zones that are read after the others, with the serial that is answered until then. Null: no zone.
  late_zones       jsonb,
  -- Database that the zones are from, and why the nameserver does not trust it. Null: it trusts it.
  database_id      uuid,
  doubt            text,
  image_bytes      bigint not null,
  started_at       timestamptz not null,
  applied_at       timestamptz not null,
  heartbeat_at     timestamptz not null
);

-- Latest times at which each nameserver made progress. A slot is used again when all others are newer, so nothing has to be
-- removed.
create table dns.nameserver_progress (
  name       text not null,
  slot       integer not null,
  horizon    pg_snapshot not null,
  applied_at timestamptz not null,
  constraint nameserver_progress_pk primary key (name, slot)
);
-- The slot after the newest, and the first horizon that contains a change.
create index nameserver_progress_applied_at on dns.nameserver_progress (name, applied_at);
`;
