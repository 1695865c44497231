import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  generateKeyringText,
  parseKeyring,
  resealSecrets,
  secretIdentity,
} from '@zonewright/database';
import { runCommand, useInstallation } from './run-command.js';
import { keyring as oldKeyring, keyringText as oldText } from './use-operator-database.js';

const installation = useInstallation();
const newText = generateKeyringText('next');
const bothText = `${newText},${oldText}`;
const both = parseKeyring(bothText);
const named = { setting: 'ENCRYPTION_KEYS', keyring: both } as const;
const newOnly = parseKeyring(newText);

const SECRET = 'a secret to keep';
const NONE = {
  setting: 'ENCRYPTION_KEYS',
  accessKeys: 0,
  signingKeys: 0,
  peers: 0,
  tsigKeys: 0,
  primaries: 0,
  transfers: 0,
  zoneKeys: 0,
};

async function run(command: string, keys: string) {
  return await runCommand(command.split(' '), { ...installation.env, ENCRYPTION_KEYS: keys });
}

async function insertKeys(count: number, prefix: string, keyring = oldKeyring): Promise<void> {
  for (let index = 0; index < count; index++) {
    const id = `${prefix}${index}`;
    const { sealed, keyId } = keyring.seal(Buffer.from(SECRET), secretIdentity.accessKey(id));
    await installation.db.raw(
      `insert into identity.access_keys (id, user_id, account_domain_id, algorithm, valid_from, valid_to,
         secret_sealed, secret_key_id)
       select ?, u.id, u.account_domain_id, 'HmacSHA256', now(), now() + interval '1 year', ?, ?
         from identity.users as u where u.name = 'dns-api'`,
      [id, sealed, keyId],
    );
  }
}

async function keyIds(): Promise<string[]> {
  const rows = await installation.select<{ id: string }>(
    `select distinct secret_key_id as id from identity.access_keys where secret_sealed is not null
     union select distinct secret_key_id from identity.signing_keys order by 1`,
  );
  return rows.map(({ id }) => id);
}

beforeEach(async () => {
  await installation.select(`delete from identity.access_keys`);
  await installation.select(`delete from identity.signing_keys`);
  await run('signing-key rotate', oldText);
  await run('signing-key rotate', oldText);
});

describe('encryption-key', () => {
  it('generate prints a new key each time that ENCRYPTION_KEYS accepts', async () => {
    const first = await runCommand(['encryption-key', 'generate', 'k2']);
    const second = await runCommand(['encryption-key', 'generate', 'k2']);
    expect(parseKeyring(first.stdout.trim()).primaryKeyId).toBe('k2');
    expect(second.stdout).not.toBe(first.stdout);
    expect((await runCommand(['encryption-key', 'generate', 'a:b'])).exitCode).toBe(2);
  });

  it('reseal seals every secret with the first key, in batches, and names the key that is free', async () => {
    await insertKeys(25, 'K');
    const batches: number[] = [];
    const result = await resealSecrets(installation.db, named, {
      batchSize: 10,
      onProgress: (resealed) => void batches.push(resealed),
    });
    expect(result).toMatchObject({ resealed: 27, remaining: 0, unreadable: [] });
    expect(batches).toEqual([2, 12, 22, 27]);
    expect(await keyIds()).toEqual(['next']);
    const [row] = await installation.select<{ sealed: Buffer; keyId: string }>(
      `select secret_sealed as sealed, secret_key_id as "keyId" from identity.access_keys where id = 'K7'`,
    );
    expect(newOnly.open(row!, secretIdentity.accessKey('K7')).toString()).toBe(SECRET);
    const again = await run('encryption-key reseal', bothText);
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.stdout).toContain(
      '0 secrets were encrypted again with the key next of ENCRYPTION_KEYS.',
    );
    expect(again.stdout).toContain('No longer needed: test.');
  });

  it('reseal continues after an interruption, and beside another run', async () => {
    await insertKeys(20, 'K');
    const interrupted = resealSecrets(installation.db, named, {
      batchSize: 5,
      onProgress: (resealed) => {
        if (resealed >= 7) throw new Error('Ctrl-C');
      },
    });
    await expect(interrupted).rejects.toThrow('Ctrl-C');
    expect(await keyIds()).toEqual(['next', 'test']);
    const results = await Promise.all([
      resealSecrets(installation.db, named, { batchSize: 3 }),
      resealSecrets(installation.db, named, { batchSize: 4 }),
    ]);
    expect(results.map(({ remaining, unreadable }) => [remaining, unreadable])).toEqual([
      [0, []],
      [0, []],
    ]);
    expect(await keyIds()).toEqual(['next']);
  });

  it('reseal keeps secrets that a service deletes or seals in the meantime', async () => {
    await insertKeys(2, 'K');
    let isFirst = true;
    await resealSecrets(
      // The hook runs between the reading and the writing of a batch. It is attached before the statement, which waits
      // for nothing.
      new Proxy(installation.db, {
        get(target, member, receiver) {
          if (member !== 'raw') return Reflect.get(target, member, receiver) as unknown;
          return async (sql: string, bindings: string[]) => {
            if (isFirst && sql.startsWith('update identity.access_keys')) {
              isFirst = false;
              await installation.select(
                `update identity.access_keys set status = 'deleted', secret_sealed = null, secret_key_id = null where id = 'K0'`,
              );
            }
            return (await target.raw(sql, bindings)) as unknown;
          };
        },
      }),
      named,
    );
    const rows = await installation.select<{ id: string; keyId: string | null }>(
      `select id, secret_key_id as "keyId" from identity.access_keys order by id`,
    );
    expect(rows).toEqual([
      { id: 'K0', keyId: null },
      { id: 'K1', keyId: 'next' },
    ]);
  });

  it('reseal does not report a key as free while a service still seals with it', async () => {
    await insertKeys(1, 'K');
    let count = 0;
    const result = await resealSecrets(installation.db, named, {
      // A service without the new key writes another row after each secret that is sealed again.
      onProgress: () => insertKeys(1, `${count++}-`),
    });
    expect(result.remaining).toBeGreaterThan(0);
    await installation.select(`delete from identity.signing_keys`);
    await insertKeys(1, 'Z');
    await installation.select(
      `update identity.access_keys set secret_sealed = decode(repeat('00', 40), 'hex') where id = 'Z0'`,
    );
    const { exitCode, stdout, stderr } = await run('encryption-key reseal', bothText);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('1 are still encrypted with other keys, which are still needed');
    expect(stderr).toContain('cannot be decrypted: access key Z0 (encrypted with key test)');
    expect(stdout + stderr).not.toContain(SECRET);
  });

  it('list opens every secret and shows how many each key has sealed', async () => {
    await insertKeys(3, 'K');
    const { stdout, exitCode } = await run('encryption-key list --json', bothText);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      { ...NONE, id: 'next', state: 'seals' },
      { ...NONE, id: 'test', state: 'opens', accessKeys: 3, signingKeys: 2 },
    ]);
    const without = await run('encryption-key list', newText);
    expect(without.exitCode).toBe(1);
    expect(without.stdout).toMatch(/^ENCRYPTION_KEYS +test +missing +2 +3 +0 +0 +0 +0 +0$/m);
    expect(without.stderr).toContain('Add the key that encrypted them to ENCRYPTION_KEYS');
  });

  describe('of TRANSFER_ENCRYPTION_KEYS', () => {
    const oldTransfer = generateKeyringText('t1');
    const newTransfer = generateKeyringText('t2');
    const ids = ['00000000-0000-4000-8000-000000000001', 'ffffffff-0000-4000-8000-000000000002'];

    const runWith = (command: string, transferKeys?: string) =>
      runCommand(command.split(' '), {
        ...installation.env,
        ENCRYPTION_KEYS: oldText,
        ...(transferKeys === undefined ? {} : { TRANSFER_ENCRYPTION_KEYS: transferKeys }),
      });

    beforeEach(async () => {
      const keyring = parseKeyring(oldTransfer);
      await installation.select(`delete from dns.peers`);
      await installation.select(`delete from dns.tsig_keys`);
      await installation.select(`delete from dns.domains`);
      for (const [at, id] of ids.entries()) {
        const peer = keyring.seal(Buffer.from(SECRET), secretIdentity.peerKey(id));
        await installation.db.raw(
          `insert into dns.peers (id, tenant_id, name, all_domains, has_catalog, key_name, key_algorithm, secret_sealed, secret_key_id)
           values (?, 't', 'p', true, false, ?, 'hmac-sha256', ?, ?)`,
          [id, `p${at}.example.`, peer.sealed, peer.keyId],
        );
        const key = keyring.seal(Buffer.from(SECRET), secretIdentity.tsigKey(id));
        await installation.db.raw(
          `insert into dns.tsig_keys (id, name, algorithm, scope, resource_id, secret_sealed, secret_key_id)
           values (?, ?, 'hmac-sha256', 'POOL', ?, ?, ?)`,
          [id, `k${at}.example.`, id, key.sealed, key.keyId],
        );
        const primary = keyring.seal(Buffer.from(SECRET), secretIdentity.primaryKey(id));
        await installation.db.raw(
          `insert into dns.domains (id, tenant_id, name, email, ttl, serial) values (?, 't', ?, 'a@b.example', 300, 1)`,
          [id, `z${at}.example.`],
        );
        await installation.db.raw(
          `insert into dns.secondaries (domain_id, primaries, key_name, key_algorithm, secret_sealed, secret_key_id)
           values (?, '[]', 'k.', 'hmac-sha256', ?, ?)`,
          [id, primary.sealed, primary.keyId],
        );
      }
    });

    it('reseal seals the secrets of peers, TSIG keys and primaries with their first key', async () => {
      const { exitCode, stdout } = await runWith(
        'encryption-key reseal',
        `${newTransfer},${oldTransfer}`,
      );
      expect({ exitCode, stdout }).toEqual({
        exitCode: 0,
        stdout: expect.stringContaining(
          '6 secrets were encrypted again with the key t2 of TRANSFER_ENCRYPTION_KEYS. It decrypts every secret. ' +
            'No longer needed: t1. Once t2 is first in TRANSFER_ENCRYPTION_KEYS of every dns-api and nameserver',
        ),
      });
      const keyring = parseKeyring(newTransfer);
      for (const [table, id, identity] of [
        ['dns.peers', 'id', secretIdentity.peerKey],
        ['dns.tsig_keys', 'id', secretIdentity.tsigKey],
        ['dns.secondaries', 'domain_id', secretIdentity.primaryKey],
      ] as const) {
        const rows = await installation.select<{ id: string; sealed: Buffer; keyId: string }>(
          `select ${id} as id, secret_sealed as sealed, secret_key_id as "keyId" from ${table} order by 1`,
        );
        expect(rows.map((row) => keyring.open(row, identity(row.id)).toString())).toEqual([
          SECRET,
          SECRET,
        ]);
      }
      const list = await runWith('encryption-key list', newTransfer);
      expect(list.stdout).toMatch(/^TRANSFER_ENCRYPTION_KEYS +t2 +seals +0 +0 +2 +2 +2 +0 +0$/m);
    });

    it('without these keys, the command reports the skipped secrets', async () => {
      for (const command of ['encryption-key reseal', 'encryption-key list']) {
        const { exitCode, stderr } = await runWith(command);
        expect({ exitCode, stderr }).toEqual({
          exitCode: 0,
          stderr: expect.stringContaining(
            '6 secrets were not changed: TRANSFER_ENCRYPTION_KEYS is not set.',
          ),
        });
      }
    });

    it('with SIGNER_ENCRYPTION_KEYS, the private keys of signed zones are included', async () => {
      const [before, after] = [generateKeyringText('z1'), generateKeyringText('z2')];
      const [id] = ids;
      const { sealed, keyId } = parseKeyring(before).seal(
        Buffer.from(SECRET),
        secretIdentity.zoneKey(id!),
      );
      await installation.db.raw(
        `insert into dns.zone_keys (id, domain_id, algorithm, flags, key_tag, public_key, secret_sealed, secret_key_id, state)
         values (?, ?, 13, 257, 1, '', ?, ?, 'active')`,
        [id!, id!, sealed, keyId],
      );
      const reseal = (keys: object) =>
        runCommand(['encryption-key', 'reseal'], { ...installation.env, ...keys });
      expect((await reseal({})).stderr).toContain(
        '1 secrets were not changed: SIGNER_ENCRYPTION_KEYS is not set.',
      );
      const { stdout } = await reseal({ SIGNER_ENCRYPTION_KEYS: `${after},${before}` });
      expect(stdout).toContain(
        'No longer needed: z1. Once z2 is first in SIGNER_ENCRYPTION_KEYS of every signer',
      );
      const [row] = await installation.select<{ sealed: Buffer; keyId: string }>(
        'select secret_sealed as sealed, secret_key_id as "keyId" from dns.zone_keys',
      );
      expect(parseKeyring(after).open(row!, secretIdentity.zoneKey(id!)).toString()).toBe(SECRET);
    });

    it('names the secrets that cannot be opened because a key is missing', async () => {
      const { exitCode, stdout, stderr } = await runWith('encryption-key reseal', newTransfer);
      expect(exitCode).toBe(1);
      expect(stdout).toContain('6 are still encrypted with other keys');
      expect(stderr).toContain(`cannot be decrypted: peer ${ids[0]!} (encrypted with key t1)`);
      expect(stderr).toContain('Add the key that encrypted them to TRANSFER_ENCRYPTION_KEYS');
      expect(stdout + stderr).not.toContain(SECRET);
    });

    it('doctor reports secrets that an old key has sealed, and those it cannot read', async () => {
      const diagnose = async (keys?: string) => (await runWith('doctor', keys)).stdout;
      expect(await diagnose(`${newTransfer},${oldTransfer}`)).toMatch(
        /All secrets of TRANSFER_ENCRYPTION_KEYS can be decrypted, some with an old key: t2 \(seals\): 0, t1 \(opens\): 6\./,
      );
      expect(await diagnose(oldTransfer)).toContain(
        'All secrets of TRANSFER_ENCRYPTION_KEYS can be decrypted: t1 (seals): 6.',
      );
      expect(await diagnose(newTransfer)).toContain(
        '6 secrets cannot be decrypted with TRANSFER_ENCRYPTION_KEYS: peer',
      );
      expect(await diagnose()).toContain(
        'TRANSFER_ENCRYPTION_KEYS is not set, so doctor cannot check whether 6 secrets of peers, TSIG keys and primaries can be decrypted.',
      );
    });
  });
});
