/**
 * SQL that creates the name of a token family: nine characters of base64url, the last 54 bits of a UUID, which are
 * random. All tokens of an access key contain the key's family.
 */
const NEW_FAMILY = `
  substr(translate(encode(decode(reverse(replace(gen_random_uuid()::text, '-', '')), 'hex'), 'base64'), '+/', '-_'), 1, 9)`;

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

/** Access keys, the keys that sign tokens, token states, and notifications of changes. */
export const ACCESS_KEYS_AND_TOKENS = `
-- Access keys

create table identity.access_keys (
  id                 text primary key
                     constraint access_keys_id_length check (char_length(id) between 1 and 999),
  user_id            identity.opaque_id not null
                     constraint access_keys_user references identity.users (id) on delete cascade,
  account_domain_id  identity.opaque_id not null
                     constraint access_keys_account_domain references identity.account_domains (id),
  name               text constraint access_keys_name_length check (char_length(name) between 1 and 255),
  description        text constraint access_keys_description_length check (char_length(description) <= 1024),
  algorithm          text not null,
  key_length         integer,
  -- AES-256-GCM (Keyring). Erased when the key is deleted.
  secret_sealed      bytea,
  secret_key_id      text,
  -- "expired" is not stored, because it follows from valid_to.
  status             text not null default 'active'
                     constraint access_keys_status check (status in ('active', 'inactive', 'revoked', 'deleted', 'purged')),
  -- Changes whenever the key stops being active, and so ends all tokens of the key (ADR 0019).
  token_family       text not null default ${NEW_FAMILY},
  -- Normal form of the restrictions (ADR 0027). Null: the key has all rights of its user.
  restriction        jsonb,
  -- Tokens name the restrictions by this number. Services cache the restrictions by it.
  restriction_number bigint,
  valid_from         timestamptz not null,
  valid_to           timestamptz not null,
  created_at         timestamptz not null default now(),
  deleted_at         timestamptz,
  constraint access_keys_period check (valid_to > valid_from),
  constraint access_keys_secret check
    ((secret_sealed is null) = (secret_key_id is null)
     and (secret_sealed is not null or status in ('revoked', 'deleted', 'purged'))
     and (secret_sealed is null or status not in ('deleted', 'purged'))),
  constraint access_keys_restriction check ((restriction is null) = (restriction_number is null))
);
-- Get Access Keys: the keys of a user.
create index access_keys_user on identity.access_keys (user_id, id);
create index access_keys_account_domain on identity.access_keys (account_domain_id);
-- An access key is also a TSIG key of its id, in any letter case (ADR 0033).
create index access_keys_tsig_name on identity.access_keys (lower(id)) where status = 'active';
create unique index access_keys_name on identity.access_keys (user_id, name)
  where name is not null and status in ('active', 'inactive');
create unique index access_keys_restriction_number on identity.access_keys (restriction_number)
  where restriction_number is not null;

create sequence identity.restriction_numbers as bigint;

create function identity.keep_restriction() returns trigger language plpgsql as $body$
begin
  if (new.restriction, new.restriction_number) is distinct from (old.restriction, old.restriction_number) then
    raise exception 'the restrictions of an access key cannot be changed: make another key'
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end
$body$;
create trigger keep_restriction before update of restriction, restriction_number on identity.access_keys
  for each row execute function identity.keep_restriction();

-- Activating a key locks the row of its user, as the foreign key does when a key is inserted. Whatever ends all keys of
-- the user waits for it, and finds the key. Only the operator's role may lock that row itself.
create function identity.hold_user_of_key() returns trigger language plpgsql
  security definer set search_path = pg_catalog as $body$
begin
  perform from identity.users as u where u.id = new.user_id for key share;
  return new;
end
$body$;
create trigger hold_user_of_key before update on identity.access_keys
  for each row when (old.status <> 'active' and new.status = 'active')
  execute function identity.hold_user_of_key();

-- Time of the last use of a key, to the minute. It has its own table, because changes of keys are announced and uses
-- are not.
create table identity.access_key_uses (
  access_key_id text primary key
                constraint access_key_uses_access_key references identity.access_keys (id) on delete cascade,
  last_used_at  timestamptz not null
);

-- Tokens

create table identity.signing_keys (
  -- The "kid" of tokens.
  id            text primary key constraint signing_keys_id_length check (char_length(id) between 1 and 16),
  secret_sealed bytea not null,
  secret_key_id text not null,
  -- The primary key signs. All keys verify until they are retired.
  is_primary    boolean not null default false,
  created_at    timestamptz not null default now(),
  retired_at    timestamptz,
  constraint signing_keys_primary_in_use check (not is_primary or retired_at is null)
);
create unique index signing_keys_one_primary on identity.signing_keys (is_primary) where is_primary;

-- Tokens and token families that were rescoped or revoked; other tokens have no row. A row may be deleted when its
-- token has expired.
create table identity.token_state (
  token_jti   text primary key,
  user_id     text not null,
  is_rescoped boolean not null default false,
  -- Scope that replaces the one signed into the token. Null with is_rescoped: unscoped.
  tenant_id   text,
  revoked_at  timestamptz,
  expires_at  timestamptz not null,
  changed_at  timestamptz not null default now()
);
-- Fills Redis after it was emptied, and finds expired rows.
create index token_state_expires_at on identity.token_state (expires_at);

create function identity.end_token_family() returns trigger language plpgsql as $body$
begin
  -- Kept for the longest lifetime of a token.
  insert into identity.token_state (token_jti, user_id, revoked_at, expires_at, changed_at)
    values (old.token_family, old.user_id, now(), now() + interval '12 hours', clock_timestamp())
    on conflict (token_jti) do nothing;
  if tg_op = 'DELETE' then
    return old;
  end if;
  new.token_family := ${NEW_FAMILY};
  return new;
end
$body$;
create trigger end_token_family before update on identity.access_keys
  for each row when (old.status = 'active' and new.status <> 'active')
  execute function identity.end_token_family();
create trigger end_token_family_of_removed before delete on identity.access_keys
  for each row when (old.status = 'active') execute function identity.end_token_family();

-- Notifications. They are sent by triggers, so that changes by services, zonewright-admin and manual SQL all reach the
-- caches.

create function identity.announce_token_state() returns trigger language plpgsql as $body$
begin
  perform pg_notify('zonewright_identity', 'token_state:' || new.token_jti);
  return null;
end
$body$;
create trigger announce_token_state after insert or update on identity.token_state
  for each row execute function identity.announce_token_state();

create function identity.announce_change() returns trigger language plpgsql as $body$
begin
  perform pg_notify('zonewright_identity', tg_table_name);
  return null;
end
$body$;
${ANNOUNCED_TABLES.map(
  (table) => `
create trigger announce_change after insert or update or delete or truncate on identity.${table}
  for each statement execute function identity.announce_change();`,
).join('')}
`;
