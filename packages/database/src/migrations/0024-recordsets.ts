import type { Knex } from 'knex';

// Designate v2 shows the records of one name and type as one recordset. Its id is computed and not stored, so there is nothing
// to keep in step: the first octets of a SHA-256 as a UUID of version 8 (RFC 9562 s5.8). The index by which a recordset is found
// is built beside the migrations (late-indexes.ts), since it would keep writers of a large table waiting. Quotas get what v2 has
// beyond v1, and its operators change them over HTTP.

async function up(db: Knex): Promise<void> {
  await db.raw(`
    create function dns.recordset_id(domain_id uuid, name text, type text) returns uuid
      language sql immutable strict parallel safe
      return cast(
        overlay(overlay(
          left(encode(sha256(uuid_send(domain_id) || convert_to(name || ' ' || type, 'UTF8')), 'hex'), 32)
          placing '8' from 13 for 1) placing '8' from 17 for 1)
        as uuid);

    alter table dns.quotas
      add column max_recordset_records integer constraint quotas_max_recordset_records check (max_recordset_records >= 0),
      add column max_export_records integer constraint quotas_max_export_records check (max_export_records >= 0);
    grant insert, update, delete on dns.quotas to zonewright_dns_api;
  `);
}

async function down(db: Knex): Promise<void> {
  await db.raw(`
    revoke insert, update, delete on dns.quotas from zonewright_dns_api;
    alter table dns.quotas drop column max_recordset_records, drop column max_export_records;
    drop index if exists dns.records_recordset_id;
    drop function dns.recordset_id(uuid, text, text);
  `);
}

export const recordsets: Knex.Migration = { up, down };
