import { beforeEach, describe, expect, it } from '@jest/globals';
import { CHANNELS, FEED_START, NotificationListener, readFeed } from '@zonewright/database';
import { waitFor } from '@zonewright/testkit';
import { diagnoseInstallation } from './diagnose-installation.js';
import { runCommand, useInstallation } from './run-command.js';

const KNOWN = '11111111-2222-4333-8444-555555555555';
const installation = useInstallation();

/** Writes a nameserver's report of a mismatch with this age. */
async function doubt(name: string, databaseId: string | null, ago = '0 s'): Promise<void> {
  await installation.db.raw(
    `insert into dns.nameserver_status
       (name, address, software, version, read_at, applied_before, zones, image_bytes, started_at, applied_at, heartbeat_at, database_id, doubt)
     values (?, '127.0.0.1:53', 'test', '0.1.0', now(), '0', 3, 1, now(), now(), now() - ?::interval, ?::uuid, 'it is another one')`,
    [name, ago, databaseId as string],
  );
}

const readDatabase = () =>
  readFeed(installation.db, FEED_START, ({ database }) => Promise.resolve(database));

beforeEach(async () => {
  await installation.db.raw('delete from dns.nameserver_status');
});

describe('nameserver accept-database', () => {
  it('ADR 0020: records which database replaces which, and wakes the nameservers', async () => {
    await doubt('ns1-1', KNOWN);
    await doubt('ns1-2', KNOWN);
    await doubt('ns1-3', null);
    let woken = 0;
    const listener = new NotificationListener({
      url: installation.env['DATABASE_URL'] ?? '',
      applicationName: 'zonewright-test',
      channel: CHANNELS.dns,
      onNotify: (payload) => {
        if (payload !== undefined) woken++;
      },
      onError: () => undefined,
    });
    listener.start();
    await waitFor(() => listener.isListening);
    try {
      const result = await installation.json<{ id: string; doubts: { name: string }[] }>(
        'nameserver accept-database',
      );
      const database = await readDatabase();
      expect(result.doubts.map(({ name }) => name)).toEqual(['ns1-1', 'ns1-2', 'ns1-3']);
      expect(database?.id).toBe(result.id);
      expect(database?.acceptance?.insteadOf).toEqual([KNOWN]);
      await waitFor(() => woken === 1);
    } finally {
      await listener.stop();
    }
  });

  it('ADR 0020: gives each acceptance a new id, which expires after a day', async () => {
    await doubt('ns1-1', KNOWN);
    await installation.run('nameserver accept-database');
    const first = await readDatabase();
    await installation.run('nameserver accept-database');
    const second = await readDatabase();
    expect(second?.id).toBe(first?.id);
    expect(second?.acceptance?.id).not.toBe(first?.acceptance?.id);
    await installation.db.raw(
      `update dns.database_identity set accepted_at = now() - interval '25 hours'`,
    );
    expect((await readDatabase())?.acceptance).toBeNull();
  });

  it('ADR 0020: gives an identity to a database that has lost its own', async () => {
    await doubt('ns1-1', KNOWN);
    await installation.db.raw('delete from dns.database_identity');
    expect((await installation.run('nameserver accept-database')).exitCode).toBe(0);
    expect((await readDatabase())?.acceptance?.insteadOf).toEqual([KNOWN]);
  });

  it('ADR 0020: accepts nothing without a recent mismatch', async () => {
    await doubt('ns1-1', KNOWN, '2 hours');
    const before = await readDatabase();
    const { exitCode, stderr } = await installation.run('nameserver accept-database');
    expect([exitCode, stderr]).toEqual([
      4,
      expect.stringContaining('All nameservers trust this database'),
    ]);
    expect(await readDatabase()).toEqual(before);
  });

  it('writes a line to the audit log', async () => {
    await doubt('ns1-1', KNOWN);
    const { audit } = await runCommand(['nameserver', 'accept-database'], installation.env);
    expect(audit).toEqual([
      expect.objectContaining({ event: 'nameserver accept-database', outcome: 'success' }),
    ]);
  });
});

describe('doctor', () => {
  it('ADR 0020: names the nameserver that rejects the database, the reason and the remedy', async () => {
    const before = await diagnoseInstallation(installation);
    expect(before.of('belief')).toEqual(['ok: All nameservers trust this database.']);
    await doubt('ns1-1', KNOWN);
    const { of, exitCode } = await diagnoseInstallation(installation);
    expect(of('belief')).toEqual([
      expect.stringMatching(/^error: ns1-1 does not trust this database.+: it is another one\./),
    ]);
    expect(exitCode).toBe(2);
  });
});
