import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Database, DATABASE_ROLES } from '../src/index.js';
import { useTestDatabase } from './support/test-database.js';

const database = useTestDatabase();

async function insertZone(state: string | undefined): Promise<string> {
  const id = randomUUID();
  await database.db.transaction(async (trx) => {
    await trx.raw(
      `insert into dns.domains (id, tenant_id, name, email, ttl, serial) values (?, 't', ?, 'a@example.org', 60, 1)`,
      [id, `${id}.example.`],
    );
    if (state === undefined) return;
    await trx.raw(
      `insert into dns.zone_dnssec (domain_id, state, algorithm, signed_serial) values (?, ?, 13, ?)`,
      [id, state, state === 'signing' ? null : 1],
    );
  });
  return id;
}

async function setSerial(db: Database, id: string, serial: number): Promise<void> {
  await db.raw('update dns.domains set serial = ? where id = ?', [serial, id]);
}

describe('Old code and SQL by hand cannot commit an unsigned change of a signed zone', () => {
  it.each(['signed', 'leaving', 'unsigning'])('%s: the commit is refused', async (state) => {
    const id = await insertZone(state);

    await expect(setSerial(database.db, id, 2)).rejects.toMatchObject({
      code: '23514',
      constraint: 'domains_signatures',
      message: expect.stringContaining(
        `the zone ${id}.example. is signed, and this change of it is not`,
      ),
    });
  });

  it.each([undefined, 'signing'])(
    '%s: changes a zone that is not served with signatures',
    async (state) => {
      const id = await insertZone(state);

      await expect(setSerial(database.db, id, 2)).resolves.toBeUndefined();
    },
  );

  it('a change that is signed in the same transaction is committed, in either order', async () => {
    const id = await insertZone('signed');
    const dnsApi = database.open({ role: DATABASE_ROLES.dnsApi, maxConnections: 1 });
    const sign = 'update dns.zone_dnssec set signed_serial = ? where domain_id = ?';

    await dnsApi.transaction(async (trx) => {
      await setSerial(trx, id, 2);
      await trx.raw(sign, [2, id]);
    });
    await dnsApi.transaction(async (trx) => {
      await trx.raw(sign, [3, id]);
      await setSerial(trx, id, 3);
    });
    const { rows } = await database.db.raw<{ rows: unknown[] }>(
      'select d.serial from dns.domains as d where d.id = ?',
      [id],
    );
    expect(rows).toEqual([{ serial: 3 }]);
  });

  it('a zone does not count as signed before its serial does', async () => {
    const id = await insertZone('signing');

    await expect(
      database.db.raw(`update dns.zone_dnssec set state = 'signed' where domain_id = ?`, [id]),
    ).rejects.toMatchObject({ constraint: 'domains_signatures' });
  });

  it('deletions need no signatures', async () => {
    const id = await insertZone('signed');

    await expect(
      database.db.raw('update dns.domains set serial = 2, deleted_at = now() where id = ?', [id]),
    ).resolves.toBeDefined();
  });
});
