import type { Knex } from 'knex';

// Events that end a token (ADR 0019). Any change of these rows ends the dependent tokens in the same transaction,
// whether a service, the operator's command or manual SQL makes it. Programs read the new columns and write none of
// them.

/** Nine characters of base64url: the last 54 bits of a UUID, which are random. Each token of the key contains them. */
const NEW_FAMILY = `
  substr(translate(encode(decode(reverse(replace(gen_random_uuid()::text, '-', '')), 'hex'), 'base64'), '+/', '-_'), 1, 9)`;

async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- A token says in which generation of its user's credentials it was got, and ends with that.
    alter table identity.users add column credential_generation integer not null default 0;

    create function identity.begin_credential_generation() returns trigger language plpgsql as $body$
    begin
      if (new.password_hash, new.tokens_valid_after)
         is distinct from (old.password_hash, old.tokens_valid_after) then
        -- Waits for access keys that are being made for this user, and lets later ones see the change.
        perform from identity.users as u where u.id = old.id for update;
        new.credential_generation := old.credential_generation + 1;
      end if;
      return new;
    end
    $body$;
    create trigger begin_credential_generation before update on identity.users
      for each row execute function identity.begin_credential_generation();

    -- The tokens that a key got since it was last activated: its family ends as a token does, by a row of token_state.
    alter table identity.access_keys add column token_family text not null default ${NEW_FAMILY};

    create function identity.end_token_family() returns trigger language plpgsql as $body$
    begin
      -- For as long as the last of its tokens can live.
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

    -- A key that is activated holds its user's row, as a foreign key makes one that is inserted do: whoever ends all that
    -- a user has waits for it, and finds it. No program but the operator's may lock that row by itself.
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

    -- What became of a token is told by the transaction that decides it, and not by who comes after.
    create function identity.announce_token_state() returns trigger language plpgsql as $body$
    begin
      perform pg_notify('zonewright_identity', 'token_state:' || new.token_jti);
      return null;
    end
    $body$;
    create trigger announce_token_state after insert or update on identity.token_state
      for each row execute function identity.announce_token_state();
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop trigger announce_token_state on identity.token_state;
    drop trigger hold_user_of_key on identity.access_keys;
    drop trigger end_token_family_of_removed on identity.access_keys;
    drop trigger end_token_family on identity.access_keys;
    drop trigger begin_credential_generation on identity.users;
    drop function identity.announce_token_state(), identity.hold_user_of_key(), identity.end_token_family(),
      identity.begin_credential_generation();
    alter table identity.access_keys drop column token_family;
    alter table identity.users drop column credential_generation;
  `);
}

export const endsOfTokens: Knex.Migration = { up, down };
