import { beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import { addNameservers, addZone, useTestDatabase, waitFor } from '@zonewright/testkit';
import { expectEventually } from './support/expect-eventually.js';
import { startNameserver } from './support/running-nameserver.js';

const database = useTestDatabase();

beforeAll(async () => {
  await addNameservers(database.db);
});

interface StatusRow {
  address: string;
  zones: number;
  image_bytes: number;
  heartbeat_at: Date;
  applied_at: Date;
  started_at: Date;
}

async function readStatus(name: string): Promise<StatusRow | undefined> {
  const { rows } = await database.db.raw<{ rows: StatusRow[] }>(
    `select s.address, s.zones, s.image_bytes, s.heartbeat_at, s.applied_at, s.started_at
       from dns.nameserver_status as s where s.name = ?`,
    [name],
  );
  return rows[0];
}

/** Returns whether this server has applied all changes of a transaction. */
async function hasApplied(name: string, transactionId: string): Promise<boolean> {
  const { rows } = await database.db.raw<{ rows: unknown[] }>(
    'select from dns.nameserver_status as s where s.name = ? and s.applied_before > ?::xid8',
    [name, transactionId],
  );
  return rows.length === 1;
}

describe('the status row', () => {
  it('shows which changes a nameserver answers with', async () => {
    const server = await startNameserver({
      DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
      NAMESERVER_NAME: 'ns1-4',
    });
    await waitFor(() => readStatus('ns1-4'));
    const id = await addZone(database.db, 'status.example.');
    const { rows } = await database.db.raw<{ rows: { changed_in: string }[] }>(
      'select changed_in::text from dns.domains where id = ?',
      [id],
    );
    await waitFor(() => hasApplied('ns1-4', rows[0]!.changed_in));
    const status = await waitFor(() => readStatus('ns1-4'));
    expect(status.address).toBe(`127.0.0.1:${server.port}`);
    expect(status.zones).toBe(2);
    expect(status.image_bytes).toBeGreaterThan(0);
    expect(status.applied_at.getTime()).toBeGreaterThanOrEqual(status.started_at.getTime());
  });

  it('shows that it is live while nothing changes', async () => {
    await startNameserver({
      DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
      NAMESERVER_NAME: 'ns1-5',
    });
    const first = await waitFor(() => readStatus('ns1-5'));
    await expectEventually(async () => {
      const status = await readStatus('ns1-5');
      return (
        status !== undefined && status.heartbeat_at.getTime() - first.heartbeat_at.getTime() > 1_500
      );
    });
  });
});
