import { randomUUID } from 'node:crypto';
import { announceZoneChange, type Database } from '../../src/index.js';

interface NewZone {
  readonly name: string;
  readonly records?: number;
}

/** Creates a zone with this number of A records, as the DNS API does; returns its id. */
export async function insertZone(trx: Database, { name, records = 0 }: NewZone): Promise<string> {
  const id = randomUUID();
  await trx.raw(
    `insert into dns.domains (id, tenant_id, name, email, ttl, serial, record_count)
     values (?, 'tenant', ?, 'a@example.com', 3600, 1, ?)`,
    [id, name, records],
  );
  await trx.raw(
    `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest)
     select ?, 'r' || n || '.' || ?, 'A', '192.0.2.1', '\\xc0000201', sha256(int4send(n))
       from generate_series(1, ?::integer) as n`,
    [id, name, records],
  );
  await announceZoneChange(trx, id);
  return id;
}

/** Adds one record to a zone and increases its serial, as the DNS API does. */
export async function changeZone(trx: Database, id: string): Promise<void> {
  await trx.raw(
    `update dns.domains set serial = serial + 1, record_count = record_count + 1,
       changed_in = pg_current_xact_id() where id = ?`,
    [id],
  );
  await trx.raw(
    `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest)
     select d.id, 'c' || d.serial || '.' || d.name, 'TXT', 'x', '\\x0178', sha256(int8send(d.serial))
       from dns.domains as d where d.id = ?`,
    [id],
  );
  await announceZoneChange(trx, id);
}

/** Marks a zone as deleted, as the DNS API does; its row stays as a tombstone. */
export async function deleteZone(trx: Database, id: string): Promise<void> {
  await trx.raw(
    `update dns.domains set deleted_at = now(), serial = serial + 1,
       changed_in = pg_current_xact_id() where id = ?`,
    [id],
  );
  await announceZoneChange(trx, id);
}
