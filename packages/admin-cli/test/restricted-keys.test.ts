import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  generateKeyringText,
  parseKeyring,
  resealSecrets,
  secretIdentity,
} from '@zonewright/database';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useInstallation } from './run-command.js';
import { keyring, keyringText } from './use-operator-database.js';

const installation = useInstallation();
const other = useInstallation();
const folder = mkdtempSync(join(tmpdir(), 'zonewright-'));

interface KeyJson {
  readonly id: string;
  readonly secretKey: string;
  readonly restriction: { readonly tenantId: string; readonly rules?: unknown[] } | null;
}

const ACME_RULE = {
  zone: 'example.com.',
  name: '_acme-challenge.**',
  types: ['TXT'],
  actions: ['read', 'update'],
};
const ACME = 'access-key create --user alice --tenant acme-web --preset acme --zone example.com.';
let tenantId = '';

beforeAll(async () => {
  for (const command of [
    'account-domain create Globex',
    'user create alice --account-domain Globex --generate-password',
  ]) {
    expect(await installation.run(command)).toMatchObject({ exitCode: 0 });
  }
  for (const name of ['acme-web', 'other']) {
    const tenant = await installation.json<{ id: string }>(
      `tenant create ${name} --account-domain Globex`,
    );
    tenantId ||= tenant.id;
    const granted = await installation.run(`role grant dns-admin alice --tenant ${name}`);
    expect(granted).toMatchObject({ exitCode: 0 });
  }
});

async function openRestricted(from: typeof installation, id: string, keys = keyring) {
  const [row] = await from.select<{ sealed: Buffer; keyId: string }>(
    `select secret_sealed as sealed, secret_key_id as "keyId" from identity.access_keys where id = '${id}'`,
  );
  return keys.open(row!, secretIdentity.restrictedAccessKey(id)).toString();
}

describe('access-key create', () => {
  it("creates a key with a preset's restrictions, which the list shows", async () => {
    const key = await installation.json<KeyJson>(`${ACME} --name web1 --network 192.0.2.0/24`);
    expect(key.restriction).toEqual({
      tenantId,
      rules: [ACME_RULE],
      networks: ['192.0.2.0/24'],
      massDelete: false,
    });
    expect(await openRestricted(installation, key.id)).toBe(key.secretKey);
    const { stdout } = await installation.run('access-key list --user alice');
    expect(stdout).toMatch(
      /web1 +alice +active .* never +read\+update TXT _acme-challenge.\*\* in example.com., from 192/,
    );
  });

  it.each([
    ['several', 'access-key create --user alice --preset acme --zone example.com.'],
    ['zone must', 'access-key create --user alice --tenant acme-web --preset acme'],
    ['preset must', 'access-key create --user alice --tenant acme-web --preset other --zone a.b.'],
    ['a JSON object', 'access-key create --user alice --tenant acme-web --restrict rules'],
    ['cannot be combined', `${ACME} --restrict {}`],
    ['host bits', `${ACME} --network 192.0.2.1/24`],
  ])('explains the error: %s', async (what, command) => {
    const { exitCode, stderr } = await installation.run(command);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(what)]);
  });

  it('a tenant without rules restricts the key to that tenant', async () => {
    const key = await installation.json<KeyJson>(
      'access-key create --user alice --tenant acme-web',
    );
    expect(key.restriction).toEqual({ tenantId, networks: [], massDelete: false });
  });
});

describe('A restricted key', () => {
  it('a key moves with its account and keeps its restrictions', async () => {
    const { id, secretKey } = await installation.json<KeyJson>(`${ACME} --name moved`);
    const path = join(folder, 'globex.json');
    const exported = await installation.run(`export Globex --output ${path} --plain-secrets`);
    expect(exported).toMatchObject({ exitCode: 0 });
    const { accessKeys } = JSON.parse(readFileSync(path, 'utf8')) as {
      accessKeys: { id: string }[];
    };
    expect(accessKeys.find((key) => key.id === id)).toMatchObject({
      name: 'moved',
      restriction: { tenantId, rules: [ACME_RULE] },
    });
    expect(await other.run(`import ${path}`)).toMatchObject({ exitCode: 0 });
    expect(await openRestricted(other, id)).toBe(secretKey);
    const [row] = await other.select<{ restriction: unknown }>(
      `select restriction from identity.access_keys where id = '${id}'`,
    );
    expect(row?.restriction).toMatchObject({ tenantId, rules: [ACME_RULE] });
  });

  it('a key is sealed again with the others and keeps its restrictions', async () => {
    const { id, secretKey } = await installation.json<KeyJson>(ACME);
    const both = parseKeyring(`${generateKeyringText('next')},${keyringText}`);
    const result = await resealSecrets(installation.db, {
      setting: 'ENCRYPTION_KEYS',
      keyring: both,
    });
    expect(result).toMatchObject({ remaining: 0, unreadable: [] });
    expect(await openRestricted(installation, id, both)).toBe(secretKey);
  });
});
