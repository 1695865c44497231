import type { Knex } from 'knex';

// Requests to the signer: to stop signing, and to stay signed after all, so that the requester needs no signatures.
// Also adds keys that sign a zone without being in DNSKEY. A change of the algorithm needs them before and after
// (RFC 6781 s4.1.4).

async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table dns.zone_dnssec drop constraint zone_dnssec_wish,
      add constraint zone_dnssec_wish check (wish in ('rollover', 'unsign', 'leave', 'stay'));
    alter table dns.zone_keys drop constraint zone_keys_state,
      add constraint zone_keys_state check (state in ('unlisted', 'published', 'active', 'retiring', 'removed'));
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    update dns.zone_dnssec set wish = null where wish in ('leave', 'stay');
    update dns.zone_keys set state = 'removed', removed_at = now(), secret_sealed = null, secret_key_id = null
     where state = 'unlisted';
    alter table dns.zone_dnssec drop constraint zone_dnssec_wish,
      add constraint zone_dnssec_wish check (wish in ('rollover', 'unsign'));
    alter table dns.zone_keys drop constraint zone_keys_state,
      add constraint zone_keys_state check (state in ('published', 'active', 'retiring', 'removed'));
  `);
}

export const dnssecWishes: Knex.Migration = { up, down };
