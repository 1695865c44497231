import type { Knex } from 'knex';

// Search text of a zone: all names, data and descriptions of its records, with the serial that they belong to. It is
// made at a search (ADR 0046), so writes have no cost.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table dns.search_texts (
      domain_id uuid primary key references dns.domains (id) on delete cascade,
      serial bigint not null,
      made_at timestamptz not null,
      content text not null
    ) with (toast_tuple_target = 8160);
    -- Searched through as it stands: to unfold it would take longer than to read it.
    alter table dns.search_texts alter column content set storage external;
    grant select, insert, update on dns.search_texts to zonewright_dns_api;
    grant select, insert, update, delete on dns.search_texts to zonewright_operator;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw('drop table dns.search_texts');
}

export const searchTexts: Knex.Migration = { up, down };
