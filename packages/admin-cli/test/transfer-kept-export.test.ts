import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { verifyPassword } from '@zonewright/database';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { useInstallation } from './run-command.js';

/**
 * An account that a version before 0.1.0 exported with secrets. It has record types of every kind, records that are
 * disabled or expire, a signed, a shared and a secondary domain, and access keys with restrictions. It must remain
 * importable.
 */
const EXPORTED = fileURLToPath(new URL('cases/exported-account.json', import.meta.url));
const PASSPHRASE = 'a long passphrase';

interface AccountDocument {
  readonly users: { readonly id: string; readonly name: string }[];
  readonly tenants: unknown[];
  readonly roleAssignments: unknown[];
  readonly accessKeys: { readonly id: string; readonly name: string | null }[];
  readonly domains: {
    readonly name: string;
    readonly records: { readonly name: string; readonly type: string }[];
  }[];
}

const installation = useInstallation();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-kept-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as AccountDocument;

/** Returns the domains without the data that the import takes from a primary. */
function withoutPrimaries({ domains }: AccountDocument) {
  return domains.map(({ records, ...domain }) => {
    const isOfPrimary = ({ name, type }: (typeof records)[number]) =>
      type === 'SOA' || (type === 'NS' && name === domain.name);
    return { ...domain, records: records.filter((record) => !isOfPrimary(record)) };
  });
}

it('imports an account of a version before 0.1.0 completely', async () => {
  const imported = await installation.run(`import ${EXPORTED} --passphrase-stdin`, PASSPHRASE);
  expect(imported).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('domains        5    0') as unknown,
  });

  const path = join(folder, 'again.json');
  const again = await installation.run(
    `export "Acme Ltd" --output ${path} --secrets --passphrase-stdin`,
    PASSPHRASE,
  );
  expect(again).toMatchObject({ exitCode: 0 });
  const [before, after] = [read(EXPORTED), read(path)];
  expect(after.domains).toEqual(withoutPrimaries(before));
  expect(before.domains.find(({ name }) => name === 'sec.example.')?.records).toHaveLength(5);
  expect([after.tenants, after.roleAssignments]).toEqual([before.tenants, before.roleAssignments]);
  // Secrets are left out, because another salt seals them.
  const keysOf = ({ accessKeys }: AccountDocument) =>
    accessKeys.map((key) => ({ ...key, secret: undefined }));
  expect(keysOf(after)).toEqual(keysOf(before));

  const users = await installation.select<{ name: string; hash: string }>(
    `select u.name, u.password_hash as hash from identity.users as u where u.name in ('alice', 'bob') order by 1`,
  );
  const matches = users.map(({ name, hash }) => verifyPassword(hash, `secret of ${name}`));
  expect(await Promise.all(matches)).toEqual([true, true]);
  expect(
    await installation.select(
      `select k.name, k.restriction is not null as restricted, k.secret_sealed is not null as usable
         from identity.access_keys as k join identity.users as u on u.id = k.user_id
        where u.name in ('alice', 'bob') order by k.name nulls first`,
    ),
  ).toEqual([
    { name: null, restricted: false, usable: true },
    { name: 'certbot', restricted: true, usable: true },
    { name: 'rules', restricted: true, usable: true },
  ]);
});
