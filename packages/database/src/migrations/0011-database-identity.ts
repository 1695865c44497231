import type { Knex } from 'knex';

// Identity of this database (ADR 0020). The id is a row, so dumps, copies of files and standbys keep it. A database
// that replaces a lost one has another id. The table also has the operator's last confirmation that nameservers are to
// trust this database. Each nameserver reports in its status from which database its zones are, and what it does not
// trust.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table dns.database_identity (
      is_only     boolean not null default true,
      id          uuid not null default gen_random_uuid(),
      made_at     timestamptz not null default now(),
      -- Another value with each acceptance; null: there has been none.
      acceptance  uuid,
      accepted_at timestamptz,
      -- Ids of the databases in whose place this one was accepted.
      instead_of  uuid[] not null default '{}',
      constraint database_identity_pk primary key (is_only),
      constraint database_identity_one_row check (is_only)
    );
    insert into dns.database_identity default values;

    alter table dns.nameserver_status
      add column database_id uuid,
      -- Null: it believes what the database says.
      add column doubt       text;

    grant select on dns.database_identity to zonewright_nameserver;
    grant select, insert, update, delete on dns.database_identity to zonewright_operator;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table dns.database_identity;
    alter table dns.nameserver_status drop column database_id, drop column doubt;
  `);
}

export const databaseIdentity: Knex.Migration = { up, down };
