import type { Knex } from 'knex';

// Dynamic updates (ADR 0033). An access key signs as the name that its id is, in which letter case does not matter; and the
// history of a zone says by which key and from where an update came.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index access_keys_tsig_name on identity.access_keys (lower(id)) where status = 'active';
    alter table dns.zone_changes
      add column access_key_id text,
      add column source text;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    alter table dns.zone_changes drop column access_key_id, drop column source;
    drop index identity.access_keys_tsig_name;
  `);
}

export const dynamicUpdates: Knex.Migration = { up, down };
