import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHANNELS, DATABASE_ROLES, NotificationListener } from '@zonewright/database';
import {
  addNameservers,
  addRecord,
  addZone,
  sendQuery,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { startLoadedNameserver } from './support/running-nameserver.js';

const CHANGES = 60;
/**
 * The number of questions. Each is sent from a separate socket, so that the kernel distributes them to different
 * workers.
 */
const QUESTIONS = 6;

const database = useTestDatabase();
const variables = (name: string, more: Record<string, string> = {}) => ({
  DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
  NAMESERVER_NAME: name,
  ...more,
});

beforeAll(async () => {
  await addNameservers(database.db);
});

async function changedIn(zoneId: string): Promise<string> {
  const { rows } = await database.db.raw<{ rows: { id: string }[] }>(
    'select d.changed_in::text as id from dns.domains as d where d.id = ?',
    [zoneId],
  );
  return rows[0]!.id;
}

/** Returns whether the status row shows that this server answers with a transaction's changes. */
async function saysApplied(name: string, transaction: string): Promise<boolean> {
  const { rows } = await database.db.raw<{ rows: unknown[] }>(
    `select from dns.nameserver_status as s
      where s.name = ? and pg_visible_in_snapshot(?::xid8, s.horizon)`,
    [name, transaction],
  );
  return rows.length === 1;
}

async function readRow(name: string): Promise<Record<string, unknown>> {
  const { rows } = await database.db.raw<{ rows: Record<string, unknown>[] }>(
    "select s.*, s.horizon::text, now() - s.read_at < interval '5 s' as is_fresh from dns.nameserver_status as s where s.name = ?",
    [name],
  );
  return rows[0] ?? {};
}

describe('what a nameserver reports as applied', () => {
  it.each(['dgram', 'batch'])(
    'every thread answers with it, over UDP (%s) and TCP, from the first query after the report',
    async (transport) => {
      const name = `all-${transport}`;
      const server = await startLoadedNameserver(
        variables(name, { NAMESERVER_UDP_TRANSPORT: transport, NAMESERVER_UDP_WORKERS: '3' }),
      );
      const zone = `${transport}.example`;
      const zoneId = await addZone(database.db, `${zone}.`);
      for (let change = 0; change < CHANGES; change++) {
        const host = `h${change}.${zone}`;
        await addRecord(database.db, zoneId, { name: `${host}.`, type: 'A', data: '192.0.2.7' });
        const transaction = await changedIn(zoneId);
        await waitFor(() => saysApplied(name, transaction));
        const answers = await Promise.all([
          ...Array.from({ length: QUESTIONS }, () => sendQuery(server, host, 'A')),
          sendQuery(server, host, 'A', { transport: 'tcp' }),
        ]);
        expect(answers.map(({ rcode }) => rcode)).toEqual(Array(QUESTIONS + 1).fill('NOERROR'));
      }
    },
    60_000,
  );

  it('an open transaction delays nothing that others have committed', async () => {
    await startLoadedNameserver(variables('others'));
    const underWay = await database.db.transaction();
    await underWay.raw('select pg_current_xact_id()');
    const zoneId = await addZone(database.db, 'others.example.');
    const transaction = await changedIn(zoneId);
    await waitFor(() => saysApplied('others', transaction));
    const { applied_before: before } = await readRow('others');
    expect(BigInt(String(before))).toBeLessThan(BigInt(transaction));
    await underWay.rollback();
  });

  it('its row contains version, start, zones, size and address, and is announced', async () => {
    const told: (string | undefined)[] = [];
    const listener = new NotificationListener({
      url: database.url,
      applicationName: 'zonewright-test',
      channel: CHANNELS.nameserverStatus,
      onNotify: (payload) => told.push(payload),
      onError: () => undefined,
    });
    listener.start();
    await waitFor(() => told.length > 0);
    const server = await startLoadedNameserver(variables('facts'));
    await waitFor(() => told.includes('facts'));
    const row = await waitFor(async () => {
      const found = await readRow('facts');
      return found['horizon'] !== null && found;
    });
    await listener.stop();
    expect(row).toMatchObject({
      address: `127.0.0.1:${server.port}`,
      software: 'zonewright-nameserver',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as unknown,
      is_fresh: true,
      failed_zones: null,
    });
  });

  it('the time at which a change was applied remains known', async () => {
    await startLoadedNameserver(variables('moments'));
    const zoneId = await addZone(database.db, 'moments.example.');
    const transaction = await changedIn(zoneId);
    await waitFor(() => saysApplied('moments', transaction));
    const { rows } = await database.db.raw<{ rows: { at: Date }[] }>('select now() as at');
    // Other changes follow.
    for (let n = 0; n < 3; n++) {
      await addRecord(database.db, zoneId, {
        name: `h${n}.moments.example.`,
        type: 'A',
        data: '192.0.2.7',
      });
      const later = await changedIn(zoneId);
      await waitFor(() => saysApplied('moments', later));
    }
    const first = await database.db.raw<{ rows: { applied_at: Date; slot: number }[] }>(
      `select p.applied_at, p.slot from dns.nameserver_progress as p
        where p.name = 'moments' and pg_visible_in_snapshot(?::xid8, p.horizon)
        order by p.applied_at`,
      [transaction],
    );
    expect(first.rows.length).toBeGreaterThanOrEqual(3);
    expect(first.rows[0]!.applied_at.getTime()).toBeLessThanOrEqual(rows[0]!.at.getTime());
    const slots = first.rows.map(({ slot }) => slot);
    expect(slots).toEqual([...slots].sort((a, b) => a - b));
  });

  it('a zone that cannot be compiled is named, with the served serial', async () => {
    await startLoadedNameserver(variables('failing'));
    const zoneId = await addZone(database.db, 'failing.example.', [], 100);
    const transaction = await changedIn(zoneId);
    await waitFor(() => saysApplied('failing', transaction));
    await database.db.raw(
      `with r as (insert into dns.records (domain_id, name, type, data, rdata, rdata_digest)
                  values (:zoneId, 'elsewhere.', 'A', 'x', '\\x00', '\\x00'))
       update dns.domains set serial = 101, record_count = 1, changed_in = pg_current_xact_id() where id = :zoneId`,
      { zoneId },
    );
    const row = await waitFor(async () => {
      const found = await readRow('failing');
      return found['failed_zones'] !== null && found;
    });
    expect(row['failed_zones']).toEqual({ 'failing.example.': 100 });
    await database.db.raw(
      `with r as (delete from dns.records where domain_id = :zoneId)
       update dns.domains set serial = 102, record_count = 0, changed_in = pg_current_xact_id() where id = :zoneId`,
      { zoneId },
    );
    await waitFor(async () => (await readRow('failing'))['failed_zones'] === null);
  });
});
