import type { Knex } from 'knex';

// The content of a zone depends on its serial only (ADR 0025). The service provides the names of its servers and the
// SOA times at the apex of zones. Each change of them makes a new version. A trigger stores the latest version whenever
// the serial of a zone is written, so old code and manual SQL do so, too. Zones that show an earlier version get a
// new serial from dns-api.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- What holds for all zones: one row, whose first values migrate takes from its environment.
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

    -- Never changed: serials stand for it.
    create table dns.apex_versions (
      version     integer primary key,
      -- In order; the first is MNAME.
      servers     text[] not null,
      soa_refresh integer not null,
      soa_retry   integer not null,
      soa_expire  integer not null,
      soa_minimum integer not null,
      created_at  timestamptz not null default now()
    );
    insert into dns.apex_versions (version, servers, soa_refresh, soa_retry, soa_expire, soa_minimum)
    select 1, array(select s.name from dns.servers as s order by s.position),
           t.soa_refresh, t.soa_retry, t.soa_expire, t.soa_minimum
      from dns.service_settings as t;

    -- Raising zones to the latest version: one row, held by the replica that is at it.
    create table dns.apex_rollout (
      is_only   boolean primary key default true constraint apex_rollout_one_row check (is_only),
      -- When the last zones were raised, and when the next may be.
      raised_at timestamptz,
      next_at   timestamptz not null default now()
    );
    insert into dns.apex_rollout default values;

    -- The zones that are there show what there is.
    alter table dns.domains add column apex_version integer not null default 1;
    -- Those that show an earlier version than the latest.
    create index domains_apex_version on dns.domains (apex_version) where deleted_at is null;

    -- The zone of the nameserver domain holds the records of a user's zone of that name, if there is one, so a change of that is one of it.
    create function dns.domains_apex_version() returns trigger language plpgsql as $body$
    declare
      nameserver_domain text;
    begin
      select (select max(v.version) from dns.apex_versions as v), (select n.name from dns.nameserver_domain as n)
        into new.apex_version, nameserver_domain;
      if new.name = nameserver_domain then
        update dns.nameserver_domain as n
           set serial = greatest(n.serial + 1, new.serial);
      end if;
      return new;
    end
    $body$;
    create trigger domains_apex_version before insert or update of serial on dns.domains
      for each row execute function dns.domains_apex_version();
    update dns.nameserver_domain as n set serial = greatest(n.serial, d.serial)
      from dns.domains as d where d.name = n.name and d.deleted_at is null;

    -- A change of the servers or of the settings is a change of the nameserver domain, and a version if zones show it. The
    -- row of the domain keeps two of them apart.
    create or replace function dns.servers_changed() returns trigger language plpgsql as $body$
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
    create trigger service_settings_changed after update on dns.service_settings
      for each statement execute function dns.servers_changed();

    -- Which settings of its own environment a nameserver has that are not those of the database; null: none.
    alter table dns.nameserver_status add column ignored_settings text;

    grant select on dns.service_settings, dns.apex_versions to zonewright_nameserver, zonewright_dns_api;
    grant select, update on dns.apex_rollout to zonewright_dns_api;
    grant update (serial) on dns.nameserver_domain to zonewright_dns_api;
    grant select, insert, update, delete on dns.service_settings, dns.apex_versions, dns.apex_rollout to zonewright_operator;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    revoke update (serial) on dns.nameserver_domain from zonewright_dns_api;
    alter table dns.nameserver_status drop column ignored_settings;
    create or replace function dns.servers_changed() returns trigger language plpgsql as $body$
    begin
      update dns.nameserver_domain
        set serial = greatest(extract(epoch from now())::bigint, serial + 1), changed_in = pg_current_xact_id();
      perform pg_notify('zonewright_dns', 'servers');
      return null;
    end
    $body$;
    drop trigger domains_apex_version on dns.domains;
    drop function dns.domains_apex_version();
    drop index dns.domains_apex_version;
    alter table dns.domains drop column apex_version;
    drop table dns.apex_rollout, dns.apex_versions, dns.service_settings;
  `);
}

export const zoneContentBySerial: Knex.Migration = { up, down };
