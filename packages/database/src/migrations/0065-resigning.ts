import type { Knex } from 'knex';

// A signed zone whose names all need other signatures, say because its TTL changed: the signer goes through them in batches.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- The name (signed_names.canonical) behind which signatures are made again, beginning at the apex; null: there is nothing to do.
    alter table dns.zone_dnssec add column resign_after bytea;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    update dns.signed_names as n set resign_at = now()
      from dns.zone_dnssec as z where z.domain_id = n.domain_id and z.resign_after is not null;
    alter table dns.zone_dnssec drop column resign_after;
  `);
}

export const resigning: Knex.Migration = { up, down };
