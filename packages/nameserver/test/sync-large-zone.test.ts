import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Database, DATABASE_ROLES } from '@zonewright/database';
import {
  addNameservers,
  addRecord,
  addZone,
  ask,
  deleteRecords,
  useTestDatabase,
} from '@zonewright/testkit';
import { expectEventually } from './support/expect-eventually.js';
import { readMetric, startLoadedNameserver } from './support/running-nameserver.js';

const database = useTestDatabase();
const APEX = 'large.example.';
const RECORDS = 2_500;

beforeAll(async () => {
  await addNameservers(database.db);
});

async function addLargeZone(): Promise<string> {
  const id = await addZone(database.db, APEX);
  await database.db.raw(
    `insert into dns.records (domain_id, name, type, data, rdata, rdata_digest)
     select ?, 'h' || n || '.' || ?::text, 'A', '192.0.2.1', '\\xc0000201', sha256('\\xc0000201')
       from generate_series(1, ?::int) as n`,
    [id, APEX, RECORDS],
  );
  await database.db.raw('update dns.domains set record_count = ? where id = ?', [RECORDS, id]);
  return id;
}

/** As the DNS API writes it, in the transaction of the change. */
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
    const answers = async (name: string) => (await ask(server, name, 'A')).answers.length;
    const rcode = async (name: string) => (await ask(server, name, 'A')).rcode;
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
    expect(await readMetric(server, 'nameserver_failed_zones_total')).toBe(0);
  });
});
