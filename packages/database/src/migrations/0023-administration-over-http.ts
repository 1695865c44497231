import type { Knex } from 'knex';

// Rights of identity-service for the administration of accounts in version 3 (ADR 0028). Until now only the operator's
// command could write these tables. Account domains, the catalog and what tenants have activated stay with that
// command.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    grant insert, update, delete on identity.users, identity.tenants, identity.roles, identity.role_assignments
      to zonewright_identity;

    -- What Keystone keeps of a user beside its name.
    alter table identity.users add column description text, add column email text;

    -- Who holds a role on a tenant; also what goes with a tenant.
    create index role_assignments_tenant on identity.role_assignments (tenant_id) where tenant_id is not null;

    -- A user whose id comes back, by an import, must not find the tokens of the one before alive: it begins in a later
    -- generation of credentials than that one had. Rows are needed for as long as tokens live.
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

    -- Zones would stay behind a tenant that is deleted, served and owned by nobody. identity-service sees nothing of schema
    -- dns but this answer.
    create function identity.tenant_has_zones(tenant text) returns boolean language sql stable
      security definer set search_path = pg_catalog as $body$
      select exists (select from dns.domains as d where d.tenant_id = tenant and d.deleted_at is null)
    $body$;
    revoke execute on function identity.tenant_has_zones(text) from public;
    grant execute on function identity.tenant_has_zones(text) to zonewright_identity, zonewright_operator;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop function identity.tenant_has_zones(text);
    drop trigger begin_after_former_user on identity.users;
    drop trigger remember_former_user on identity.users;
    drop function identity.begin_after_former_user(), identity.remember_former_user();
    drop table identity.former_users;
    alter table identity.users drop column description, drop column email;
    drop index identity.role_assignments_tenant;
    revoke insert, update, delete on identity.users, identity.tenants, identity.roles, identity.role_assignments
      from zonewright_identity;
  `);
}

export const administrationOverHttp: Knex.Migration = { up, down };
