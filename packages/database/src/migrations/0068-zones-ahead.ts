import type { Knex } from 'knex';

// Zones that a nameserver answers in a version that the database lost in a failover or a restore (ADR 0058). Each has
// its name, and the serial that its next version must exceed. dns-api increases these serials. A second column has
// large zones that are read after the others, with the serial that is answered meanwhile.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Null: no zone.
    alter table dns.nameserver_status add column ahead_zones jsonb, add column late_zones jsonb;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw('alter table dns.nameserver_status drop column ahead_zones, drop column late_zones');
}

export const zonesAhead: Knex.Migration = { up, down };
