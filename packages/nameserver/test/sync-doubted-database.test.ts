import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CHANNELS, DATABASE_ROLES } from '@zonewright/database';
import {
  addNameservers,
  addZone,
  sendQuery,
  FakeClock,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectEventually } from './support/expect-eventually.js';
import {
  readMetric,
  type RunningNameserver,
  startLoadedNameserver,
  startNameserver,
} from './support/running-nameserver.js';

const NOWHERE = 'postgres://nobody@127.0.0.1:1/none';
const ZONES = 20;
const database = useTestDatabase();
let folder = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-doubt-'));
  for (const table of ['domains', 'servers', 'nameserver_domain', 'nameserver_status']) {
    await database.db.raw(`delete from dns.${table}`);
  }
  await addNameservers(database.db);
  for (let i = 1; i <= ZONES; i++) {
    const name = `z${i}.example.`;
    await addZone(database.db, name, [{ name, type: 'A', data: '192.0.2.1' }]);
  }
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const settings = (databaseUrl = database.urlAs(DATABASE_ROLES.nameserver)) => ({
  DATABASE_URL: databaseUrl,
  NAMESERVER_SNAPSHOT_DIR: folder,
  NAMESERVER_SNAPSHOT_INTERVAL_SECONDS: '1',
  NAMESERVER_NAME: 'ns1-1',
});
const zone = (number: number) => `z${number}.example`;
const answers = async (server: RunningNameserver, name: string) =>
  (await sendQuery(server, name, 'A')).rcode;
const readiness = async (server: RunningNameserver) => {
  const response = await fetch(`${server.operations}/readyz`);
  const { checks } = (await response.json()) as { checks: { zones: string } };
  return { status: response.status, zones: checks.zones };
};
const isBelieved = (server: RunningNameserver) =>
  readMetric(server, 'zonewright_nameserver_database_believed');
const wake = () => database.db.raw('select pg_notify(?, ?)', [CHANNELS.dns, 'test']);

async function deleteZones(...numbers: readonly number[]): Promise<void> {
  await database.db.raw(
    `update dns.domains set deleted_at = now(), serial = serial + 1, changed_in = pg_current_xact_id()
      where name = any(?::text[])`,
    [numbers.map((number) => `${zone(number)}.`)],
  );
  await wake();
}

/** Changes the database so that it looks like a new, empty one in place of the old one. */
async function replaceDatabase(): Promise<void> {
  await database.db.transaction(async (trx) => {
    await trx.raw('delete from dns.domains');
    await trx.raw('delete from dns.nameserver_domain');
    await trx.raw('delete from dns.servers');
    await trx.raw('update dns.database_identity set id = gen_random_uuid(), made_at = now()');
  });
  await wake();
}

/** Does the same as the operator's command. */
async function accept(): Promise<void> {
  await database.db.raw(
    `update dns.database_identity set acceptance = gen_random_uuid(), accepted_at = now(), instead_of = coalesce(
       (select array_agg(s.database_id) from dns.nameserver_status as s where s.doubt is not null), '{}')`,
  );
  await wake();
}

async function readStatus() {
  const { rows } = await database.db.raw<{
    rows: {
      doubt: string | null;
      applied_before: string;
      horizon: string | null;
      failed: string[] | null;
    }[];
  }>(
    `select s.doubt, s.applied_before::text, s.horizon::text,
            (select array_agg(k order by k) from jsonb_object_keys(s.failed_zones) as k) as failed
       from dns.nameserver_status as s`,
  );
  return rows[0];
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('a database with another identity in place of the one that was used', () => {
  it('ADR 0020: is not accepted: zones stay; readiness, metric, log and status row give the reason', async () => {
    const server = await startLoadedNameserver(settings());
    expect(await isBelieved(server)).toBe(1);
    await replaceDatabase();
    await expectEventually(async () => (await isBelieved(server)) === 0);
    expect(await answers(server, zone(1))).toBe('NOERROR');
    expect(await answers(server, zone(ZONES))).toBe('NOERROR');
    expect(await readiness(server)).toEqual({
      status: 200,
      zones: expect.stringMatching(
        /^the database is not trusted: the database is .*, not /,
      ) as unknown,
    });
    expect(server.logLines).toContainEqual(
      expect.objectContaining({ level: 'error', msg: 'the database is not trusted' }),
    );
    await waitFor(async () => (await readStatus())?.doubt ?? undefined);
    // No change of the other database counts as applied.
    expect(await readStatus()).toMatchObject({ applied_before: '0', horizon: null });
  });

  it('ADR 0020: its changes are not answered, and no snapshot is written from it', async () => {
    const server = await startLoadedNameserver(settings());
    await waitFor(
      async () =>
        (await readMetric(server, 'zonewright_nameserver_snapshot_written_timestamp_seconds')) > 0,
    );
    await replaceDatabase();
    await addZone(database.db, 'new.example.');
    await expectEventually(async () => (await isBelieved(server)) === 0);
    expect(await answers(server, 'new.example')).toBe('REFUSED');
    await server.stop();
    const again = await startNameserver(settings());
    await expectEventually(async () => (await isBelieved(again)) === 0);
    expect(await answers(again, zone(1))).toBe('NOERROR');
    await again.stop();
    const alone = await startNameserver(settings(NOWHERE));
    expect(await answers(alone, zone(1))).toBe('NOERROR');
  });

  it('ADR 0020: is accepted after an operator has confirmed it, also by a nameserver that starts later', async () => {
    const server = await startLoadedNameserver(settings());
    await waitFor(
      async () =>
        (await readMetric(server, 'zonewright_nameserver_snapshot_written_timestamp_seconds')) > 0,
    );
    await replaceDatabase();
    await addZone(database.db, 'new.example.');
    await waitFor(async () => (await readStatus())?.doubt ?? undefined);
    await server.stop();
    await accept();
    const again = await startNameserver(settings());
    await expectEventually(async () => (await answers(again, 'new.example')) === 'NOERROR');
    expect(await answers(again, zone(1))).toBe('REFUSED');
    expect(await isBelieved(again)).toBe(1);
    await expectEventually(async () => (await readStatus())?.doubt === null);
  });

  it('ADR 0020: a confirmation of another database changes nothing', async () => {
    const server = await startLoadedNameserver(settings());
    await replaceDatabase();
    await database.db.raw(
      `update dns.database_identity set acceptance = gen_random_uuid(), accepted_at = now(), instead_of = array[gen_random_uuid()]`,
    );
    await wake();
    await expectEventually(async () => (await isBelieved(server)) === 0);
    expect(await answers(server, zone(1))).toBe('NOERROR');
  });

  it('ADR 0020: a database without an identity counts as another one, too', async () => {
    const server = await startLoadedNameserver(settings());
    await database.db.raw('delete from dns.domains');
    await database.db.raw('delete from dns.database_identity');
    await wake();
    await expectEventually(async () => (await isBelieved(server)) === 0);
    expect(await answers(server, zone(1))).toBe('NOERROR');
    await database.db.raw('insert into dns.database_identity default values');
  });

  it('ADR 0020: the right one is accepted automatically when it returns', async () => {
    const server = await startLoadedNameserver(settings());
    const { rows } = await database.db.raw<{ rows: { id: string }[] }>(
      'select i.id from dns.database_identity as i',
    );
    // For a while another database answers at the address.
    await database.db.raw('update dns.database_identity set id = gen_random_uuid()');
    await wake();
    await expectEventually(async () => (await isBelieved(server)) === 0);
    await database.db.raw('update dns.database_identity set id = ?', [rows[0]!.id]);
    await addZone(database.db, 'new.example.');
    await expectEventually(async () => (await isBelieved(server)) === 1);
    await expectEventually(async () => (await answers(server, 'new.example')) === 'NOERROR');
    expect(await answers(server, zone(1))).toBe('NOERROR');
  });

  it('ADR 0020: a nameserver without zones accepts any', async () => {
    await replaceDatabase();
    const server = await startLoadedNameserver(settings());
    expect(await isBelieved(server)).toBe(1);
  });

  it.each([
    ['an empty one', () => replaceDatabase()],
    [
      'one with only a nameserver domain',
      async () => {
        await replaceDatabase();
        await addNameservers(database.db);
      },
    ],
  ])(
    'ADR 0020: %s leaves a nameserver no zones to protect: the right database is followed at once',
    async (_, replace) => {
      await replace();
      const server = await startLoadedNameserver(settings());
      expect(await isBelieved(server)).toBe(1);
      await database.db.raw('update dns.database_identity set id = gen_random_uuid()');
      await addZone(database.db, 'right.example.', [
        { name: 'right.example.', type: 'A', data: '192.0.2.1' },
      ]);
      await wake();
      await expectEventually(async () => (await answers(server, 'right.example')) === 'NOERROR');
      expect(await isBelieved(server)).toBe(1);
    },
  );

  it('ADR 0020: a nameserver without zones answers SERVFAIL, and REFUSED when it has one', async () => {
    await replaceDatabase();
    const server = await startLoadedNameserver(settings());
    expect(await answers(server, 'right.example')).toBe('SERVFAIL');
    await addZone(database.db, 'other.example.', [
      { name: 'other.example.', type: 'A', data: '192.0.2.1' },
    ]);
    await expectEventually(async () => (await answers(server, 'other.example')) === 'NOERROR');
    expect(await answers(server, 'right.example')).toBe('REFUSED');
  });
});

describe('a step that would delete more than half of the zones, and more than ten', () => {
  it('ADR 0020: is not applied; other changes are, and deletions wait', async () => {
    const server = await startLoadedNameserver(settings());
    await deleteZones(...range(1, 12));
    await expectEventually(async () => (await isBelieved(server)) === 0);
    await deleteZones(13);
    await addZone(database.db, 'new.example.');
    await expectEventually(async () => (await answers(server, 'new.example')) === 'NOERROR');
    expect(await answers(server, zone(1))).toBe('NOERROR');
    expect(await answers(server, zone(13))).toBe('NOERROR');
    expect(await readiness(server)).toEqual({
      status: 200,
      zones: expect.stringMatching(
        /^the database is not trusted: 13 of 2[12] zones would be removed/,
      ) as unknown,
    });
    // A change of one of these zones is not applied, and the status reports that.
    await expectEventually(async () => (await readStatus())?.failed?.length === 13);
    expect((await readStatus())?.failed).toContain('z1.example.');
  });

  it('ADR 0020: is applied after an operator has confirmed it, and so are the next deletions', async () => {
    const server = await startLoadedNameserver(settings());
    await deleteZones(...range(1, 12));
    await expectEventually(async () => (await isBelieved(server)) === 0);
    await accept();
    await expectEventually(async () => (await isBelieved(server)) === 1);
    expect(await answers(server, zone(1))).toBe('REFUSED');
    expect(await answers(server, zone(13))).toBe('NOERROR');
    await deleteZones(13);
    await expectEventually(async () => (await answers(server, zone(13))) === 'REFUSED');
    await expectEventually(async () => (await readStatus())?.failed === null);
  });

  it('ADR 0020: stays unapplied after a restart, from the earlier snapshot', async () => {
    const server = await startLoadedNameserver(settings());
    await waitFor(
      async () =>
        (await readMetric(server, 'zonewright_nameserver_snapshot_written_timestamp_seconds')) > 0,
    );
    await deleteZones(...range(1, 12));
    await expectEventually(async () => (await isBelieved(server)) === 0);
    await server.stop();
    const again = await startNameserver(settings());
    await expectEventually(async () => (await isBelieved(again)) === 0);
    expect(await answers(again, zone(1))).toBe('NOERROR');
  });

  it('ADR 0020: several steps within an hour count as one; in more time they do not', async () => {
    const clock = new FakeClock();
    const server = await startLoadedNameserver(settings(), { clock });
    await deleteZones(...range(1, 8));
    await expectEventually(async () => (await answers(server, zone(8))) === 'REFUSED');
    clock.advance(1_800_000);
    await deleteZones(9, 10, 11);
    await expectEventually(async () => (await isBelieved(server)) === 0);
    expect(await answers(server, zone(9))).toBe('NOERROR');
    clock.advance(1_800_000);
    await deleteZones(12);
    await expectEventually(async () => (await answers(server, zone(9))) === 'REFUSED');
    expect(await isBelieved(server)).toBe(1);
  });

  it('ADR 0020: destroyed rows are noticed as missing when all are read: zones stay', async () => {
    const server = await startLoadedNameserver(settings());
    await database.db.raw('truncate dns.domains cascade');
    // Another nameserver domain replaces a zone.
    await database.db.raw(`update dns.nameserver_domain set name = 'other.example.'`);
    await wake();
    await expectEventually(async () => (await isBelieved(server)) === 0);
    expect(await answers(server, zone(1))).toBe('NOERROR');
  });

  it('ADR 0020: ten zones, or half of them, may be deleted', async () => {
    const server = await startLoadedNameserver(settings());
    await deleteZones(...range(1, 10));
    await expectEventually(async () => (await answers(server, zone(10))) === 'REFUSED');
    expect(await isBelieved(server)).toBe(1);
  });
});
