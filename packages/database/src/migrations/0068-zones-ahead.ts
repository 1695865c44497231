import type { Knex } from 'knex';

// Zones that a nameserver answers as the database no longer has them, since a failover or a restore lost their last changes
// (ADR 0058): the name of each, with the serial that its next version must exceed. dns-api increases these serials. Beside them
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
