import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from './support/clients.js';
import { itWith, itWithAll, PYTHON, run, TIMEOUT_MS } from './support/foreign-programs.js';
import { operate } from './support/operate.js';
import { PROJECT, RunningPlatform } from './support/running-platform.js';

const itWithKeystone = itWith(PYTHON, '-c', 'import keystoneclient.v2_0');
const itWithOpenstack = itWith('openstack', '--version');
const itWithSwift = itWith('swift', '--version');
const itWithLibcloud = itWith(PYTHON, '-c', 'import libcloud');
const itWithRclone = itWith('rclone', '--version');
const GOCODE = '/usr/share/gocode';
const itWithGophercloud = itWithAll(
  ['go'],
  [`test -d ${GOCODE}/src/github.com/gophercloud/gophercloud/openstack/dns`],
);

/** URL of objects in the catalog. No server has it. */
const OBJECTS = 'http://127.0.0.1:1/v1';

describe('Programs of others work unchanged', () => {
  let platform: RunningPlatform;
  let url: string;
  let facts: Record<string, string>;
  let login: readonly [username: string, password: string, tenantName: string];

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    facts = await platform.readDemoEnvironment();
    url = facts['ZONEWRIGHT_IDENTITY_URL'] ?? '';
    const names = ['ZONEWRIGHT_USERNAME', 'ZONEWRIGHT_PASSWORD', 'ZONEWRIGHT_TENANT_NAME'] as const;
    const [username = '', password = '', tenantName = ''] = names.map((name) => facts[name]);
    login = [username, password, tenantName];
    const service = 'Object Storage';
    operate(platform, 'service', 'create', service, '--type', 'object-store');
    const template = ['--public-url', `${OBJECTS}/%(tenant_id)s`];
    operate(platform, 'endpoint', 'create', service, '--region', 'US-West', ...template);
    operate(platform, 'service', 'activate', service, tenantName);
  }, TIMEOUT_MS);
  afterAll(async () => {
    await platform.remove();
  });

  itWithKeystone(
    'python3-keystoneclient, version 2.0: authenticate, list, validate, rescope, revoke',
    () => {
      const script = join(PROJECT, 'packages/e2e/test/support/keystoneclient-v2.py');
      const { stdout, stderr } = run(PYTHON, [script, `${url}/v2.0`, ...login]);
      expect({ lines: stdout.trim().split('\n'), stderr }).toMatchObject({
        lines: [
          `identity at ${url}/v2.0/`,
          `tenants ['${login[2]}']`,
          `validated for ${login[2]}`,
          'rescoping keeps the id: True',
          'revoked',
        ],
      });
    },
    3 * TIMEOUT_MS,
  );

  itWithOpenstack(
    'python3-openstackclient, version 3: authenticate, list, revoke',
    () => {
      const [username, password, tenantName] = login;
      const env = {
        OS_AUTH_URL: `${url}/v3`,
        OS_IDENTITY_API_VERSION: '3',
        OS_USERNAME: username,
        OS_PASSWORD: password,
        OS_PROJECT_NAME: tenantName,
        OS_USER_DOMAIN_ID: 'default',
        OS_PROJECT_DOMAIN_ID: 'default',
      };
      const issued = run('openstack', ['token', 'issue', '-f', 'value', '-c', 'id'], env);
      const token = issued.stdout.trim();
      expect([issued.stderr, token]).toEqual([expect.anything(), expect.stringMatching(/^eyJ/)]);
      const listed = run('openstack', ['project', 'list', '--my-projects', '-f', 'json'], env);
      expect(JSON.parse(listed.stdout)).toEqual([
        { ID: facts['ZONEWRIGHT_TENANT_ID'], Name: tenantName },
      ]);
      const revoked = run('openstack', ['token', 'revoke', token], env);
      expect(revoked).toMatchObject({ status: 0 });
    },
    3 * TIMEOUT_MS,
  );

  itWithOpenstack(
    'python3-openstackclient: application credentials are made, listed, shown, used and deleted',
    () => {
      const [username, password, tenantName] = login;
      const common = { OS_AUTH_URL: `${url}/v3`, OS_IDENTITY_API_VERSION: '3' };
      const env = {
        ...common,
        OS_USERNAME: username,
        OS_PASSWORD: password,
        OS_PROJECT_NAME: tenantName,
        OS_USER_DOMAIN_ID: 'default',
        OS_PROJECT_DOMAIN_ID: 'default',
      };
      const credential = (...args: string[]) =>
        run('openstack', ['application', 'credential', ...args], env);
      const rules = JSON.stringify([
        { zone: 'example.com.', name: '_acme-challenge.**', types: ['TXT'], actions: ['update'] },
      ]);
      const created = credential('create', 'web1', '--access-rules', rules, '-f', 'json');
      expect(created.stderr).toBe('');
      const { id, secret } = JSON.parse(created.stdout) as { id: string; secret: string };
      const listed = credential('list', '-f', 'json');
      expect(JSON.parse(listed.stdout)).toContainEqual(
        expect.objectContaining({ ID: id, Name: 'web1' }),
      );
      expect(JSON.parse(credential('show', 'web1', '-f', 'json').stdout)).toMatchObject({
        id,
        project_id: facts['ZONEWRIGHT_TENANT_ID'],
        unrestricted: false,
      });
      const issued = run('openstack', ['token', 'issue', '-f', 'value', '-c', 'project_id'], {
        ...common,
        OS_AUTH_TYPE: 'v3applicationcredential',
        OS_APPLICATION_CREDENTIAL_ID: id,
        OS_APPLICATION_CREDENTIAL_SECRET: secret,
      });
      expect([issued.stderr, issued.stdout.trim()]).toEqual(['', facts['ZONEWRIGHT_TENANT_ID']]);
      expect(credential('delete', 'web1')).toMatchObject({ status: 0 });
      expect(credential('list', '-f', 'json').stdout).not.toContain(id);
    },
    3 * TIMEOUT_MS,
  );

  itWithGophercloud(
    'gophercloud, by the calls of the OpenStack provider of Terraform: zones and recordsets of DNS v2',
    () => {
      const [username, password, tenantName] = login;
      const program = join(PROJECT, 'packages/e2e/test/support/gophercloud-dns.go');
      const cache = mkdtempSync(join(tmpdir(), 'zonewright-go-'));
      try {
        const { stdout, stderr } = run('go', ['run', program, 'terraform.example.'], {
          GO111MODULE: 'off',
          GOPATH: GOCODE,
          GOCACHE: cache,
          OS_AUTH_URL: `${url}/v3`,
          OS_USERNAME: username,
          OS_PASSWORD: password,
          OS_PROJECT_NAME: tenantName,
          OS_DOMAIN_ID: 'default',
        });
        expect({ stderr, lines: stdout.trim().split('\n') }).toEqual({
          stderr: '',
          lines: [
            'zone terraform.example. 300 PRIMARY terraform false',
            'updated 600 a@example.com',
            'listed 1 true',
            'recordset www.terraform.example. A 60 2 true',
            'updated 120 [192.0.2.3]',
            'listed 1 true',
            'deleted true',
            'deleted true',
          ],
        });
      } finally {
        rmSync(cache, { recursive: true, force: true });
      }
    },
    3 * TIMEOUT_MS,
  );

  itWithSwift(
    'python3-swiftclient, legacy authentication: a token and the storage URL',
    () => {
      const [username, password] = login;
      for (const path of ['/v1.0', '/auth/v1.0/']) {
        const user = `${facts['ZONEWRIGHT_TENANT_ID'] ?? ''}:${username}`;
        const args = ['-A', url + path, '-U', user, '-K', password, 'auth'];
        const { stdout, stderr } = run('swift', args);
        expect({ stdout, stderr }).toMatchObject({
          stdout: expect.stringContaining(
            `export OS_STORAGE_URL=${OBJECTS}/${facts['ZONEWRIGHT_TENANT_ID'] ?? ''}`,
          ),
        });
        expect(stdout).toMatch(/export OS_AUTH_TOKEN=eyJ/);
      }
    },
    3 * TIMEOUT_MS,
  );

  itWithLibcloud(
    'python3-libcloud, versions 2.0 and 3: authenticate, and find a service in the catalog',
    () => {
      const script = join(PROJECT, 'packages/e2e/test/support/libcloud-catalog.py');
      const { stdout, stderr } = run(PYTHON, [script, url, ...login]);
      const found = `${OBJECTS}/${facts['ZONEWRIGHT_TENANT_ID'] ?? ''}`;
      expect({ lines: stdout.trim().split('\n'), stderr }).toMatchObject({
        lines: [`2.0_password: ${found}`, `3.x_password: ${found}`],
      });
    },
    TIMEOUT_MS,
  );

  itWithRclone(
    'rclone, versions 1, 2.0 and 3: authenticate, and go where the catalog says that objects are',
    () => {
      const [username, password, tenantName] = login;
      const tenantId = facts['ZONEWRIGHT_TENANT_ID'] ?? '';
      const user = { 1: `${tenantId}:${username}`, 2: username, 3: username };
      const path = { 1: '/auth/v1.0', 2: '/v2.0', 3: '/v3' };
      for (const version of [1, 2, 3] as const) {
        const { stderr } = run(
          'rclone',
          ['lsd', 'old:', '--retries', '1', '--low-level-retries', '1'],
          {
            RCLONE_CONFIG: '/dev/null',
            RCLONE_CONFIG_OLD_TYPE: 'swift',
            RCLONE_CONFIG_OLD_AUTH: url + path[version],
            RCLONE_CONFIG_OLD_AUTH_VERSION: String(version),
            RCLONE_CONFIG_OLD_USER: user[version],
            RCLONE_CONFIG_OLD_KEY: password,
            RCLONE_CONFIG_OLD_TENANT: tenantName,
            RCLONE_CONFIG_OLD_DOMAIN: 'Default',
            RCLONE_CONFIG_OLD_TENANT_DOMAIN: 'Default',
          },
        );
        expect(stderr).toContain(`"${OBJECTS}/${tenantId}?`);
        expect(stderr).toContain('connection refused');
      }
    },
    3 * TIMEOUT_MS,
  );

  it('curl and any other client get a token by access key', async () => {
    const { status } = await call(`${url}/v2.0/tokens`, {
      method: 'POST',
      body: {
        auth: {
          apiAccessKeyCredentials: {
            accessKey: facts['ZONEWRIGHT_ACCESS_KEY'],
            secretKey: facts['ZONEWRIGHT_SECRET_KEY'],
          },
        },
      },
    });
    expect(status).toBe(200);
  });
});
