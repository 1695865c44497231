import type { Knex } from 'knex';

// A user who offers a zone may read the key of the offer again: clients that keep state need it (Terraform). It is
// stored until the offer ends, sealed by the key of that id of TRANSFER_ENCRYPTION_KEYS. Without those keys it is not
// stored.

async function up(db: Knex): Promise<void> {
  await db.raw(
    'alter table dns.zone_transfers add column secret_sealed bytea, add column secret_key_id text;',
  );
}

async function down(db: Knex): Promise<void> {
  await db.raw(
    'alter table dns.zone_transfers drop column secret_sealed, drop column secret_key_id;',
  );
}

export const transferKeys: Knex.Migration = { up, down };
