import type { Knex } from 'knex';

// The identity service's records: accounts, what they may do, the catalog, keys and the state of tokens.
// Ids are opaque text, so that accounts can move in from an older system with the ids they have.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    create schema identity;

    create domain identity.opaque_id as text
      constraint opaque_id_length check (char_length(value) between 1 and 64);

    create table identity.account_domains (
      id          identity.opaque_id primary key,
      name        text not null constraint account_domains_name_unique unique,
      status      text not null default 'enabled'
                  constraint account_domains_status check (status in ('enabled', 'suspended', 'disabled')),
      -- The number in "suspended:<n>" of a user's domainStatus.
      status_code integer,
      created_at  timestamptz not null default now(),
      updated_at  timestamptz not null default now()
    );

    create table identity.users (
      id                 identity.opaque_id primary key,
      account_domain_id  identity.opaque_id not null
                         constraint users_account_domain references identity.account_domains (id),
      -- Unique everywhere: version 2.0 authenticates by name alone.
      name               text not null constraint users_name_unique unique,
      -- Argon2id, PHC form; null: this user authenticates by access key only.
      password_hash      text,
      status             text not null default 'enabled'
                         constraint users_status check (status in ('enabled', 'suspended', 'disabled')),
      -- Tokens issued before this moment are dead: set when the password changes.
      tokens_valid_after timestamptz,
      created_at         timestamptz not null default now(),
      updated_at         timestamptz not null default now()
    );
    create index users_account_domain on identity.users (account_domain_id);

    create table identity.tenants (
      id                identity.opaque_id primary key,
      account_domain_id identity.opaque_id not null
                        constraint tenants_account_domain references identity.account_domains (id),
      -- Unique everywhere: tokens are scoped by tenantName alone.
      name              text not null constraint tenants_name_unique unique,
      display_name      text,
      description       text,
      enabled           boolean not null default true,
      created_at        timestamptz not null default now(),
      updated_at        timestamptz not null default now()
    );
    create index tenants_account_domain on identity.tenants (account_domain_id);

    create table identity.services (
      id               identity.opaque_id primary key,
      name             text not null constraint services_name_unique unique,
      -- Seen by every token, scoped or not, without activation.
      is_global        boolean not null default false,
      enabled          boolean not null default true,
      created_at       timestamptz not null default now()
    );

    -- One service can stand in the catalog under several types: old clients look for an older one.
    create table identity.service_types (
      service_id identity.opaque_id not null
                 constraint service_types_service references identity.services (id) on delete cascade,
      type       text not null,
      constraint service_types_pk primary key (service_id, type)
    );

    create table identity.endpoints (
      id            identity.opaque_id primary key,
      service_id    identity.opaque_id not null
                    constraint endpoints_service references identity.services (id) on delete cascade,
      region        text not null,
      -- URLs are templates: %(tenant_id)s stands for the tenant of the token.
      public_url    text not null,
      public_url2   text,
      internal_url  text,
      admin_url     text,
      version_id    text,
      version_info  text,
      version_list  text,
      release_state text not null default 'public'
                    constraint endpoints_release_state check (release_state in ('public', 'beta', 'preview')),
      enabled       boolean not null default true,
      created_at    timestamptz not null default now()
    );
    create index endpoints_service on identity.endpoints (service_id);

    create table identity.roles (
      id         identity.opaque_id primary key,
      name       text not null constraint roles_name_unique unique,
      -- The service that the role belongs to, shown as serviceId.
      service_id identity.opaque_id
                 constraint roles_service references identity.services (id),
      created_at timestamptz not null default now()
    );

    -- Holding any of these roles on the tenant shows the service in its catalog; a service without a row needs none.
    create table identity.service_required_roles (
      service_id identity.opaque_id not null
                 constraint service_required_roles_service references identity.services (id) on delete cascade,
      role_id    identity.opaque_id not null
                 constraint service_required_roles_role references identity.roles (id) on delete cascade,
      constraint service_required_roles_pk primary key (service_id, role_id)
    );

    create table identity.role_assignments (
      user_id    identity.opaque_id not null
                 constraint role_assignments_user references identity.users (id) on delete cascade,
      role_id    identity.opaque_id not null
                 constraint role_assignments_role references identity.roles (id) on delete cascade,
      -- Null: a role on the account domain, held whatever the token's scope.
      tenant_id  identity.opaque_id
                 constraint role_assignments_tenant references identity.tenants (id) on delete cascade,
      created_at timestamptz not null default now(),
      constraint role_assignments_unique unique nulls not distinct (user_id, role_id, tenant_id)
    );
    -- List Tenants: the tenants of a user, by id.
    create index role_assignments_user_tenant on identity.role_assignments (user_id, tenant_id);

    create table identity.tenant_services (
      tenant_id    identity.opaque_id not null
                   constraint tenant_services_tenant references identity.tenants (id) on delete cascade,
      service_id   identity.opaque_id not null
                   constraint tenant_services_service references identity.services (id) on delete cascade,
      activated_at timestamptz not null default now(),
      constraint tenant_services_pk primary key (tenant_id, service_id)
    );

    create table identity.access_keys (
      id                text primary key
                        constraint access_keys_id_length check (char_length(id) between 1 and 999),
      user_id           identity.opaque_id not null
                        constraint access_keys_user references identity.users (id) on delete cascade,
      account_domain_id identity.opaque_id not null
                        constraint access_keys_account_domain references identity.account_domains (id),
      algorithm         text not null,
      key_length        integer,
      -- AES-256-GCM (Keyring); erased when the key is deleted.
      secret_sealed     bytea,
      secret_key_id     text,
      -- "expired" is not stored: it follows from valid_to.
      status            text not null default 'active'
                        constraint access_keys_status check (status in ('active', 'inactive', 'revoked', 'deleted', 'purged')),
      valid_from        timestamptz not null,
      valid_to          timestamptz not null,
      created_at        timestamptz not null default now(),
      deleted_at        timestamptz,
      constraint access_keys_period check (valid_to > valid_from),
      constraint access_keys_secret check
        ((secret_sealed is null) = (secret_key_id is null)
         and (secret_sealed is not null or status in ('revoked', 'deleted', 'purged'))
         and (secret_sealed is null or status not in ('deleted', 'purged')))
    );
    -- Get Access Keys: an owner's keys.
    create index access_keys_user on identity.access_keys (user_id, id);
    create index access_keys_account_domain on identity.access_keys (account_domain_id);

    create table identity.signing_keys (
      -- The "kid" of tokens.
      id            text primary key constraint signing_keys_id_length check (char_length(id) between 1 and 16),
      secret_sealed bytea not null,
      secret_key_id text not null,
      -- The primary signs; all verify until they are retired.
      is_primary    boolean not null default false,
      created_at    timestamptz not null default now(),
      retired_at    timestamptz,
      constraint signing_keys_primary_in_use check (not is_primary or retired_at is null)
    );
    create unique index signing_keys_one_primary on identity.signing_keys (is_primary) where is_primary;

    -- Only tokens that were rescoped or revoked have a row; it may go when the token has expired.
    create table identity.token_state (
      token_jti   text primary key,
      user_id     text not null,
      is_rescoped boolean not null default false,
      -- The scope that replaces the one signed into the token; null with is_rescoped: unscoped.
      tenant_id   text,
      revoked_at  timestamptz,
      expires_at  timestamptz not null,
      changed_at  timestamptz not null default now()
    );
    -- Refilling Redis after it was emptied; removing what has expired.
    create index token_state_expires_at on identity.token_state (expires_at);

    -- Whatever changes these tables, a service, the operator's command or SQL by hand, empties the caches.
    create function identity.announce_change() returns trigger language plpgsql as $body$
    begin
      perform pg_notify('zonewright_identity', tg_table_name);
      return null;
    end
    $body$;
  `);
  for (const table of ANNOUNCED_TABLES) {
    await db.raw(`
      create trigger announce_change after insert or update or delete or truncate on identity.${table}
        for each statement execute function identity.announce_change();
    `);
  }
}

const ANNOUNCED_TABLES = [
  'account_domains',
  'users',
  'tenants',
  'services',
  'service_types',
  'service_required_roles',
  'endpoints',
  'roles',
  'role_assignments',
  'tenant_services',
  'access_keys',
  'signing_keys',
];

async function down(db: Knex): Promise<void> {
  await db.raw('drop schema identity cascade');
}

export const identityTables: Knex.Migration = { up, down };
