import { describe, expect, it } from '@jest/globals';
import { secretIdentity } from '@zonewright/database';
import { FakeClock } from '@zonewright/testkit';
import { retireExpiredSigningKeys, retireSigningKey } from '@zonewright/accounts';
import { useInstallation } from './run-command.js';
import { keyring } from './use-operator-database.js';

const installation = useInstallation();

interface KeyJson {
  readonly id: string;
  readonly isPrimary: boolean;
  readonly replacedAt: string | null;
  readonly retiredAt: string | null;
}

async function listKeys(): Promise<KeyJson[]> {
  return await installation.json<KeyJson[]>('signing-key list');
}

describe('signing-key', () => {
  it('rotate creates a new primary key of 32 octets; the one before still verifies', async () => {
    const [old] = await listKeys();
    const created = await installation.json<KeyJson>('signing-key rotate');
    const keys = await listKeys();
    expect(keys).toMatchObject([
      { id: created.id, isPrimary: true, retiredAt: null },
      { id: old!.id, isPrimary: false, retiredAt: null },
    ]);
    expect(keys[1]!.replacedAt).not.toBeNull();
    const [row] = await installation.select<{ sealed: Buffer; keyId: string }>(
      `select secret_sealed as sealed, secret_key_id as "keyId" from identity.signing_keys where is_primary`,
    );
    expect(keyring.open(row!, secretIdentity.signingKey(created.id))).toHaveLength(32);
  });

  it('list and rotate print no secret', async () => {
    const { stdout } = await installation.run('signing-key list --json');
    expect(Object.keys((JSON.parse(stdout) as object[])[0]!).sort()).toEqual([
      'createdAt',
      'id',
      'isPrimary',
      'replacedAt',
      'retiredAt',
    ]);
  });

  it('two concurrent rotations leave one primary key', async () => {
    const results = await Promise.all([
      installation.run('signing-key rotate'),
      installation.run('signing-key rotate'),
    ]);
    expect(results.map(({ exitCode }) => exitCode).every((code) => [0, 4].includes(code))).toBe(
      true,
    );
    expect((await listKeys()).filter(({ isPrimary }) => isPrimary)).toHaveLength(1);
  });

  it('retire refuses the primary key', async () => {
    const [primary] = await listKeys();
    const { exitCode, stderr } = await installation.run(
      `signing-key retire ${primary!.id} --force`,
    );
    expect(exitCode).toBe(4);
    expect(stderr).toContain('signs new tokens: rotate the keys first');
  });

  it('Identity s3: retire refuses a key whose tokens may be valid, for 12 hours and a minute after its replacement', async () => {
    const old = (await listKeys()).at(-1)!;
    const { exitCode, stderr } = await installation.run(`signing-key retire ${old.id}`);
    expect(exitCode).toBe(4);
    expect(stderr).toContain('may be valid until');
    const replacedMs = Date.parse(old.replacedAt!);
    const justBefore = new FakeClock(replacedMs + 12 * 3600_000 + 59_000);
    await expect(
      retireSigningKey(installation.db, { id: old.id }, justBefore),
    ).rejects.toMatchObject({ kind: 'conflict' });
    const after = new FakeClock(replacedMs + 12 * 3600_000 + 61_000);
    const retired = await retireSigningKey(installation.db, { id: old.id }, after);
    expect(retired.retiredAt).toBeInstanceOf(Date);
  });

  it("retire --force ends a key's tokens at once", async () => {
    await installation.run('signing-key rotate');
    const [, replaced] = await listKeys();
    const retired = await installation.json<KeyJson>(`signing-key retire ${replaced!.id} --force`);
    expect(retired.retiredAt).not.toBeNull();
  });

  it('retire --expired retires only keys whose tokens have all expired', async () => {
    await installation.run('signing-key rotate');
    expect(await installation.json<KeyJson[]>('signing-key retire --expired')).toEqual([]);
    const [primary, replaced] = await listKeys();
    const later = new FakeClock(Date.parse(replaced!.replacedAt!) + 13 * 3600_000);
    const retired = await retireExpiredSigningKeys(installation.db, later);
    expect(retired.map(({ id }) => id)).toContain(replaced!.id);
    expect(retired.map(({ id }) => id)).not.toContain(primary!.id);
    expect(await retireExpiredSigningKeys(installation.db, later)).toEqual([]);
  });

  it.each([
    'signing-key retire',
    'signing-key retire abc --expired',
    'signing-key retire --expired --force',
  ])('%s ends with 2 because it is ambiguous', async (command) => {
    expect((await installation.run(command)).exitCode).toBe(2);
  });

  it('ends with 3 for a key that does not exist', async () => {
    expect((await installation.run('signing-key retire nowhere')).exitCode).toBe(3);
  });
});
