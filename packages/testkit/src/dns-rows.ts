import { createHash } from 'node:crypto';
import { announceZoneChange, type Database } from '@zonewright/database';
import { canonicalRdata, rdataToWire } from '@zonewright/dns-records';

/*
 * Rows as written by dns-api and admin-cli, but with SQL of the tests: the nameserver depends on the schema, not on the
 * code of another program.
 */

export interface RecordToAdd {
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority?: number;
  readonly ttl?: number;
}

export async function addNameservers(db: Database, domain = 'ns.example.'): Promise<void> {
  await db.raw('insert into dns.nameserver_domain (name, email, serial) values (?, ?, 1)', [
    domain,
    `hostmaster@${domain.slice(0, -1)}`,
  ]);
  await db.raw(
    `insert into dns.servers (name, position, ipv4, ipv6)
     values (?, 1, '192.0.2.1', '2001:db8::1'), (?, 2, '192.0.2.2', null)`,
    [`ns1-1.${domain}`, `ns1-2.${domain}`],
  );
}

/** Creates a zone with records in one transaction. Returns its id. */
export async function addZone(
  db: Database,
  name: string,
  records: readonly RecordToAdd[] = [],
  serial = 100,
): Promise<string> {
  return await db.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: { id: string }[] }>(
      `insert into dns.domains (tenant_id, name, email, ttl, serial, record_count)
       values ('tenant', ?, 'dns.admin@example.com', 3600, ?, ?) returning id`,
      [name, serial, records.length],
    );
    const { id } = rows[0] as { id: string };
    for (const record of records) await insertRecord(trx, id, record);
    await announceZoneChange(trx, id);
    return id;
  });
}

/** Adds a record in a new transaction, or in the given one. */
export async function addRecord(db: Database, zoneId: string, record: RecordToAdd): Promise<void> {
  await db.transaction(async (trx) => {
    await insertRecord(trx, zoneId, record);
    await touchZone(trx, zoneId, 1);
  });
}

export async function deleteRecords(db: Database, zoneId: string, name: string): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.raw('delete from dns.records where domain_id = ? and name = ?', [zoneId, name]);
    await touchZone(trx, zoneId, -1);
  });
}

/** Marks a zone as deleted, as dns-api does. */
export async function deleteZone(db: Database, zoneId: string): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.raw('update dns.domains set deleted_at = now() where id = ?', [zoneId]);
    await touchZone(trx, zoneId, 0);
  });
}

/** Increases the serial without another change. The zone then has the current managed records. */
export async function increaseSerial(db: Database, name: string): Promise<void> {
  await db.raw(
    `update dns.domains set serial = serial + 1, changed_in = pg_current_xact_id()
      where name = ? and deleted_at is null`,
    [name],
  );
  await announceZoneChange(db, name);
}

async function touchZone(trx: Database, zoneId: string, addedRecords: number): Promise<void> {
  await trx.raw(
    `update dns.domains
        set serial = serial + 1, record_count = record_count + ?, changed_in = pg_current_xact_id()
      where id = ?`,
    [addedRecords, zoneId],
  );
  await announceZoneChange(trx, zoneId);
}

async function insertRecord(trx: Database, zoneId: string, record: RecordToAdd): Promise<void> {
  const { name, type, data, priority = null, ttl = null } = record;
  const rdata = rdataToWire(type, data, priority);
  await trx.raw(
    `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest, ttl, priority)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      zoneId,
      name,
      type,
      data,
      Buffer.from(rdata),
      createHash('sha256').update(canonicalRdata(type, rdata)).digest(),
      ttl,
      priority,
    ],
  );
}
