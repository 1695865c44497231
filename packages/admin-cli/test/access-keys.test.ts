import { beforeAll, describe, expect, it } from '@jest/globals';
import { secretIdentity } from '@zonewright/database';
import { FakeClock } from '@zonewright/testkit';
import { createAccessKey, createUser, importAccessKey } from '@zonewright/accounts';
import { useInstallation } from './run-command.js';
import { keyring } from './use-operator-database.js';

const installation = useInstallation();

beforeAll(async () => {
  await createUser(installation.db, { name: 'alice' });
});

/** Decrypts the secret key as the identity service would. */
async function openSecret(id: string): Promise<string | undefined> {
  const [row] = await installation.select<{ sealed: Buffer | null; keyId: string }>(
    `select secret_sealed as sealed, secret_key_id as "keyId" from identity.access_keys where id = '${id}'`,
  );
  if (row?.sealed == null) return undefined;
  const { sealed, keyId } = row;
  return keyring.open({ sealed, keyId }, secretIdentity.accessKey(id)).toString();
}

describe('access-key create', () => {
  it('D-ACC: creates an id of 20 characters and a secret of 240 bits, for HmacSHA256 and 3650 days', async () => {
    const now = Date.parse('2030-01-31T12:00:00.789Z');
    const key = await createAccessKey(
      installation.db,
      keyring,
      { user: 'alice' },
      new FakeClock(now),
    );
    expect(key).toMatchObject({
      id: expect.stringMatching(/^[A-Z0-9]{20}$/),
      secretKey: expect.stringMatching(/^[A-Za-z0-9+/]{40}$/),
      userName: 'alice',
      accountDomainId: 'default',
      algorithm: 'HmacSHA256',
      keyLength: 240,
      status: 'active',
      validFrom: new Date('2030-01-31T12:00:00Z'),
      validTo: new Date('2040-01-29T12:00:00Z'),
    });
    expect(await openSecret(key.id)).toBe(key.secretKey);
  });

  it('prints the secret key, which the list does not show', async () => {
    const { id, secretKey } = await installation.json<{ id: string; secretKey: string }>(
      'access-key create --user alice --algorithm HmacSHA512 --key-length 512 --valid-to 2035-01-01T00:00:00',
    );
    expect(secretKey).toMatch(/^[A-Za-z0-9+/]{86}$/);
    expect(await openSecret(id)).toBe(secretKey);
    const { stdout } = await installation.run('access-key list --user alice --json');
    expect(stdout).toContain(id);
    expect(stdout).not.toContain(secretKey);
    expect(stdout).toContain('"validTo": "2035-01-01T00:00:00.000Z"');
  });

  it.each([
    [
      '--algorithm md5',
      'the algorithm must be one of HmacSHA1, HmacSHA224, HmacSHA256, HmacSHA384, HmacSHA512',
    ],
    ['--key-length 63', 'the key length must be a multiple of 8 from 64 to 512 bits'],
    ['--key-length 520', 'the key length must be a multiple of 8 from 64 to 512 bits'],
    ['--key-length 100', 'the key length must be a multiple of 8 from 64 to 512 bits'],
    [
      '--valid-to 2001-01-01T00:00:00',
      'the validity of a key must end after it begins: choose a later end',
    ],
    // The API rejects this date, too; Date.parse reads it as 2 March.
    [
      '--valid-to 2030-02-30T00:00:00',
      '"2030-02-30T00:00:00" is not a date: write YYYY-MM-DDThh:mm:ss, for example 2030-01-31T00:00:00',
    ],
    [
      '--valid-to tomorrow',
      '"tomorrow" is not a date: write YYYY-MM-DDThh:mm:ss, for example 2030-01-31T00:00:00',
    ],
  ])('refuses %s', async (options, sentence) => {
    expect(await installation.run(`access-key create --user alice ${options}`)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `zonewright-admin: ${sentence}\n`,
    });
  });
});

describe('access-key import', () => {
  it('Identity s4, Import: keeps the id, the secret and any algorithm', async () => {
    const key = await installation.json(
      'access-key import OLD-KEY-1 --user alice --secret-stdin --algorithm Old --inactive',
      'the old secret\n',
    );
    expect(key).toMatchObject({
      id: 'OLD-KEY-1',
      userName: 'alice',
      algorithm: 'Old',
      keyLength: null,
      status: 'inactive',
    });
    expect(key).not.toHaveProperty('secretKey');
    expect(await openSecret('OLD-KEY-1')).toBe('the old secret');
  });

  it('Identity s4, Import: accepts an id and a secret of at most 999 characters', async () => {
    const longest = 'x'.repeat(999);
    const input = { user: 'alice', id: longest, secretKey: longest };
    expect(await importAccessKey(installation.db, keyring, input)).toMatchObject({ id: longest });
    for (const tooLong of [{ id: `${longest}x` }, { secretKey: `${longest}x` }, { id: '' }]) {
      await expect(
        importAccessKey(installation.db, keyring, { ...input, ...tooLong }),
      ).rejects.toMatchObject({ kind: 'invalid' });
    }
  });

  it.each([
    ['an id that exists', 'access-key import OLD-KEY-1 --user alice --secret-stdin', 'other', 4],
    ['an empty secret', 'access-key import NEW --user alice --secret-stdin', '', 2],
    ['an unknown owner', 'access-key import NEW --user nobody --secret-stdin', 'secret', 3],
    ['a secret on the command line', 'access-key import NEW secret --user alice', '', 2],
  ])('refuses %s', async (_what, command, stdin, exitCode) => {
    expect((await installation.run(command, stdin)).exitCode).toBe(exitCode);
  });
});

describe('access-key revoke', () => {
  it('deletes the key and erases its secret', async () => {
    expect(await installation.json('access-key revoke OLD-KEY-1')).toMatchObject({
      status: 'revoked',
    });
    expect(await openSecret('OLD-KEY-1')).toBeUndefined();
  });

  it('ends with 3 for a key that does not exist', async () => {
    expect((await installation.run('access-key revoke NOWHERE')).exitCode).toBe(3);
  });
});

describe('access-key list', () => {
  it('D-ACC: shows "expired" after validTo', async () => {
    await importAccessKey(installation.db, keyring, {
      user: 'alice',
      id: 'EXPIRED',
      secretKey: 's',
      validFrom: new Date('2020-01-01'),
      validTo: new Date('2021-01-01'),
    });
    const keys = await installation.json<{ id: string; status: string }[]>('access-key list');
    expect(keys.find(({ id }) => id === 'EXPIRED')).toMatchObject({ status: 'expired' });
  });
});

describe('access-key purge', () => {
  it('D-ACC: purges only keys that were deleted at least ACCESS_KEY_PURGE_DAYS ago', async () => {
    for (const [id, days] of [
      ['DELETED-31', 31],
      ['DELETED-29', 29],
    ] as const) {
      await importAccessKey(installation.db, keyring, { user: 'alice', id, secretKey: 's' });
      await installation.select(
        `update identity.access_keys set status = 'deleted', secret_sealed = null, secret_key_id = null,
           deleted_at = now() - interval '${days} days' where id = '${id}'`,
      );
    }
    expect(await installation.json('access-key purge')).toEqual({ purged: ['DELETED-31'] });
    expect(await installation.json('access-key purge')).toEqual({ purged: [] });
    const { exitCode, stderr } = await installation.run('access-key revoke DELETED-31');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('the access key "DELETED-31" is purged');
  });
});
