import type { Knex } from 'knex';

// Access keys with a name, and with restrictions (ADR 0027). A key's restrictions are its own for as long as it exists:
// tokens name them by their number, and services believe what they have read of that number.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table identity.access_keys
      add column name text constraint access_keys_name_length check (char_length(name) between 1 and 255),
      add column description text constraint access_keys_description_length check (char_length(description) <= 1024),
      -- The normal form; null: the key may do what its user may.
      add column restriction jsonb,
      add column restriction_number bigint,
      add constraint access_keys_restriction check ((restriction is null) = (restriction_number is null));
    create sequence identity.restriction_numbers as bigint;
    create unique index access_keys_restriction_number on identity.access_keys (restriction_number)
      where restriction_number is not null;
    create unique index access_keys_name on identity.access_keys (user_id, name)
      where name is not null and status in ('active', 'inactive');

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

    -- When a key was last used, to the minute. A table of its own: changes of keys are announced, and this is none.
    create table identity.access_key_uses (
      access_key_id text primary key
                    constraint access_key_uses_access_key references identity.access_keys (id) on delete cascade,
      last_used_at  timestamptz not null
    );

    grant usage on sequence identity.restriction_numbers to zonewright_identity, zonewright_operator;
    grant select, insert, update on identity.access_key_uses to zonewright_identity;
    grant select, insert, update, delete on identity.access_key_uses to zonewright_operator;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table identity.access_key_uses;
    -- Who goes back to programs that know no restrictions must not find keys without them.
    delete from identity.access_keys where restriction is not null;
    drop trigger keep_restriction on identity.access_keys;
    drop function identity.keep_restriction();
    alter table identity.access_keys
      drop column name, drop column description, drop column restriction, drop column restriction_number;
    drop sequence identity.restriction_numbers;
  `);
}

export const restrictedAccessKeys: Knex.Migration = { up, down };
