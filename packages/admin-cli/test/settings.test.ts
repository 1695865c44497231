import { describe, expect, it } from '@jest/globals';
import { freePort, useTestDatabase } from '@zonewright/testkit';
import { runCommand, useInstallation } from './run-command.js';

const installation = useInstallation();
const other = useTestDatabase();

describe('settings', () => {
  it('are all reported at once if they are invalid, with exit code 2', async () => {
    const result = await runCommand(['user', 'list'], {
      ENCRYPTION_KEYS: 'nonsense',
      ACCESS_KEY_PURGE_DAYS: 'some',
    });
    expect(result.exitCode).toBe(2);
    expect(result.stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^zonewright-admin: DATABASE_URL is not set/),
      expect.stringMatching(/^zonewright-admin: ENCRYPTION_KEYS is malformed/),
      expect.stringMatching(/^zonewright-admin: ACCESS_KEY_PURGE_DAYS must be a whole number/),
    ]);
    expect(result.stderr).not.toContain('nonsense');
  });

  it.each([
    'signing-key rotate',
    'access-key create --user admin',
    'access-key import X --user admin --secret-stdin',
    'bootstrap --identity-url http://a.test --dns-url http://b.test --nameserver-domain c.test',
  ])('%s requires ENCRYPTION_KEYS, and does nothing without them', async (command) => {
    const env = { ...installation.env, ENCRYPTION_KEYS: undefined };
    const { exitCode, stdout, stderr } = await runCommand(command.split(' '), env);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^zonewright-admin: ENCRYPTION_KEYS is not set, .+\n$/);
  });

  it('ENCRYPTION_KEYS are not required if no secret is written', async () => {
    const env = { ...installation.env, ENCRYPTION_KEYS: undefined };
    expect((await runCommand(['user', 'list'], env)).exitCode).toBe(0);
  });
});

describe('the database', () => {
  it('an unreachable database ends a command with 5 and a sentence without the password', async () => {
    const url = `postgres://someone:hidden@127.0.0.1:${await freePort()}/zonewright`;
    const { exitCode, stderr } = await runCommand(['user', 'list'], { DATABASE_URL: url });
    expect(exitCode).toBe(5);
    expect(stderr).toBe(
      'zonewright-admin: PostgreSQL cannot be reached at the address in DATABASE_URL (ECONNREFUSED)\n',
    );
  });

  it('a refused login or missing database ends a command with 2', async () => {
    const url = new URL(installation.env['DATABASE_URL']!);
    url.pathname = '/no_such_database';
    const missing = await runCommand(['user', 'list'], { DATABASE_URL: url.toString() });
    expect(missing.exitCode).toBe(2);
    expect(missing.stderr).toContain('PostgreSQL rejected DATABASE_URL');
  });

  it('a missing schema ends a command with 1 and a recommendation', async () => {
    await other.db.raw('drop schema identity cascade');
    const { exitCode, stderr } = await runCommand(['user', 'list'], { DATABASE_URL: other.url });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('run migrate first');
  });

  it('a login with other rights ends a command with 1 and the necessary rights', async () => {
    const url = installation.env['DATABASE_URL']!.replace(
      'zonewright_operator',
      'zonewright_nameserver',
    );
    const { exitCode, stderr } = await runCommand(['user', 'list'], { DATABASE_URL: url });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('does not have the rights of zonewright_operator');
  });
});

describe('bootstrap, as a command', () => {
  const command =
    'bootstrap --identity-url http://a.test --dns-url http://b.test --nameserver-domain dns.test';

  it('run again, reports that everything exists', async () => {
    expect(await installation.run(command)).toMatchObject({
      exitCode: 0,
      stdout: 'The installation is already complete.\n',
    });
  });

  it('prints the created objects, and the secrets as the variables that they belong in', async () => {
    await installation.select(`update identity.access_keys set status = 'revoked'`);
    await installation.select('delete from dns.servers');
    const { stdout, stderr } = await installation.run(
      `${command} --administrator root --nameserver ns1-7`,
    );
    expect(stdout).toMatch(
      /^created user root\ncreated role admin of user root\ncreated access key [A-Z0-9]{20} of user dns-api\ncreated nameserver ns1-7\.dns\.test\.\nADMINISTRATOR_PASSWORD=\w{24}\nDNS_API_SERVICE_ACCESS_KEY=[A-Z0-9]{20}\nDNS_API_SERVICE_SECRET_KEY=\S{40}\n$/,
    );
    expect(stderr).toBe(
      'Save these secrets: they cannot be shown again.\n' +
        'Nameservers without an address (set one with nameserver set): ns1-7.dns.test.\n',
    );
  });

  it('reads secrets from the environment and does not print them', async () => {
    const secrets = {
      ADMINISTRATOR_PASSWORD: 'chosen password',
      DNS_API_SERVICE_ACCESS_KEY: 'CHOSENKEY00000000000',
      DNS_API_SERVICE_SECRET_KEY: 'chosen secret',
    };
    const { exitCode, stdout, stderr } = await runCommand(
      [...command.split(' '), '--administrator', 'third', '--json'],
      { ...installation.env, ...secrets },
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      created: [
        'user third',
        'role admin of user third',
        'access key CHOSENKEY00000000000 of user dns-api',
      ],
      secrets: {},
    });
    expect(stdout + stderr).not.toMatch(/chosen (password|secret)/);
  });

  it('--demo creates a tenant and a user with DEMO_PASSWORD once, and nothing without the option', async () => {
    const words = [...command.split(' '), '--demo'];
    const without = await runCommand(words, installation.env);
    expect(without).toMatchObject({ exitCode: 2, stdout: '' });
    expect(without.stderr).toContain('DEMO_PASSWORD is not set');
    expect((await installation.run('tenant show demo')).exitCode).toBe(3);

    const env = {
      ...installation.env,
      DEMO_PASSWORD: 'chosen for demo',
      DEMO_ACCESS_KEY: 'DEMOKEY0000000000000',
      DEMO_SECRET_KEY: 'c2VjcmV0IGNob3NlbiBmb3IgZGVtbyBvbmx5IGhlcmU',
    };
    for (const attempt of [await runCommand(words, env), await runCommand(words, env)]) {
      expect(attempt.exitCode).toBe(0);
      expect(attempt.stdout + attempt.stderr).not.toContain('chosen for demo');
      expect(attempt.stdout + attempt.stderr).not.toContain(env.DEMO_SECRET_KEY);
    }
    const keys = await installation.run('access-key list --user demo --json');
    expect((JSON.parse(keys.stdout) as { id: string }[]).map(({ id }) => id)).toEqual([
      env.DEMO_ACCESS_KEY,
    ]);
    const { stdout } = await installation.run('role assignments --tenant demo --json');
    const roles = (JSON.parse(stdout) as { roleName: string }[]).map(({ roleName }) => roleName);
    expect(roles.toSorted()).toEqual(['dns-admin', 'member']);
    expect((await installation.run('service activations --tenant demo')).stdout).toContain('DNS');
  });

  it("requires both parts of dns-api's access key, or none", async () => {
    const { exitCode, stderr } = await runCommand(command.split(' '), {
      ...installation.env,
      DNS_API_SERVICE_ACCESS_KEY: 'ALONE',
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('or neither');
    const demo = await runCommand([...command.split(' '), '--demo'], {
      ...installation.env,
      DEMO_PASSWORD: 'chosen for demo',
      DEMO_ACCESS_KEY: 'ALONE',
    });
    expect(demo).toMatchObject({ exitCode: 2 });
    expect(demo.stderr).toContain('set both DEMO_ACCESS_KEY and DEMO_SECRET_KEY, or neither');
  });
});
