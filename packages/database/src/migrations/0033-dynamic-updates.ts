import type { Knex } from 'knex';

// Dynamic updates (ADR 0033). An access key signs as the name that its id is, in which letter case does not matter.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    create index access_keys_tsig_name on identity.access_keys (lower(id)) where status = 'active';
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop index identity.access_keys_tsig_name;
  `);
}

export const dynamicUpdates: Knex.Migration = { up, down };
