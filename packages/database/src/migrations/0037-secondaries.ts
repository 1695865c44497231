import type { Knex } from 'knex';

// Secondary zones (ADR 0040): domains whose records are transferred from servers of the tenant, and the state of the
// transfers. Their apex comes with the records. Special apex versions mark these zones, and exclude them from
// the rollout of our apex. A nameserver of an older version would add the servers of the service to those records, so
// upgrade nameservers first.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table dns.secondaries (
      domain_id      uuid primary key constraint secondaries_domain references dns.domains (id) on delete cascade,
      -- In the order in which they are asked: [{"address": "192.0.2.1", "port": 53}].
      primaries      jsonb not null,
      -- All four or none.
      key_name       text,
      key_algorithm  text,
      -- AES-256-GCM, by the key of that id of TRANSFER_ENCRYPTION_KEYS.
      secret_sealed  bytea,
      secret_key_id  text,
      -- Of the primary's SOA, as the records are; null: nothing has come yet.
      serial         bigint,
      -- Of the same SOA, in seconds.
      refresh        bigint,
      retry          bigint,
      expire         bigint,
      transferred_at timestamptz,
      -- When a primary last said that this is its latest version.
      refreshed_at   timestamptz,
      -- When primaries are to be asked again, and since when one of them waits to be.
      next_at        timestamptz not null default clock_timestamp(),
      notified_at    timestamptz,
      -- Since the last success, and the last one's sentence.
      failures       integer not null default 0,
      problem        text,
      -- A process is at it, if it still runs.
      held_until     timestamptz,
      held_by        uuid,
      constraint secondaries_key check (num_nonnulls(key_name, key_algorithm, secret_sealed, secret_key_id) in (0, 4))
    );
    create index secondaries_due on dns.secondaries (next_at);

    create or replace function dns.domains_apex_version() returns trigger language plpgsql as $body$
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

    grant select, insert, update, delete on dns.secondaries to zonewright_operator, zonewright_dns_api;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    create or replace function dns.domains_apex_version() returns trigger language plpgsql as $body$
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
    drop table dns.secondaries;
    update dns.domains set apex_version = (select max(v.version) from dns.apex_versions as v)
     where apex_version >= 2147483646;
  `);
}

export const secondaries: Knex.Migration = { up, down };
