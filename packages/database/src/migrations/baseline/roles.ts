const ROLES = [
  'zonewright_identity',
  'zonewright_dns_api',
  'zonewright_nameserver',
  'zonewright_signer',
  'zonewright_operator',
];

/**
 * A role for each program, with only the rights that its work needs, so that a compromised service can damage only its
 * own data. Roles have no password here; migrate sets passwords from its environment.
 */
export const ROLES_AND_RIGHTS = `
${ROLES.map(
  (role) => `
-- Roles belong to the whole cluster, so they may exist. A login that may not create roles can then still migrate. Two
-- databases of a cluster may migrate at the same time.
do $body$
begin
  if not exists (select from pg_roles where rolname = '${role}') then
    create role ${role} nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end
$body$;
`,
).join('')}

revoke execute on function identity.tenant_has_zones(text), dns.step_catalogs(), dns.require_signatures() from public;

-- identity-service: accounts, access keys and tokens. Account domains, the catalog and activations belong to the operator.

grant usage on schema identity to zonewright_identity;
grant select on
  identity.account_domains, identity.services, identity.service_types, identity.endpoints,
  identity.service_required_roles, identity.tenant_services
  to zonewright_identity;
grant select, insert, update, delete on
  identity.users, identity.tenants, identity.project_tags, identity.default_projects, identity.roles,
  identity.role_assignments, identity.access_keys, identity.token_state
  to zonewright_identity;
grant select, insert, update on identity.access_key_uses to zonewright_identity;
grant select, delete on identity.signing_keys to zonewright_identity;
grant usage on sequence identity.restriction_numbers to zonewright_identity;
grant execute on function identity.tenant_has_zones(text) to zonewright_identity;

-- dns-api: zones and all that belongs to them. It reads the settings of the operator and the state of nameservers, and
-- no secrets of keys that sign zones.

grant usage on schema dns to zonewright_dns_api;
grant select, insert, update, delete on
  dns.domains, dns.records, dns.idempotency_keys, dns.quotas, dns.name_rules, dns.history_sizes, dns.history_counted,
  dns.zone_transfers, dns.tsig_keys, dns.peers, dns.secondaries, dns.signed_names, dns.parent_ds
  to zonewright_dns_api;
grant select, insert, delete on
  dns.disabled_records, dns.zone_changes, dns.zone_tasks, dns.zone_shares, dns.zone_peers
  to zonewright_dns_api;
grant select, insert, update on dns.search_texts, dns.zone_dnssec to zonewright_dns_api;
grant select, insert on dns.signing_steps to zonewright_dns_api;
grant select, delete on dns.nameserver_status, dns.nameserver_progress to zonewright_dns_api;
grant select, update on dns.apex_rollout to zonewright_dns_api;
grant select on
  dns.servers, dns.nameserver_domain, dns.service_settings, dns.apex_versions, dns.peer_status
  to zonewright_dns_api;
grant update (serial, feed_floor) on dns.nameserver_domain to zonewright_dns_api;
grant select (id, domain_id, algorithm, flags, key_tag, public_key, state, published_at, active_at, ds_from, ds_seen_at,
  retire_at, removed_at) on dns.zone_keys to zonewright_dns_api;

-- Nameservers: they read what they serve, and write their own state.

grant usage on schema dns to zonewright_nameserver;
grant select on
  dns.domains, dns.records, dns.zone_changes, dns.servers, dns.nameserver_domain, dns.service_settings,
  dns.apex_versions, dns.database_identity, dns.peers, dns.zone_peers, dns.zone_dnssec, dns.signed_names,
  dns.signing_steps
  to zonewright_nameserver;
grant select, insert, update on dns.nameserver_status, dns.nameserver_progress, dns.peer_status to zonewright_nameserver;

-- The signer: keys and signatures, and the serials of the zones that it signs.

grant usage on schema dns to zonewright_signer;
grant select, insert, update, delete on
  dns.zone_dnssec, dns.zone_keys, dns.signed_names, dns.signing_steps
  to zonewright_signer;
grant select on
  dns.domains, dns.records, dns.zone_changes, dns.servers, dns.nameserver_domain, dns.service_settings,
  dns.apex_versions, dns.nameserver_status, dns.parent_ds
  to zonewright_signer;
grant update (serial, changed_in) on dns.domains to zonewright_signer;

-- The operator's command: all data, no structure.

grant usage on schema identity, dns to zonewright_operator;
grant select, insert, update, delete on all tables in schema identity, dns to zonewright_operator;
-- Triggers write it.
revoke all on identity.former_users from zonewright_operator;
grant usage on sequence identity.restriction_numbers to zonewright_operator;
grant usage on all sequences in schema dns to zonewright_operator;
grant execute on function identity.tenant_has_zones(text) to zonewright_operator;

-- Every program checks that the database has its migrations.

grant select on zonewright_migrations to ${ROLES.join(', ')};

-- Advisory locks. By default any login may take them, whatever its rights to tables. A compromised nameserver could hold
-- the locks with which dns-api and zonewright-admin keep the writers of a tenant apart, or fill the server's lock table.
-- Functions of the system belong to the superuser. If another login migrates (a managed server), every login keeps the
-- right.

do $body$
declare
  signature regprocedure;
begin
  if not pg_has_role(current_user, (select p.proowner from pg_proc as p where p.oid = 'pg_advisory_lock(bigint)'::regprocedure), 'USAGE') then
    return;
  end if;
  for signature in
    select p.oid::regprocedure from pg_proc as p
     where p.pronamespace = 'pg_catalog'::regnamespace and p.proname ~ '^pg_(try_|)advisory_(xact_|)lock(_shared|)$'
  loop
    execute format('revoke execute on function %s from public', signature);
    execute format('grant execute on function %s to zonewright_dns_api, zonewright_identity, zonewright_operator, %I', signature, current_user);
  end loop;
end
$body$;
`;
