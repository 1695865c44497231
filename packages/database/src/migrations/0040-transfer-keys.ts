import type { Knex } from 'knex';

// Who offers a zone may look the key of the offer up again: clients that keep what they read need it (Terraform). It is kept as
// long as the offer stands, sealed by the key of that id of TRANSFER_ENCRYPTION_KEYS, and without those not at all.

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
