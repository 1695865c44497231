import type { Knex } from 'knex';

// Progress of nameservers (ADR 0012). The status row gets the columns that show it exactly. A second table is a ring of
// the latest times at which each nameserver made progress. Nameservers write both. Columns that an older nameserver
// does not write are null.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table dns.nameserver_status
      add column version      text,
      -- The transactions whose changes are applied; says more than applied_before, which waits for the slowest.
      add column horizon      pg_snapshot,
      -- When the feed was last read: nothing that was committed before is missing but what horizon says.
      add column read_at      timestamptz,
      -- Zones whose last version could not be taken over, with the serial that is answered (0: none); null: no zone.
      add column failed_zones jsonb;

    -- A ring for each nameserver: a slot is used again when all others are newer. So it needs no cleaning.
    create table dns.nameserver_progress (
      name       text not null,
      slot       integer not null,
      horizon    pg_snapshot not null,
      applied_at timestamptz not null,
      constraint nameserver_progress_pk primary key (name, slot)
    );
    -- The slot after the newest; the first horizon that shows a change.
    create index nameserver_progress_applied_at on dns.nameserver_progress (name, applied_at);

    -- The transaction of the change that was answered: who repeats the request waits for the same one.
    alter table dns.idempotency_keys add column changed_in xid8 default pg_current_xact_id();

    grant select, insert, update on dns.nameserver_progress to zonewright_nameserver;
    grant select on dns.nameserver_progress to zonewright_dns_api;
    grant select, insert, update, delete on dns.nameserver_progress to zonewright_operator;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table dns.nameserver_progress;
    alter table dns.idempotency_keys drop column changed_in;
    alter table dns.nameserver_status
      drop column version, drop column horizon, drop column read_at, drop column failed_zones;
  `);
}

export const publication: Knex.Migration = { up, down };
