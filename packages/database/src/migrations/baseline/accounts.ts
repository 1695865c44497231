/** Accounts of identity-service: users, tenants, their roles, and the catalog of services. */
export const ACCOUNTS = `
create schema identity;

-- Ids are opaque text, so that accounts can move in from an older system with the ids that they have.
create domain identity.opaque_id as text
  constraint opaque_id_length check (char_length(value) between 1 and 64);

-- Accounts

create table identity.account_domains (
  id          identity.opaque_id primary key,
  name        text not null constraint account_domains_name_unique unique,
  status      text not null default 'enabled'
              constraint account_domains_status check (status in ('enabled', 'suspended', 'disabled')),
  -- Number in "suspended:<n>" of a user's domainStatus.
  status_code integer,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now()
);

create table identity.users (
  id                    identity.opaque_id primary key,
  account_domain_id     identity.opaque_id not null
                        constraint users_account_domain references identity.account_domains (id),
  -- Unique in all account domains, because version 2.0 authenticates by name alone.
  name                  text not null constraint users_name_unique unique,
  description           text,
  email                 text,
  -- Argon2id in PHC form. Null: this user authenticates by access key only.
  password_hash         text,
  status                text not null default 'enabled'
                        constraint users_status check (status in ('enabled', 'suspended', 'disabled')),
  -- Tokens issued before this time are invalid. Set when the password changes.
  tokens_valid_after    timestamptz,
  -- A token names the generation of its user's credentials (ADR 0019), and ends with that generation.
  credential_generation integer not null default 0,
  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now()
);
create index users_account_domain on identity.users (account_domain_id);

create function identity.begin_credential_generation() returns trigger language plpgsql as $body$
begin
  if (new.password_hash, new.tokens_valid_after)
     is distinct from (old.password_hash, old.tokens_valid_after) then
    -- Waits for access keys that are being created for this user. Later ones see the change.
    perform from identity.users as u where u.id = old.id for update;
    new.credential_generation := old.credential_generation + 1;
  end if;
  return new;
end
$body$;
create trigger begin_credential_generation before update on identity.users
  for each row execute function identity.begin_credential_generation();

-- Generations of deleted users. An import may create a user again with the same id. The tokens of the deleted user stay
-- invalid, because the new user begins in a later generation. Rows are needed for as long as tokens live.
create table identity.former_users (
  user_id               text primary key,
  credential_generation integer not null,
  deleted_at            timestamptz not null default now()
);

create function identity.remember_former_user() returns trigger language plpgsql
  security definer set search_path = pg_catalog as $body$
begin
  delete from identity.former_users as f where f.deleted_at < now() - interval '13 hours';
  insert into identity.former_users (user_id, credential_generation)
    values (old.id, old.credential_generation)
    on conflict (user_id) do update
      set credential_generation = excluded.credential_generation, deleted_at = now();
  return null;
end
$body$;
create trigger remember_former_user after delete on identity.users
  for each row execute function identity.remember_former_user();

create function identity.begin_after_former_user() returns trigger language plpgsql
  security definer set search_path = pg_catalog as $body$
begin
  new.credential_generation := greatest(new.credential_generation,
    (select f.credential_generation + 1 from identity.former_users as f where f.user_id = new.id));
  return new;
end
$body$;
create trigger begin_after_former_user before insert on identity.users
  for each row execute function identity.begin_after_former_user();

create table identity.tenants (
  id                identity.opaque_id primary key,
  account_domain_id identity.opaque_id not null
                    constraint tenants_account_domain references identity.account_domains (id),
  -- Unique in all account domains, because tokens are scoped by tenantName alone.
  name              text not null constraint tenants_name_unique unique,
  display_name      text,
  description       text,
  enabled           boolean not null default true,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now()
);
create index tenants_account_domain on identity.tenants (account_domain_id);

-- Data of Keystone's clients that token checks do not read.

create table identity.project_tags (
  tenant_id text not null constraint project_tags_tenant references identity.tenants (id) on delete cascade,
  tag       text not null collate "C",
  constraint project_tags_pkey primary key (tenant_id, tag)
);

create table identity.default_projects (
  user_id   text constraint default_projects_pkey primary key
            constraint default_projects_user references identity.users (id) on delete cascade,
  tenant_id text not null constraint default_projects_tenant references identity.tenants (id) on delete cascade
);
create index default_projects_tenant on identity.default_projects (tenant_id);

-- Catalog

create table identity.services (
  id         identity.opaque_id primary key,
  name       text not null constraint services_name_unique unique,
  -- Listed in the catalog of every token, scoped or not, without activation.
  is_global  boolean not null default false,
  enabled    boolean not null default true,
  created_at timestamptz not null default now()
);

-- A service may be listed under several types, because old clients look for an older type.
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
  -- URLs are templates: %(tenant_id)s is replaced by the tenant of the token.
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

create table identity.tenant_services (
  tenant_id    identity.opaque_id not null
               constraint tenant_services_tenant references identity.tenants (id) on delete cascade,
  service_id   identity.opaque_id not null
               constraint tenant_services_service references identity.services (id) on delete cascade,
  activated_at timestamptz not null default now(),
  constraint tenant_services_pk primary key (tenant_id, service_id)
);

-- Roles

create table identity.roles (
  id         identity.opaque_id primary key,
  name       text not null constraint roles_name_unique unique,
  -- Service that the role belongs to, shown as serviceId.
  service_id identity.opaque_id
             constraint roles_service references identity.services (id),
  created_at timestamptz not null default now()
);

-- Any of these roles on a tenant shows the service in the tenant's catalog. A service without a row needs none.
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
  -- Null: a role on the account domain, which counts whatever the token's scope is.
  tenant_id  identity.opaque_id
             constraint role_assignments_tenant references identity.tenants (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint role_assignments_unique unique nulls not distinct (user_id, role_id, tenant_id)
);
-- List Tenants: the tenants of a user, by id.
create index role_assignments_user_tenant on identity.role_assignments (user_id, tenant_id);
-- Members of a tenant, and the assignments that are deleted with it.
create index role_assignments_tenant on identity.role_assignments (tenant_id) where tenant_id is not null;
`;
