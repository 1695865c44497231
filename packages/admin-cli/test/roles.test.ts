import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant, createUser } from '@zonewright/accounts';
import { useInstallation } from './run-command.js';

const installation = useInstallation();

beforeAll(async () => {
  await createUser(installation.db, { name: 'alice' });
  await createTenant(installation.db, { name: 'acme' });
});

describe('role create', () => {
  it('keeps a given id and belongs to a service (Identity s2, Role)', async () => {
    expect(await installation.json('role create reader --id 77 --service DNS')).toMatchObject({
      id: '77',
      name: 'reader',
      serviceName: 'DNS',
    });
  });

  it('refuses an existing name', async () => {
    const { exitCode, stderr } = await installation.run('role create reader');
    expect(exitCode).toBe(4);
    expect(stderr).toBe('zonewright-admin: a role named "reader" already exists\n');
  });
});

describe('role list', () => {
  it('shows the roles of bootstrap and later ones', async () => {
    const roles = await installation.json<{ name: string }[]>('role list');
    expect(roles.map(({ name }) => name)).toEqual([
      'admin',
      'dns-admin',
      'dns-cloud-admin',
      'dns-operator',
      'identity-operator',
      'member',
      'reader',
      'service',
    ]);
  });
});

describe('role grant and revoke', () => {
  it('grant gives a user a role on a tenant; granting again changes nothing', async () => {
    const ids = await installation.json('role grant dns-admin alice --tenant acme');
    expect(await installation.json('role grant dns-admin alice --tenant acme')).toEqual(ids);
    const assignments = await installation.json<object[]>('role assignments --tenant acme');
    expect(assignments).toEqual([
      expect.objectContaining({ userName: 'alice', roleName: 'dns-admin', tenantName: 'acme' }),
    ]);
  });

  it('grant without a tenant gives the role on the account domain', async () => {
    expect(await installation.json('role grant admin alice')).toMatchObject({ tenantId: null });
    const { stdout } = await installation.run('role assignments --user alice');
    expect(stdout.replaceAll(/ +/g, ' ')).toMatch(/^alice admin \(account domain\) /m);
  });

  it('revoke removes only that role', async () => {
    await installation.run('role grant member alice --tenant acme');
    expect((await installation.run('role revoke dns-admin alice --tenant acme')).exitCode).toBe(0);
    const left = await installation.json<{ roleName: string; tenantName: string | null }[]>(
      'role assignments --user alice',
    );
    expect(left.map(({ roleName, tenantName }) => [roleName, tenantName])).toEqual([
      ['admin', null],
      ['member', 'acme'],
    ]);
  });

  it.each([
    [
      'role revoke dns-admin alice --tenant acme',
      'the user "alice" does not have the role "dns-admin" on the tenant "acme"',
    ],
    [
      'role revoke service alice',
      'the user "alice" does not have the role "service" on the account domain',
    ],
    ['role grant pilot alice', 'no role has the id or name "pilot"'],
    ['role grant admin nobody', 'no user has the id or name "nobody"'],
    ['role grant admin alice --tenant nowhere', 'no tenant has the id or name "nowhere"'],
  ])('%s ends with 3 and one sentence', async (command, sentence) => {
    expect(await installation.run(command)).toEqual({
      exitCode: 3,
      stdout: '',
      stderr: `zonewright-admin: ${sentence}\n`,
    });
  });
});
