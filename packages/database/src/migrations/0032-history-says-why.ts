import type { Knex } from 'knex';

// Who made a change by name, with which access key, by which way it came and why, as its author wrote. Older programs write
// none of it; `source` is no closed list here, so that one more needs no change of the table.

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
