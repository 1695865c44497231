import type { Knex } from 'knex';

// The signer looks through what is kept of signed zones, in the background: when all of a zone was looked at last, and what was wrong.

async function up(db: Knex): Promise<void> {
  await db.raw(
    'alter table dns.zone_dnssec add column audited_at timestamptz, add column audit_problem text;',
  );
}

async function down(db: Knex): Promise<void> {
  await db.raw('alter table dns.zone_dnssec drop column audited_at, drop column audit_problem;');
}

export const dnssecAudits: Knex.Migration = { up, down };
