import type { Knex } from 'knex';

// Data of a record that DNS does not have: tags, an expiry time, and whether it is switched off. A record
// that is switched off is in a table of its own. All code that reads dns.records therefore reads only served records,
// including code from before this migration. No program of an earlier version can answer with a record that is off.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Null: none. Else {"disabled": ..., "expiresAt": ..., "tags": [...]}.
    alter table dns.records add column flags jsonb;

    create table dns.disabled_records (like dns.records including defaults including constraints);
    alter table dns.disabled_records
      add primary key (id),
      add constraint disabled_records_domain foreign key (domain_id) references dns.domains (id) on delete cascade,
      add constraint disabled_records_flags check (flags is not null);
    create index disabled_records_listed on dns.disabled_records (domain_id, created_at, id);
    create index disabled_records_end on dns.disabled_records ((flags ->> 'expiresAt'))
      where flags ->> 'expiresAt' is not null;
    grant select, insert, delete on dns.disabled_records to zonewright_dns_api;
    grant select, insert, update, delete on dns.disabled_records to zonewright_operator;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table dns.disabled_records;
    drop index if exists dns.records_end;
    alter table dns.records drop column flags;
  `);
}

export const recordFlags: Knex.Migration = { up, down };
