import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { lockName, secretIdentity, verifyPassword } from '@zonewright/database';
import { registrableDomain } from '@zonewright/dns-records/zone-names';
import { waitFor } from '@zonewright/testkit';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkDocument } from '../src/account-transfer/check-document.js';
import { importAccount } from '../src/account-transfer/import-account.js';
import { openSecrets, SecretBox } from '@zonewright/accounts';
import { ProblemList } from '../src/account-transfer/check-members.js';
import { useInstallation } from './run-command.js';
import { keyring } from './use-operator-database.js';

const first = useInstallation();
const second = useInstallation();

let folder: string;
let count = 0;
const newPath = () => join(folder, `${++count}.json`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-transfer-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const record = (
  number: number,
  name: string,
  type: string,
  data: string,
  priority: number | null = null,
) => ({
  id: uuid(number),
  name,
  type,
  data,
  ttl: null,
  priority,
  description: null,
});

/** Returns an account as another system may export it, with a password and a secret key in clear text. */
function document() {
  return {
    format: 'zonewright-account',
    version: 1,
    accountDomain: { id: '98765432109876', name: 'Globex', status: 'enabled', statusCode: null },
    users: [
      { id: '10020030040050', name: 'bob', status: 'enabled', password: 'the word of bob' },
      { id: '10020030040051', name: 'eve', status: 'suspended' },
    ],
    tenants: [
      {
        id: '10345678901234',
        name: 'globex-web',
        displayName: null,
        description: 'the web',
        enabled: true,
        services: ['DNS'],
        quota: { maxDomains: 250, maxDomainRecords: null, mxTargetCheck: 'off' },
      },
      {
        ...{ id: '10345678901235', name: 'globex-old', enabled: false, services: [] },
        quota: null,
      },
    ],
    roleAssignments: [
      { user: '10020030040050', role: 'dns-admin', tenant: '10345678901234' },
      { user: '10020030040050', role: 'admin', tenant: null },
    ],
    accessKeys: [
      {
        id: 'KLMNOPQRST0123456789',
        user: '10020030040050',
        algorithm: 'HmacSHA1',
        keyLength: 240,
        status: 'active',
        validFrom: '2024-01-01T00:00:00Z',
        validTo: '2035-01-31T00:00:00Z',
        secret: { plain: 'the key of bob' },
      },
    ],
    domains: [
      {
        id: uuid(1),
        tenant: '10345678901234',
        name: 'Globex.Example.',
        email: 'hostmaster@globex.example',
        ttl: 3600,
        description: null,
        serial: 2024010101,
        records: [
          record(11, 'www.globex.example.', 'A', '192.0.2.1'),
          record(12, 'globex.example.', 'MX', 'mail.globex.example.', 10),
          record(13, 'mail.globex.example.', 'AAAA', '2001:db8::1'),
          record(14, 'alias.globex.example.', 'CNAME', 'www.globex.example.'),
        ],
      },
      {
        id: uuid(2),
        tenant: '10345678901234',
        name: 'empty.example.',
        email: 'hostmaster@globex.example',
        ttl: 60,
        description: 'nothing in it',
        records: [],
      },
    ],
  };
}

function write(content: unknown): string {
  const path = newPath();
  writeFileSync(path, JSON.stringify(content));
  return path;
}

/** Returns the number of sessions of the first installation's database that wait for a lock. */
async function waitsForLock(): Promise<number> {
  const [row] = await first.select<{ count: number }>(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row?.count ?? 0;
}

async function empty(installation: typeof first): Promise<void> {
  for (const statement of [
    'delete from dns.domains',
    'delete from dns.quotas',
    `delete from identity.tenants`,
    `delete from identity.users where name not in ('admin', 'dns-api')`,
    `delete from identity.account_domains where id not in ('default', 'services')`,
  ]) {
    await installation.select(statement);
  }
}

beforeEach(async () => {
  await empty(first);
  await empty(second);
});

describe('import', () => {
  it('imports an account with its ids, states, quotas, keys, domains and records', async () => {
    const { exitCode, stdout, stderr } = await first.run(`import ${write(document())}`);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr:
        'Users without a password (set one with user set-password): 1.\nAccount domain imported.\n',
    });
    expect(stdout).toMatch(/^records +4 +0$/m);
    const [bob] = await first.select<{ hash: string; status: string }>(
      `select password_hash as hash, status from identity.users where id = '10020030040050'`,
    );
    expect(await verifyPassword(bob!.hash, 'the word of bob')).toBe(true);
    expect(await first.json('user show eve')).toMatchObject({
      status: 'suspended',
      hasPassword: false,
    });
    expect(await first.json('tenant show globex-old')).toMatchObject({ enabled: false });
    expect(await first.json('quota show globex-web')).toMatchObject({
      maxDomains: 250,
      maxDomainRecords: null,
    });
    const [key] = await first.select<{ sealed: Buffer; keyId: string }>(
      `select secret_sealed as sealed, secret_key_id as "keyId" from identity.access_keys where id like 'KLM%'`,
    );
    expect(keyring.open(key!, secretIdentity.accessKey('KLMNOPQRST0123456789')).toString()).toBe(
      'the key of bob',
    );
    const zones = await first.select(
      `select name, display_name as shown, serial, record_count as count from dns.domains order by record_count desc`,
    );
    expect(zones).toEqual([
      { name: 'globex.example.', shown: 'Globex.Example.', serial: 2024010101, count: 4 },
      { name: 'empty.example.', shown: null, serial: expect.any(Number) as unknown, count: 0 },
    ]);
    const journal = await first.select(
      `select action, count(*) as count from dns.zone_changes group by action order by action`,
    );
    expect(journal).toEqual([
      { action: 'domain-create', count: 2 },
      { action: 'record-create', count: 4 },
    ]);
  });

  it('writes the journal as the DNS API does: a long value is stored once, in the record', async () => {
    const long = document();
    const text = `"${'x'.repeat(200)}" `.repeat(10).trim();
    (long.domains[0]!.records as object[]).push(record(15, 'long.globex.example.', 'TXT', text));
    expect((await first.run(`import ${write(long)}`)).exitCode).toBe(0);
    const [entry] = await first.select<{ after: object; data: string }>(
      `select c.after, r.data from dns.zone_changes as c join dns.records as r on r.id = c.record_id
        where r.name = 'long.globex.example.'`,
    );
    expect(entry).toEqual({
      data: text,
      after: expect.objectContaining({ data_octets: text.length, version: 1 }) as unknown,
    });
    expect(entry!.after).not.toHaveProperty('data');
  });

  it('imports flags of records: a disabled record does not conflict with others', async () => {
    const flagged = document();
    const flags = { disabled: false, expiresAt: '2099-01-31T12:00:00.000000', tags: ['web'] };
    const off = { ...flags, disabled: true };
    (flagged.domains[0]!.records as object[]).push(
      { ...record(15, 'new.globex.example.', 'A', '192.0.2.9'), flags },
      { ...record(16, 'www.globex.example.', 'CNAME', 'other.example.'), flags: off },
    );
    expect((await first.run(`import ${write(flagged)}`)).exitCode).toBe(0);
    expect(
      await first.select(`select r.name, r.flags from dns.records as r where r.flags is not null`),
    ).toEqual([{ name: 'new.globex.example.', flags }]);
    expect(await first.select(`select r.name, r.flags from dns.disabled_records as r`)).toEqual([
      { name: 'www.globex.example.', flags: off },
    ]);
    const [domain] = await first.select<{ count: number }>(
      `select d.record_count as count from dns.domains as d where d.name = 'globex.example.'`,
    );
    expect(domain?.count).toBe(5);
    const { stdout } = await first.run(`import ${write(flagged)}`);
    expect(stdout).toMatch(/^records +0 +6$/m);
    flags.tags = ['a b'];
    const refused = await first.run(`import ${write(flagged)} --dry-run`);
    expect(refused.stderr).toMatch(/^domains\[0\]\.records\[4\]\.flags: /m);
  });

  it.each(['before', 'behind'])(
    "RFC 4035 s2.4: removes the DS of a child's earlier provider from its parent, which is %s the child",
    async (place) => {
      const moved = document();
      const [parent] = moved.domains;
      const ds = `12345 13 2 ${'ab'.repeat(32)}`;
      (parent!.records as object[]).push(
        record(15, 'sub.globex.example.', 'NS', 'ns.other-provider.net.'),
        record(16, 'sub.globex.example.', 'DS', ds),
        record(17, 'other.globex.example.', 'NS', 'ns.other-provider.net.'),
        record(18, 'other.globex.example.', 'DS', ds),
      );
      const child = { ...moved.domains[1]!, id: uuid(3), name: 'sub.globex.example.' };
      if (place === 'before') moved.domains.push(child);
      else moved.domains.unshift(child);
      expect((await first.run(`import ${write(moved)}`)).exitCode).toBe(0);
      expect(await first.select(`select r.name from dns.records as r where r.type = 'DS'`)).toEqual(
        [{ name: 'other.globex.example.' }],
      );
      expect(
        await first.select(
          `select c.action, c.source, c.user_id, d.record_count as count from dns.zone_changes as c join dns.domains as d on d.id = c.domain_id
            where c.serial_after = d.serial and d.name = 'globex.example.'`,
        ),
      ).toEqual([{ action: 'record-delete', source: 'operator', user_id: 'operator', count: 7 }]);
    },
  );

  it('reports all errors at once with their paths, and changes nothing', async () => {
    const wrong = document();
    wrong.version = 2;
    wrong.users[0]!.status = 'gone';
    Object.assign(wrong.users[1]!, { passwordHash: { plain: 'x' }, colour: 'red' });
    wrong.tenants[0]!.quota = { maxDomains: -1, maxDomainRecords: null, mxTargetCheck: 'x' };
    wrong.domains[0]!.records[0]!.data = '192.0.2.256';
    (wrong.domains[0]!.records as object[]).push(
      record(15, 'alias.globex.example.', 'A', '192.0.2.9'),
    );
    wrong.domains[1]!.email = 'nobody';
    Object.assign(wrong.domains[0]!, { displayName: 'Other.Example.' });
    const { exitCode, stdout, stderr } = await first.run(`import ${write(wrong)}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr.trim().split('\n').sort()).toEqual([
      'domains[0].displayName: displayName must be "globex.example." in other letter case.',
      expect.stringMatching(/^domains\[0\]\.records\[0\]\.data: data "192\.0\.2\.256"/),
      expect.stringMatching(
        /^domains\[0\]\.records\[4\]\.name: .*alias.* has a CNAME record, which must be the only record/,
      ),
      expect.stringMatching(/^domains\[1\]\.email: email "nobody" has no "@"/),
      'tenants[0].quota: must be an object with maxDomains and maxDomainRecords, each a number or null, and optionally mxTargetCheck, or null',
      'users[0].status: must be enabled, suspended or disabled',
      'users[1].colour: is not a known member',
      'version: must be 1, the version that this program reads',
    ]);
    expect((await first.run('account-domain show Globex')).exitCode).toBe(3);
  });

  it('finds missing references, duplicate ids, and unsupported hashes', async () => {
    const wrong = document();
    wrong.roleAssignments[0]!.user = 'nobody';
    wrong.domains[1]!.tenant = 'nowhere';
    wrong.domains[1]!.id = uuid(1);
    const { stderr } = await first.run(`import ${write(wrong)}`);
    expect(stderr.trim().split('\n').sort()).toEqual([
      `domains: have the id ${uuid(1)} twice`,
      'roleAssignments[0].user: the document has no user with the id nobody',
      'the domain empty.example..tenant: the document has no tenant with the id nowhere',
    ]);
    const bcrypt = document();
    Object.assign(bcrypt.users[1]!, { passwordHash: { plain: '$2b$10$abcdefghijklmnopqrstuv' } });
    const result = await first.run(`import ${write(bcrypt)}`);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toBe('users[1].passwordHash: is not an Argon2 hash in PHC form\n');
  });

  it('refuses access keys that the API would refuse', async () => {
    const wrong = document();
    // Date.parse reads this as 2 March.
    wrong.accessKeys[0]!.validTo = '2035-02-30T00:00:00Z';
    wrong.accessKeys[0]!.algorithm = 'x'.repeat(256);
    const { exitCode, stderr } = await first.run(`import ${write(wrong)}`);
    expect(exitCode).toBe(2);
    expect(stderr.trim().split('\n').sort()).toEqual([
      'accessKeys[0].algorithm: must be a string of 1 to 255 characters',
      'accessKeys[0].validTo: must be a time such as 2026-11-21T12:00:00Z',
    ]);
    const long = document();
    long.accessKeys[0]!.secret.plain = 'x'.repeat(1000);
    const result = await first.run(`import ${write(long)}`);
    expect(result.stderr).toBe('accessKeys[0].secret: has more than 999 characters\n');
  });

  it.each([
    ['no JSON', '{"format": "zonewright-account", "users": [}'],
    ['cut off', JSON.stringify(document()).slice(0, -20)],
    ['an empty file', ''],
  ])('ends with 2 for %s', async (_what, content) => {
    const path = newPath();
    writeFileSync(path, content);
    const { exitCode, stderr } = await first.run(`import ${path}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('is not a JSON document');
  });

  it('--dry-run changes nothing; conflicts are reported with their cause, and end it with 4', async () => {
    const path = write(document());
    expect(await first.json(`import ${path} --dry-run`)).toEqual({
      sections: [
        { section: 'accountDomain', new: 1, present: 0 },
        { section: 'users', new: 2, present: 0 },
        { section: 'tenants', new: 2, present: 0 },
        { section: 'accessKeys', new: 1, present: 0 },
        { section: 'domains', new: 2, present: 0 },
        { section: 'records', new: 4, present: 0 },
      ],
      conflicts: [],
      different: [],
    });
    expect((await first.run('user show bob')).exitCode).toBe(3);
    await first.run('user create bob --no-password');
    await first.run('tenant create other');
    const other = await first.json<{ id: string }>('tenant show other');
    await first.select(
      `insert into dns.domains (tenant_id, name, email, ttl, serial)
       values ('${other.id}', 'empty.example.', 'a@example.org', 60, 1), ('${other.id}', 'sub.globex.example.', 'a@example.org', 60, 1)`,
    );
    const { exitCode, stderr } = await first.run(`import ${path}`);
    expect(exitCode).toBe(4);
    expect(stderr).toMatch(
      /^conflict: the user name "bob" is already used by the user with the id "\w+"$/m,
    );
    expect(stderr).toContain(
      `conflict: the domain "empty.example." belongs to the tenant "${other.id}"`,
    );
    expect(stderr).toContain(
      'conflict: the domain "globex.example." contains "sub.globex.example." of another tenant',
    );
    expect((await first.run('account-domain show Globex')).exitCode).toBe(3);
  });

  it('continues after an interruption, and changes nothing when it is run again', async () => {
    const path = write(document());
    const { document: checked } = await checkDocument(path);
    const interrupted = importAccount(first.db, {
      ...{ path, document: checked, keyring: () => keyring, requestId: 'r' },
      secrets: openSecrets(checked, SecretBox.plain(), new ProblemList()),
      onProgress: () => {
        throw new Error('Ctrl-C');
      },
    });
    await expect(interrupted).rejects.toThrow('Ctrl-C');
    const again = await first.json<{ sections: { section: string }[] }>(`import ${path}`);
    expect(again.sections.find(({ section }) => section === 'domains')).toMatchObject({
      new: 1,
      present: 1,
    });
    const third = await first.json<{ sections: { new: number }[] }>(`import ${path}`);
    expect(third.sections.map((section) => section.new)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('two concurrent imports of one document both succeed, and everything exists once', async () => {
    const path = write(document());
    const results = await Promise.all([first.run(`import ${path}`), first.run(`import ${path}`)]);
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(
      await first.select(
        'select action, count(*) from dns.zone_changes group by action order by action',
      ),
    ).toEqual([
      { action: 'domain-create', count: 2 },
      { action: 'record-create', count: 4 },
    ]);
  });

  it('beside the DNS API, the first one to claim a name gets it, and the other reports a conflict', async () => {
    const path = write(document());
    let imported: ReturnType<typeof first.run> | undefined;
    await first.db.transaction(async (trx) => {
      // dns-api takes this lock when it creates a domain (claimZoneName).
      await lockName(trx, 'registrableDomain', registrableDomain('sub.globex.example.'));
      imported = first.run(`import ${path}`);
      await waitFor(async () => (await waitsForLock()) > 0);
      await trx.raw(
        `insert into dns.domains (tenant_id, name, email, ttl, serial)
         values ('another', 'sub.globex.example.', 'a@example.org', 60, 1)`,
      );
    });
    const { exitCode, stderr } = await imported!;
    expect(exitCode).toBe(4);
    expect(stderr).toContain(
      'the domain "globex.example." contains "sub.globex.example." of another tenant; this conflict arose during the import',
    );
    expect(await first.select('select name from dns.domains')).toEqual([
      { name: 'sub.globex.example.' },
    ]);
  });

  it('beside other commands, a name that is taken at the same moment is a conflict', async () => {
    const path = write(document());
    let imported: ReturnType<typeof first.run> | undefined;
    await first.db.transaction(async (trx) => {
      await trx.raw(
        `insert into identity.tenants (id, account_domain_id, name) values ('t', 'default', 'globex-web')`,
      );
      imported = first.run(`import ${path}`);
      await waitFor(async () => (await waitsForLock()) > 0);
    });
    const { exitCode, stderr } = await imported!;
    expect(exitCode).toBe(4);
    expect(stderr).toContain(
      'the same object was created at the same time (tenants_name_unique); run the import again',
    );
    expect((await first.run('account-domain show Globex')).exitCode).toBe(3);
  });

  it("D-ZONE: refuses a public suffix, and a name in another tenant's domain", async () => {
    const wrong = document();
    wrong.domains[1]!.name = 'co.uk.';
    expect((await first.run(`import ${write(wrong)}`)).stderr).toMatch(
      /^domains\[1\]\.name: name "co\.uk\." is a public suffix/,
    );
    const torn = document();
    Object.assign(torn.domains[1]!, { name: 'sub.globex.example.', tenant: '10345678901235' });
    expect(await first.run(`import ${write(torn)}`)).toMatchObject({
      exitCode: 2,
      stderr: 'the domain sub.globex.example.: is inside globex.example. of another tenant\n',
    });
  });

  it('gives a zone that was deleted here a later serial than before', async () => {
    await first.select(
      `insert into dns.domains (tenant_id, name, email, ttl, serial, deleted_at)
       values ('t', 'globex.example.', 'a@example.org', 60, 4000000000, now())`,
    );
    await first.run(`import ${write(document())}`);
    const [zone] = await first.select<{ serial: number }>(
      `select serial from dns.domains where name = 'globex.example.' and deleted_at is null`,
    );
    expect(zone!.serial).toBe(4_000_000_001);
  });
});

describe('export', () => {
  it('a second export after an import into another installation is the same', async () => {
    await first.run(`import ${write(document())}`);
    const [one, sealed, two] = [newPath(), newPath(), newPath()];
    expect((await first.run(`export Globex --output ${one} --plain-secrets`)).exitCode).toBe(0);
    const passphrase = 'a long passphrase';
    const secretly = `export Globex --output ${sealed} --secrets --passphrase-stdin`;
    expect((await first.run(secretly, passphrase)).exitCode).toBe(0);
    const text = readFileSync(sealed, 'utf8');
    expect(text).not.toMatch(/the key of bob|argon2/);
    expect(statSync(sealed).mode & 0o777).toBe(0o600);

    const wrong = await second.run(`import ${sealed} --passphrase-stdin`, 'another passphrase');
    expect(wrong).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('wrong passphrase') as unknown,
    });
    expect(await second.run(`import ${sealed} --passphrase-stdin`, passphrase)).toMatchObject({
      exitCode: 0,
    });
    await second.run(`export 98765432109876 --output ${two} --plain-secrets`);
    const read = (path: string) =>
      ({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), exportedAt: '' }) as unknown;
    expect(read(two)).toEqual(read(one));
    expect(Object.keys(read(one) as object)).toEqual([
      ...['format', 'version', 'exportedAt', 'secrets', 'encryption', 'accountDomain'],
      ...['users', 'tenants', 'roleAssignments', 'accessKeys', 'domains'],
    ]);
  });

  it('contains secrets only on request; the import skips keys without a secret', async () => {
    await first.run(`import ${write(document())}`);
    const path = newPath();
    await first.run(`export Globex --output ${path}`);
    expect(readFileSync(path, 'utf8')).not.toMatch(/the key of bob|argon2|passwordHash|"secret"/);
    const { exitCode, stderr } = await second.run(`import ${path}`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Not imported: 1 access keys');
    expect(stderr).toContain('Users without a password (set one with user set-password): 2.');
  });

  it('E20: reports signed domains, which are imported unsigned', async () => {
    await first.run(`import ${write(document())}`);
    const told = expect.stringContaining(
      'Not exported: the DNSSEC signing of 1 domains.',
    ) as unknown;
    expect(await first.run(`export Globex --output ${newPath()}`)).not.toMatchObject({
      stderr: told,
    });
    await first.select(
      `insert into dns.zone_dnssec (domain_id, state, algorithm) values ('${uuid(1)}', 'signing', 13)`,
    );
    expect(await first.run(`export Globex --output ${newPath()}`)).toMatchObject({ stderr: told });
  });

  it('keeps an existing file, and writes to standard output', async () => {
    await first.run(`import ${write(document())}`);
    const path = write('mine');
    expect((await first.run(`export Globex --output ${path}`)).exitCode).toBe(4);
    expect(readFileSync(path, 'utf8')).toBe('"mine"');
    expect(existsSync(`${path}.part`)).toBe(false);
    const { stdout } = await first.run('export Globex --output -');
    expect(JSON.parse(stdout)).toMatchObject({ accountDomain: { name: 'Globex' } });
    expect((await first.run('export nobody --output -')).exitCode).toBe(3);
  });
});
