import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, DATABASE_ROLES } from '@zonewright/database';
import {
  addNameservers,
  addRecord,
  addZone,
  sendQuery,
  deleteRecords,
  useTestDatabase,
} from '@zonewright/testkit';
import { expectEventually } from './support/expect-eventually.js';
import { readMetric, startLoadedNameserver } from './support/running-nameserver.js';

const database = useTestDatabase();
const APEX = 'large.example.';
const RECORDS = 2_500;
/** The number of records, which take longer to read than a few changes take to write. */
const IMPORTED = 20_000;

beforeAll(async () => {
  await addNameservers(database.db);
});

async function addLargeZone(apex = APEX, records = RECORDS): Promise<string> {
  return await database.db.transaction(async (trx) => {
    await trx.raw('set local statement_timeout = 0');
    const id = await addZone(trx, apex);
    await trx.raw(
      `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest)
       select ?, 'h' || n || '.' || ?::text, 'A', '192.0.2.1', '\\xc0000201', sha256('\\xc0000201')
         from generate_series(1, ?::int) as n`,
      [id, apex, records],
    );
    await trx.raw('update dns.domains set record_count = ? where id = ?', [records, id]);
    return id;
  });
}

/** Returns the zones that a nameserver reports as being read. */
async function readLateZones(): Promise<Record<string, number> | null> {
  const { rows } = await database.db.raw<{ rows: { late: Record<string, number> | null }[] }>(
    'select s.late_zones as late from dns.nameserver_status as s where s.late_zones is not null',
  );
  return rows[0]?.late ?? null;
}

/** Writes the journal entry as the DNS API does, in the transaction of the change. */
async function inJournal(
  zoneId: string,
  action: string,
  name: string,
  change: (trx: Database) => Promise<void>,
): Promise<void> {
  const image = JSON.stringify({ name });
  const images = action === 'record-create' ? [null, image] : [image, null];
  await database.db.transaction(async (trx) => {
    await change(trx);
    await trx.raw(
      `insert into dns.zone_changes
              (domain_id, serial_before, serial_after, action, before, after, user_id, request_id)
       select d.id, d.serial - 1, d.serial, ?, cast(? as jsonb), cast(? as jsonb), 'user', 'request'
         from dns.domains as d where d.id = ?`,
      [action, ...images, zoneId] as string[],
    );
  });
}

describe('a large zone', () => {
  it('shows each change, with and without a journal', async () => {
    const id = await addLargeZone();
    const server = await startLoadedNameserver({
      DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
    });
    const answers = async (name: string) => (await sendQuery(server, name, 'A')).answers.length;
    const rcode = async (name: string) => (await sendQuery(server, name, 'A')).rcode;
    expect(await answers(`h${RECORDS}.${APEX}`)).toBe(1);

    const deep = `a.b.${APEX}`;
    await inJournal(id, 'record-create', deep, (trx) =>
      addRecord(trx, id, { name: deep, type: 'A', data: '192.0.2.7' }),
    );
    await expectEventually(async () => (await answers(deep)) === 1);
    expect(await rcode(`b.${APEX}`)).toBe('NOERROR');

    await inJournal(id, 'record-delete', deep, (trx) => deleteRecords(trx, id, deep));
    await expectEventually(async () => (await rcode(`b.${APEX}`)) === 'NXDOMAIN');

    await addRecord(database.db, id, { name: deep, type: 'A', data: '192.0.2.7' });
    await expectEventually(async () => (await answers(deep)) === 1);
    expect(await answers(`h1.${APEX}`)).toBe(1);
    expect(await readMetric(server, 'zonewright_nameserver_zone_failures_total')).toBe(0);
  });

  it('is read concurrently with the others, whose changes do not wait for it', async () => {
    const server = await startLoadedNameserver({
      DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
    });
    const answers = async (name: string) => (await sendQuery(server, name, 'A')).answers.length;
    await addLargeZone('imported.example.', IMPORTED);
    await expectEventually(async () => (await readLateZones())?.['imported.example.'] === 0);
    let order = 0;
    for (; (await answers(`h${IMPORTED}.imported.example.`)) === 0; order += 1) {
      const apex = `small${order}.example.`;
      await addZone(database.db, apex, [{ name: apex, type: 'A', data: '192.0.2.1' }]);
      await expectEventually(async () => (await answers(apex)) === 1);
    }
    // More than one change was published before the large zone.
    expect(order).toBeGreaterThan(1);
    await expectEventually(async () => (await readLateZones()) === null);
    expect(await readMetric(server, 'zonewright_nameserver_zone_failures_total')).toBe(0);
  }, 120_000);

  it('does not reappear if it is deleted while it is read', async () => {
    const server = await startLoadedNameserver({
      DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
    });
    const id = await addLargeZone('deleted.example.', IMPORTED);
    await expectEventually(async () => (await readLateZones()) !== null);
    await database.db.raw(
      `update dns.domains set deleted_at = now(), serial = serial + 1, changed_in = pg_current_xact_id() where id = ?`,
      [id],
    );
    await addZone(database.db, 'after.example.', []);
    await expectEventually(
      async () => (await sendQuery(server, 'after.example', 'SOA')).rcode === 'NOERROR',
    );
    await expectEventually(async () => (await readLateZones()) === null);
    expect((await sendQuery(server, 'deleted.example', 'SOA')).rcode).toBe('REFUSED');
  }, 120_000);
});
