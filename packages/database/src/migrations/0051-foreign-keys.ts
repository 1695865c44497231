import type { Knex } from 'knex';

// Keys of another provider who signs the same zone while it moves from there to here or back (RFC 8901). The desired
// keys are stored with the signing of the zone. The signer makes rows of dns.zone_keys of them, without secrets.
// Earlier code puts such a key in DNSKEY, like all keys that are not "unlisted". It does not sign with a key that has
// no secret.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- {"keys": [{"flags": 257, "algorithm": 13, "publicKey": "base64"}], "atOnce": false}; null: nobody ever wanted any.
    -- atOnce: what is not among them goes without waiting for the parent.
    alter table dns.zone_dnssec add column foreign_keys jsonb;
    alter table dns.zone_keys drop constraint zone_keys_state,
      add constraint zone_keys_state check (state in ('unlisted', 'published', 'active', 'retiring', 'removed', 'foreign'));
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    delete from dns.zone_keys where state = 'foreign';
    alter table dns.zone_keys drop constraint zone_keys_state,
      add constraint zone_keys_state check (state in ('unlisted', 'published', 'active', 'retiring', 'removed'));
    alter table dns.zone_dnssec drop column foreign_keys;
  `);
}

export const foreignKeys: Knex.Migration = { up, down };
