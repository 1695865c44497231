import type { Knex } from 'knex';

// More record types than the first seven, and any other as TYPE and its number (RFC 3597). The code decides which of
// them users may write; the schema checks only the form of a type. An older dns-api writes its seven types as before.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table dns.records drop constraint records_type;
    alter table dns.records add constraint records_type check (type ~ '^[A-Z0-9-]{1,16}$') not valid;
    alter table dns.records validate constraint records_type;
  `);
}

/** Refused by the constraint while there are records of other types. */
async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table dns.records drop constraint records_type;
    alter table dns.records add constraint records_type
      check (type in ('NS', 'A', 'AAAA', 'MX', 'TXT', 'CNAME', 'SRV'));
  `);
}

export const recordTypes: Knex.Migration = { up, down };
