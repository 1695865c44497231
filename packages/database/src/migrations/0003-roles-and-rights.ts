import type { Knex } from 'knex';

// One role for each program, with what its work needs and nothing else: a service that is taken over can
// harm its own part only. The roles carry no password here; an installation that wants a login for each sets
// one (migrate does, from the environment). Roles belong to the whole cluster, so they may exist already.

const ROLES = [
  'zonewright_identity',
  'zonewright_dns_api',
  'zonewright_nameserver',
  'zonewright_operator',
];

async function up(db: Knex): Promise<void> {
  for (const role of ROLES) {
    await db.raw(`
      do $body$
      begin
        -- Who migrates need not be allowed to create roles that somebody else has made.
        if not exists (select from pg_roles where rolname = '${role}') then
          create role ${role} nologin;
        end if;
      exception
        -- Two databases of one cluster may migrate at the same moment.
        when duplicate_object or unique_violation then null;
      end
      $body$;
    `);
  }
  await db.raw(`
    grant usage on schema identity to zonewright_identity, zonewright_operator;
    grant usage on schema dns to zonewright_dns_api, zonewright_nameserver, zonewright_operator;

    -- identity-service: reads accounts and catalog, keeps access keys and the state of tokens.
    grant select on all tables in schema identity to zonewright_identity;
    grant insert, update on identity.access_keys to zonewright_identity;
    grant insert, update, delete on identity.token_state to zonewright_identity;

    -- dns-api: domains are never deleted, only marked; the journal is only ever added to.
    grant select on dns.domains, dns.records, dns.zone_changes, dns.servers, dns.nameserver_domain, dns.quotas,
      dns.nameserver_status, dns.idempotency_keys to zonewright_dns_api;
    grant insert, update on dns.domains to zonewright_dns_api;
    grant insert, update, delete on dns.records, dns.idempotency_keys to zonewright_dns_api;
    grant insert on dns.zone_changes to zonewright_dns_api;

    -- nameserver: reads zones, tells how far it is.
    grant select on dns.domains, dns.records, dns.zone_changes, dns.servers, dns.nameserver_domain,
      dns.nameserver_status to zonewright_nameserver;
    grant insert, update on dns.nameserver_status to zonewright_nameserver;

    -- The operator's command: all data, no structure.
    grant select, insert, update, delete on all tables in schema identity, dns to zonewright_operator;
    grant usage on all sequences in schema dns to zonewright_operator;
  `);
}

async function down(db: Knex): Promise<void> {
  // The roles themselves may serve other databases of the cluster.
  await db.raw(`
    drop owned by zonewright_identity, zonewright_dns_api, zonewright_nameserver, zonewright_operator;
  `);
}

export const rolesAndRights: Knex.Migration = { up, down };
