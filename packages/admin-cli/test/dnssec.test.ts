import { beforeAll, describe, expect, it } from '@jest/globals';
import { useInstallation } from './run-command.js';

const installation = useInstallation();
const NAME = 'own.example.';

beforeAll(async () => {
  await installation.db.raw(`
    insert into dns.domains (id, tenant_id, name, email, ttl, serial, apex_version) values
      ('10000000-0000-4000-8000-000000000001', '100', '${NAME}', 'a@b.example', 300, 20, 1);
  `);
});

/** Marks the zone as signed, as the signer would. */
async function signed(): Promise<void> {
  await installation.db.raw(
    `update dns.zone_dnssec set state = 'signed', signed_serial = 20, wish = null`,
  );
}

async function wishes(): Promise<unknown> {
  return await installation.select('select wish, algorithm from dns.zone_dnssec');
}

describe('dnssec', () => {
  it('sign, list, rollover, leave and back do what the API would do on behalf of the tenant', async () => {
    expect(await installation.json('dnssec sign OWN.example')).toMatchObject({
      ...{ name: NAME, tenantId: '100', state: 'signing', ds: null },
    });
    await signed();
    expect(await installation.json('dnssec show own.example.')).toMatchObject({
      state: 'signed',
      missing: expect.stringContaining('Add the DS record'),
    });
    await installation.json('dnssec rollover own.example.');
    expect(await wishes()).toEqual([{ wish: 'rollover', algorithm: 13 }]);
    expect((await installation.run('dnssec rollover own.example.')).exitCode).toBe(4);
    await signed();
    await installation.json('dnssec sign own.example. --algorithm 15');
    expect(await wishes()).toEqual([{ wish: 'rollover', algorithm: 15 }]);
    await signed();
    await installation.json('dnssec leave own.example.');
    expect(await installation.json('dnssec list --state leaving')).toMatchObject([
      { name: NAME, state: 'leaving', wish: 'leave', keys: 0, parentDs: null },
    ]);
    expect(await installation.json('dnssec sign own.example.')).toMatchObject({ state: 'signed' });
    await installation.json('dnssec leave own.example. --force');
    expect(await wishes()).toEqual([{ wish: 'unsign', algorithm: 15 }]);
  });

  it('foreign-keys sets exactly the named keys', async () => {
    await signed();
    const key = '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=';
    expect(await installation.json(`dnssec foreign-keys own.example. "${key}"`)).toMatchObject({
      foreignKeys: '3613 (coming)',
    });
    const wanted = () => installation.select('select foreign_keys from dns.zone_dnssec');
    const { keys } = ((await wanted()) as { foreign_keys: { keys: unknown[] } }[])[0]!.foreign_keys;
    expect(keys).toHaveLength(1);
    await installation.json('dnssec foreign-keys own.example. --none --force');
    expect(await wanted()).toEqual([{ foreign_keys: { keys: [], atOnce: true } }]);
  });

  it.each([
    ['dnssec foreign-keys own.example.', 2],
    ['dnssec foreign-keys own.example. "257 3 8 AwEAAag="', 2],
    [
      'dnssec foreign-keys own.example. "257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=" --none',
      2,
    ],
    ['dnssec show none.example.', 3],
    ['dnssec sign own.example. --algorithm 8', 2],
  ])('%s ends with exit code %i', async (line, exitCode) => {
    expect((await installation.run(line)).exitCode).toBe(exitCode);
  });
});
