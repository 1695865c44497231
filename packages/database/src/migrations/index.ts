import { ACCESS_KEYS_AND_TOKENS } from './baseline/access-keys-and-tokens.js';
import { ACCOUNTS } from './baseline/accounts.js';
import { NAMESERVERS } from './baseline/nameservers.js';
import { ROLES_AND_RIGHTS } from './baseline/roles.js';
import { SIGNING } from './baseline/signing.js';
import { TRANSFERS } from './baseline/transfers.js';
import { ZONES } from './baseline/zones.js';

/**
 * An index of a table that may be large. It is built while other programs write, which is not possible in a transaction
 * (PostgreSQL, CREATE INDEX CONCURRENTLY). Without the index, code must still work, only slower.
 */
export interface LateIndex {
  /** The name in the schema dns. */
  readonly name: string;
  /** The table and the columns of the index, as in `create index`. */
  readonly on: string;
}

/** A change of the schema. Old programs must work on the schema after it. */
export interface Migration {
  /** The name: four digits and words, such as `0004-zone-labels`. */
  readonly name: string;
  /**
   * Statements, separated by semicolons. They run in one transaction with the statements of other pending migrations.
   */
  readonly sql: string;
  /** Indexes that are built afterwards, while programs write. */
  readonly indexes?: readonly LateIndex[];
}

/**
 * The migrations in order. The first three are the schema of release 0.1.0. A released migration is never edited: add a
 * new one at the end.
 */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-identity', sql: ACCOUNTS + ACCESS_KEYS_AND_TOKENS },
  { name: '0002-dns', sql: ZONES + NAMESERVERS + TRANSFERS + SIGNING },
  { name: '0003-roles', sql: ROLES_AND_RIGHTS },
  {
    name: '0070-owners-and-peers',
    // The reason why this service did not give a zone to a peer, and the time. Null after a transfer.
    sql: 'alter table dns.peer_status add column problem text, add column problem_at timestamptz',
    // The changesets that transferred a zone to another tenant.
    indexes: [
      {
        name: 'zone_changes_transfers',
        on: `dns.zone_changes (domain_id, serial_after)
          where action = 'domain-update' and (before ->> 'tenant_id') is distinct from (after ->> 'tenant_id')`,
      },
    ],
  },
  {
    name: '0071-disabled-counts',
    // A trigger counts the records, so that records written by old programs are included.
    sql: `
alter table dns.domains add column disabled_count integer not null default 0;
create function dns.count_disabled() returns trigger language plpgsql as $body$
begin
  update dns.domains as d
     set disabled_count = d.disabled_count + (case tg_op when 'INSERT' then 1 else -1 end) * c.records
    from (select r.domain_id, cast(count(*) as integer) as records from changed as r group by r.domain_id) as c
   where d.id = c.domain_id;
  return null;
end
$body$;
create trigger count_new after insert on dns.disabled_records referencing new table as changed
  for each statement execute function dns.count_disabled();
create trigger count_gone after delete on dns.disabled_records referencing old table as changed
  for each statement execute function dns.count_disabled();
update dns.domains as d set disabled_count = c.records
  from (select r.domain_id, cast(count(*) as integer) as records from dns.disabled_records as r group by r.domain_id) as c
 where d.id = c.domain_id`,
  },
  {
    name: '0074-reasons-of-primaries',
    // The code of the reason why a zone's primaries failed, in addition to the message. An earlier version writes only
    // the message.
    sql: 'alter table dns.secondaries add column reason text',
  },
  {
    name: '0075-keystone-clients',
    // Services that each new tenant has, members that clients of Keystone store without a meaning here, and activations
    // by identity-service.
    sql: `
alter table identity.services add column for_new_tenants boolean not null default false;
alter table identity.users add column extra jsonb;
alter table identity.tenants add column extra jsonb;
alter table identity.roles add column extra jsonb;
grant insert, delete on identity.tenant_services to zonewright_identity`,
  },
  {
    name: '0078-display-names',
    // The name in the letter case in which its owner wrote it. Null: it is the canonical name.
    sql: `
alter table dns.domains add column display_name text collate "C";
alter table dns.domains add constraint domains_display_name check (lower(display_name) = name) not valid`,
  },
  {
    name: '0079-recordset-quotas',
    // Maximum number of recordsets in a domain. Null: only the number of records is limited.
    sql: `
alter table dns.quotas add column max_domain_recordsets integer
  constraint quotas_max_domain_recordsets check (max_domain_recordsets >= 0)`,
  },
  {
    name: '0080-names-of-living-domains',
    // The feed finds the living domain of a name as the first entry of this index. In a small table, PostgreSQL would
    // see no difference between the indexes without deleted domains, and could scan all entries of another one.
    sql: `
drop index dns.domains_name;
create index domains_name on dns.domains (name, deleted_at nulls first)`,
  },
];
