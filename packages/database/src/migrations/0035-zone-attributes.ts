import type { Knex } from 'knex';

// Clients of Designate v2 say by attributes what a zone is for. Null: nothing was said.

async function up(db: Knex): Promise<void> {
  await db.raw('alter table dns.domains add column attributes jsonb;');
}

async function down(db: Knex): Promise<void> {
  await db.raw('alter table dns.domains drop column attributes;');
}

export const zoneAttributes: Knex.Migration = { up, down };
