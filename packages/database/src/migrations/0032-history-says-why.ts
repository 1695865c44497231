import type { Knex } from 'knex';

// Author of a change by name, with the access key, the source, and the reason that the author gave. Older programs
// write none of it. The schema does not restrict `source`, so a new one does not need a migration.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table dns.zone_changes
      add column user_name text,
      add column access_key_id text,
      add column source text,
      add column note text;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table dns.zone_changes
      drop column user_name, drop column access_key_id, drop column source, drop column note;
  `);
}

export const historySaysWhy: Knex.Migration = { up, down };
