import { describe, expect, it } from '@jest/globals';
import { useInstallation } from './run-command.js';

const installation = useInstallation();

describe('tenant', () => {
  it('create keeps the given id (D-ID-2)', async () => {
    const tenant = await installation.json(
      'tenant create acme --id 10345678901234 --display-name Acme --description "the web site"',
    );
    expect(tenant).toMatchObject({
      id: '10345678901234',
      name: 'acme',
      accountDomainName: 'Default',
      displayName: 'Acme',
      description: 'the web site',
      enabled: true,
    });
  });

  it('create generates an id of 32 hexadecimal digits otherwise', async () => {
    const { id } = await installation.json<{ id: string }>('tenant create other');
    expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('disable and enable change the state', async () => {
    expect(await installation.json('tenant disable acme')).toMatchObject({ enabled: false });
    expect(await installation.json('tenant enable acme')).toMatchObject({ enabled: true });
  });

  it('set changes the given values and keeps the others', async () => {
    expect(await installation.json('tenant set acme --name acme-shop')).toMatchObject({
      id: '10345678901234',
      name: 'acme-shop',
      displayName: 'Acme',
      description: 'the web site',
    });
    expect(await installation.json('tenant set acme-shop --description shop')).toMatchObject({
      name: 'acme-shop',
      description: 'shop',
    });
  });

  it.each([
    ['tenant create acme-shop', 4, 'a tenant named "acme-shop" already exists'],
    [
      'tenant create x --id 10345678901234',
      4,
      'a tenant with the id "10345678901234" already exists',
    ],
    ['tenant set other --name acme-shop', 4, 'a tenant named "acme-shop" already exists'],
    ['tenant show nowhere', 3, 'no tenant has the id or name "nowhere"'],
  ])('%s is refused with one sentence', async (command, exitCode, sentence) => {
    expect(await installation.run(command)).toEqual({
      exitCode,
      stdout: '',
      stderr: `zonewright-admin: ${sentence}\n`,
    });
  });

  it('finds tenants by id before it finds them by name', async () => {
    await installation.run('tenant create 10345678901234');
    expect(await installation.json('tenant show 10345678901234')).toMatchObject({
      name: 'acme-shop',
    });
  });

  it('list shows all tenants of an account domain by name', async () => {
    const tenants = await installation.json<{ name: string }[]>(
      'tenant list --account-domain default',
    );
    expect(tenants.map(({ name }) => name)).toEqual(['10345678901234', 'acme-shop', 'other']);
    expect(await installation.json('tenant list --account-domain services')).toEqual([]);
  });
});
