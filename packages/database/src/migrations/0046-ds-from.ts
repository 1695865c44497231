import type { Knex } from 'knex';

// A resolver that cached a zone before it was signed must not see a DS of it: unsigned data below a DS is bogus. The DS
// of its first key is therefore announced when no cache can still have the unsigned zone. CDS announces it, and so does
// a parent that is hosted here.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Until when the DS of the key is held back; null: it is announced.
    alter table dns.zone_keys add column ds_from timestamptz;
    grant select (ds_from) on dns.zone_keys to zonewright_dns_api;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw('alter table dns.zone_keys drop column ds_from;');
}

export const dsFrom: Knex.Migration = { up, down };
