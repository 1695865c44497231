import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTenant } from '@zonewright/accounts';
import { useInstallation } from './run-command.js';

const installation = useInstallation();

beforeAll(async () => {
  await createTenant(installation.db, { name: 'acme' });
});

describe('service', () => {
  it('create gives one service several types and required roles (D-ID)', async () => {
    const service = await installation.json(
      'service create Storage --id 42 --type object-store --type hpext:object --required-role member --required-role admin',
    );
    expect(service).toMatchObject({
      id: '42',
      name: 'Storage',
      types: ['hpext:object', 'object-store'],
      isGlobal: false,
      enabled: true,
      requiredRoles: ['admin', 'member'],
    });
  });

  it('set replaces the given lists and keeps the others', async () => {
    expect(
      await installation.json('service set Storage --type object-store --required-roles admin'),
    ).toMatchObject({ name: 'Storage', types: ['object-store'], requiredRoles: ['admin'] });
    expect(await installation.json('service set Storage --global')).toMatchObject({
      isGlobal: true,
      types: ['object-store'],
      requiredRoles: ['admin'],
    });
    expect(
      await installation.json('service set Storage --no-global --no-required-roles --name Objects'),
    ).toMatchObject({ name: 'Objects', isGlobal: false, requiredRoles: [] });
  });

  it('disable and enable change the state', async () => {
    expect(await installation.json('service disable Objects')).toMatchObject({ enabled: false });
    expect(await installation.json('service enable 42')).toMatchObject({ enabled: true });
  });

  it('list and show print the same', async () => {
    const services = await installation.json<{ name: string }[]>('service list');
    expect(services.map(({ name }) => name)).toEqual(['DNS', 'Identity', 'Objects', 'designate']);
    expect(services).toContainEqual(await installation.json('service show Objects'));
  });

  it.each([
    ['service create DNS --type x', 4, 'a service named "DNS" already exists'],
    ['service create New --id 42 --type x', 4, 'a service with the id "42" already exists'],
    ['service set Objects --name DNS', 4, 'a service named "DNS" already exists'],
    [
      'service create New --type "a b"',
      2,
      '"a b" is not a valid service type: use letters, digits and . : _ -',
    ],
    ['service create New --type x --required-role pilot', 3, 'no role has the id or name "pilot"'],
    ['service create New', 2, "required option '--type <type>' not specified"],
  ])('%s is refused with one sentence', async (command, exitCode, sentence) => {
    expect(await installation.run(command)).toEqual({
      exitCode,
      stdout: '',
      stderr: `zonewright-admin: ${sentence}\n`,
    });
  });

  it('a failed create leaves nothing behind', async () => {
    await installation.run('service create New --type x --required-role pilot');
    expect((await installation.run('service show New')).exitCode).toBe(3);
  });
});

describe('service activate and deactivate', () => {
  it("activate adds the service to the tenant's catalogs; a second call changes nothing", async () => {
    const ids = await installation.json('service activate DNS acme');
    expect(await installation.json('service activate DNS acme')).toEqual(ids);
    expect(await installation.json('service activations --tenant acme')).toEqual([
      expect.objectContaining({ tenantName: 'acme', serviceName: 'DNS' }),
      // This is the same service for other clients.
      expect.objectContaining({ tenantName: 'acme', serviceName: 'designate' }),
    ]);
  });

  it('deactivate removes the service once', async () => {
    expect((await installation.run('service deactivate DNS acme')).exitCode).toBe(0);
    expect(await installation.json('service activations --service DNS')).toEqual([]);
    const { exitCode, stderr } = await installation.run('service deactivate DNS acme');
    expect(exitCode).toBe(3);
    expect(stderr).toContain('the service "DNS" is not active for the tenant "acme"');
  });
});

describe('endpoint', () => {
  it('create takes URL templates, a region and a release state (Identity s1, Service catalog behaviour)', async () => {
    const endpoint = await installation.json(
      'endpoint create Objects --id 7 --region US-East --release-state beta ' +
        '--public-url https://objects.test/v1/%(tenant_id)s --version-id 1.0 --disabled',
    );
    expect(endpoint).toMatchObject({
      id: '7',
      serviceId: '42',
      region: 'US-East',
      publicUrl: 'https://objects.test/v1/%(tenant_id)s',
      publicUrl2: null,
      internalUrl: null,
      adminUrl: null,
      versionId: '1.0',
      releaseState: 'beta',
      enabled: false,
    });
  });

  it('set changes the given values; an empty text removes a value, and publicURL2 stays empty', async () => {
    expect(
      await installation.json(
        'endpoint set 7 --release-state public --admin-url https://objects.test/admin --public-url2 ""',
      ),
    ).toMatchObject({
      releaseState: 'public',
      adminUrl: 'https://objects.test/admin',
      publicUrl2: '',
      versionId: '1.0',
    });
    expect(await installation.json('endpoint set 7 --admin-url ""')).toMatchObject({
      adminUrl: null,
    });
  });

  it('enable and disable change the state', async () => {
    expect(await installation.json('endpoint enable 7')).toMatchObject({ enabled: true });
    expect(await installation.json('endpoint disable 7')).toMatchObject({ enabled: false });
  });

  it('list --service shows the endpoints of the service', async () => {
    const endpoints = await installation.json<object[]>('endpoint list --service Objects');
    expect(endpoints).toEqual([await installation.json('endpoint show 7')]);
  });

  it.each([
    ['ftp://objects.test/', 'another scheme'],
    ['/v1/', 'no host'],
    ['https://objects.test/%(user_id)s', 'another placeholder'],
  ])('refuses the URL %s: %s', async (url) => {
    const { exitCode, stderr } = await installation.run(
      `endpoint create Objects --region US-East --public-url ${url}`,
    );
    expect(exitCode).toBe(2);
    expect(stderr).toBe(
      'zonewright-admin: publicUrl must be an absolute http or https URL, without placeholders other than %(tenant_id)s\n',
    );
  });

  it('refuses a release state that does not exist', async () => {
    const { exitCode, stderr } = await installation.run('endpoint set 7 --release-state alpha');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Allowed choices are public, beta, preview.');
  });

  it('an endpoint can be named by a unique beginning of its id', async () => {
    const url = '--public-url https://short.test/';
    for (const id of ['feedbeef00000001', 'feedbeef00000002', 'feedc0de00000003']) {
      await installation.run(`endpoint create DNS --id ${id} --region ${id} ${url}`);
    }
    expect((await installation.run('endpoint set feedc --region short')).exitCode).toBe(0);
    expect(await installation.json('endpoint show feedc0de')).toMatchObject({
      id: 'feedc0de00000003',
      region: 'short',
    });
    expect(await installation.run('endpoint set feedbeef --region x')).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: 'zonewright-admin: the ids of 2 endpoints begin with "feedbeef"\n',
    });
    expect((await installation.run('endpoint show feedbeef00000001')).exitCode).toBe(0);
    expect((await installation.run('endpoint set fee --region x')).exitCode).toBe(3);
  });

  it('ends with 3 for an endpoint that does not exist', async () => {
    expect((await installation.run('endpoint set 8 --region x')).exitCode).toBe(3);
  });
});
