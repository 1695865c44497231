import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { itWith, PYTHON, run, TIMEOUT_MS } from './support/foreign-programs.js';
import { operate } from './support/operate.js';
import { RunningPlatform } from './support/running-platform.js';

/** The command is there without the service, too: its help is not. */
const itWithDesignate = itWith('openstack', 'recordset', 'create', '--help');

interface Zone {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly ttl: number;
}

const NAME = 'designate-clients.example.';

describe('Clients of Designate v2 work unchanged', () => {
  let platform: RunningPlatform;
  let env: Record<string, string>;
  let tenantId = '';

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    const facts = await platform.readDemoEnvironment();
    tenantId = facts['ZONEWRIGHT_TENANT_ID'] ?? '';
    const tenantName = facts['ZONEWRIGHT_TENANT_NAME'] ?? '';
    const username = facts['ZONEWRIGHT_USERNAME'] ?? '';
    for (const role of ['dns-operator', 'dns-cloud-admin']) {
      operate(platform, 'role', 'grant', role, username, '--tenant', tenantName);
    }
    env = {
      OS_AUTH_URL: `${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v3`,
      OS_IDENTITY_API_VERSION: '3',
      OS_USERNAME: username,
      OS_PASSWORD: facts['ZONEWRIGHT_PASSWORD'] ?? '',
      OS_PROJECT_NAME: tenantName,
      OS_USER_DOMAIN_ID: 'default',
      OS_PROJECT_DOMAIN_ID: 'default',
    };
  }, TIMEOUT_MS);
  afterAll(async () => {
    await platform.remove();
  });

  const openstack = (...args: readonly string[]) => run('openstack', args, env);

  /** What the command shows; it must succeed. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what JSON holds, the caller knows
  function show<T>(...args: readonly string[]): T {
    const { status, stdout, stderr } = openstack(...args, '-f', 'json');
    expect({ args, status, stderr }).toMatchObject({ args, status: 0 });
    return JSON.parse(stdout) as T;
  }

  /** Of a command that shows nothing. */
  function perform(...args: readonly string[]): void {
    const { status, stderr } = openstack(...args);
    expect({ args, status, stderr }).toMatchObject({ args, status: 0 });
  }

  itWithDesignate(
    'openstack zone: create, list, show, set, delete, and ACTIVE once the nameservers answer',
    async () => {
      const created = show<Zone>('zone', 'create', NAME, '--email', 'a@example.com');
      expect(created).toMatchObject({ name: NAME, status: 'PENDING', ttl: 3600, type: 'PRIMARY' });
      await waitFor(() => show<Zone>('zone', 'show', NAME).status === 'ACTIVE', TIMEOUT_MS);
      expect(show<Zone[]>('zone', 'list')).toEqual([
        expect.objectContaining({ id: created.id, name: NAME, status: 'ACTIVE' }),
      ]);
      const set = show<Zone>('zone', 'set', NAME, '--ttl', '600', '--description', 'of a test');
      expect(set).toMatchObject({ ttl: 600, description: 'of a test' });
      expect(show<Zone[]>('zone', 'list', '--name', 'no*')).toEqual([]);
      const other = show<Zone>('zone', 'create', `x-${NAME}`, '--email', 'a@example.com');
      expect(show('zone', 'delete', other.id)).toMatchObject({
        status: 'PENDING',
        action: 'DELETE',
      });
      const gone = openstack('zone', 'show', other.id);
      expect(gone).toMatchObject({ status: 1, stderr: 'There is no zone with this id.\n' });
    },
    20 * TIMEOUT_MS,
  );

  itWithDesignate(
    'openstack recordset: create, list, show, set, delete; values go back as they were written',
    async () => {
      const created = show<{ id: string }>(
        ...['recordset', 'create', NAME, 'www', '--type', 'A', '--ttl', '60'],
        ...['--record', '192.0.2.1', '--record', '192.0.2.2'],
      );
      expect(created).toMatchObject({
        name: `www.${NAME}`,
        type: 'A',
        records: '192.0.2.1\n192.0.2.2',
        ttl: 60,
      });
      const mail = ['recordset', 'create', NAME, NAME, '--type', 'MX'];
      expect(show(...mail, '--record', '10 mx.example.net.')).toMatchObject({
        records: '10 mx.example.net.',
      });
      const text = ['recordset', 'create', NAME, `t.${NAME}`, '--type', 'TXT'];
      expect(show(...text, '--record', '"a" "b"')).toMatchObject({ records: '"a" "b"' });
      const showOne = () => show<Zone>('recordset', 'show', NAME, created.id);
      await waitFor(() => showOne().status === 'ACTIVE', TIMEOUT_MS);
      expect(show<Zone[]>('recordset', 'list', NAME)).toHaveLength(5);
      expect(show<Zone[]>('recordset', 'list', 'all', '--type', 'A')).toMatchObject([
        { id: created.id, zone_name: NAME },
      ]);
      const records = ['--record', '192.0.2.2', '--record', '192.0.2.3'];
      expect(show('recordset', 'set', NAME, created.id, ...records)).toMatchObject({
        records: '192.0.2.2\n192.0.2.3',
        ttl: 60,
      });
      expect(show('recordset', 'delete', NAME, created.id)).toMatchObject({ action: 'DELETE' });
      const wrong = openstack('recordset', 'create', NAME, 'w', '--type', 'A', '--record', 'x');
      expect(wrong.status).toBe(1);
      expect(wrong.stderr).toContain('"x"');
    },
    20 * TIMEOUT_MS,
  );

  itWithDesignate(
    'openstack dns quota and dns service; an operator sees and acts for other projects',
    () => {
      expect(show('dns', 'quota', 'list')).toEqual({
        api_export_size: 500,
        recordset_records: 100,
        zone_records: 500,
        zone_recordsets: 500,
        zones: 20,
      });
      const set = ['dns', 'quota', 'set', '--project-id', tenantId, '--zones', '30'];
      expect(show(...set)).toMatchObject({ zones: 30 });
      perform('dns', 'quota', 'reset', '--project-id', tenantId);
      expect(show('dns', 'quota', 'list')).toMatchObject({ zones: 20 });
      const services = show<{ id: string; hostname: string; status: string }[]>(
        ...['dns', 'service', 'list'],
      );
      expect(services.some(({ status }) => status === 'UP')).toBe(true);
      const [first] = services;
      expect(show('dns', 'service', 'show', first?.id ?? '')).toMatchObject({
        hostname: first?.hostname,
        service_name: 'nameserver',
      });
      expect(show('zone', 'list', '--all-projects')).toEqual([
        expect.objectContaining({ name: NAME, project_id: tenantId }),
      ]);
      expect(show('zone', 'list', '--sudo-project-id', 'another')).toEqual([]);
    },
    20 * TIMEOUT_MS,
  );

  itWithDesignate('python-designateclient: the nameservers of a zone, limits and pools', () => {
    const script = [
      'from keystoneauth1 import session; from keystoneauth1.identity import v3',
      'from designateclient import client; import os',
      "e = lambda n: os.environ['OS_' + n]",
      "auth = v3.Password(auth_url=e('AUTH_URL'), username=e('USERNAME'), password=e('PASSWORD'), project_name=e('PROJECT_NAME'), user_domain_id='default', project_domain_id='default')",
      "c = client.Client('2', session=session.Session(auth=auth))",
      `print(len(c.nameservers.list('${NAME}')), c.limits.get()['max_page_limit'], c.pools.list()[0]['name'])`,
    ].join('\n');
    const { stdout, stderr } = run(PYTHON, ['-c', script], env);
    expect({ stdout, stderr }).toMatchObject({ stdout: '6 1000 default\n' });
  });
});
