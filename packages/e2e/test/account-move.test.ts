import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWithPrivatePostgres, PrivatePostgres, waitFor } from '@zonewright/testkit';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePrograms } from './support/drill-commands.js';
import { ACCOUNT, DrillPlatform, ROLE_PASSWORDS } from './support/drill-platform.js';

/** Time limit of an update, also on a busy machine. */
const IN_STEP_MS = 10_000;
const PASSPHRASE = 'the passphrase of a test';

describeWithPrivatePostgres('moving an account to another installation', () => {
  let folder: string;
  let bin: string;
  let server: PrivatePostgres;
  const platforms: DrillPlatform[] = [];

  /** Creates an installation with its own database, keys and services. */
  async function install(name: string): Promise<DrillPlatform> {
    await server.query(`create database ${name}`);
    const platform = await DrillPlatform.prepare({
      encryptionKeys: `${name}:${randomBytes(32).toString('base64')}`,
      snapshotFolder: join(folder, name),
    });
    platforms.push(platform);
    const url = server.url.replace(/\/postgres$/, `/${name}`);
    platform.databaseUrl = url;
    const { status, stderr } = spawnSync(join(bin, 'zonewright-migrate'), {
      env: { ...ROLE_PASSWORDS, DATABASE_URL: url },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    await platform.bootstrap();
    return platform;
  }

  async function succeed(platform: DrillPlatform, args: string[], stdin = ''): Promise<string> {
    const { exitCode, stdout, stderr } = await platform.operate(args, stdin);
    if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zonewright-move-'));
    bin = await writePrograms(folder);
    server = await PrivatePostgres.start(['max_connections = 60']);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(platforms.map((platform) => platform.stop()));
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps log-ins by password and key, catalog, records and answers, and a second export is equal', async () => {
    const old = await install('old_home');
    await old.addTenant();
    await old.start();
    const key = JSON.parse(
      await succeed(old, ['access-key', 'create', '--user', 'driller', '--json']),
    ) as { id: string; secretKey: string };
    const before = await old.authenticate({
      apiAccessKeyCredentials: { accessKey: key.id, secretKey: key.secretKey },
    });
    await old.createDomain(before.token.id, 'moved.example.', '192.0.2.7');
    const exported = join(folder, 'account.json');
    const options = ['--secrets', '--passphrase-stdin'];
    await succeed(old, ['export', ACCOUNT, '--output', exported, ...options], PASSPHRASE);
    const plain = await succeed(old, ['export', ACCOUNT, '--output', '-', '--plain-secrets']);
    await old.stop();

    const home = await install('new_home');
    await home.start();
    await succeed(home, ['import', exported, '--passphrase-stdin'], PASSPHRASE);
    await waitFor(async () => (await home.resolve('moved.example.')) === '192.0.2.7', IN_STEP_MS);
    expect(await home.statusWith(await home.logIn())).toBe(200);
    const after = await home.authenticate({
      apiAccessKeyCredentials: { accessKey: key.id, secretKey: key.secretKey },
    });
    // Roles belong to an installation and are matched by name.
    const namesOf = ({ id, roles }: typeof after.user) => [id, roles.map(({ name }) => name)];
    expect(namesOf(after.user)).toEqual(namesOf(before.user));
    expect(after.token.tenant).toEqual(before.token.tenant);
    expect(after.serviceCatalog.map(({ type }) => type)).toEqual(
      before.serviceCatalog.map(({ type }) => type),
    );
    // The new installation does not accept a token of the old one, since another key signed it.
    expect(await home.statusWith(before.token.id)).toBe(401);
    const again = await succeed(home, ['export', ACCOUNT, '--output', '-', '--plain-secrets']);
    const strip = (text: string) => ({ ...(JSON.parse(text) as object), exportedAt: '' });
    expect(strip(again)).toEqual(strip(plain));
    expect(await readFile(exported, 'utf8')).not.toContain(key.secretKey);
    const doctor = await home.operate(['doctor', '--json']);
    const { findings } = JSON.parse(doctor.stdout) as {
      findings: { level: string; finding: string }[];
    };
    // The server of a test runs without fsync, which doctor reports.
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([
      expect.objectContaining({ finding: expect.stringContaining('fsync') as unknown }),
    ]);
  }, 300_000);
});
