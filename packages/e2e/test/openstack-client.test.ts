import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { itWith, PYTHON, run, TIMEOUT_MS } from './support/foreign-programs.js';
import { PROJECT, RunningPlatform } from './support/running-platform.js';

const itWithOpenstack = itWith('openstack', '--version');
const itWithTempest = itWith(PYTHON, '-c', 'import tempest.lib.services.identity.v3');

interface Outcome {
  readonly command: string;
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('The command of OpenStack, with the clouds.yaml that npm start writes', () => {
  let platform: RunningPlatform;
  let facts: Record<string, string>;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    // Fifty commands come within a second.
    await platform.start({ RATE_LIMITS: 'false' });
    facts = await platform.readDemoEnvironment();
  }, TIMEOUT_MS);
  afterAll(async () => {
    await platform.remove();
  });

  /** Runs commands one after the other, in one process. Words hold no blanks. */
  function openstack(cloud: string, ...commands: string[]): Outcome[] {
    const script = join(PROJECT, 'packages/e2e/test/support/openstack-commands.py');
    const input = commands.map((command) => `${JSON.stringify(command.split(' '))}\n`).join('');
    const file = join(platform.dataFolder, 'clouds.yaml');
    const env = { OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: cloud };
    const { stdout, stderr } = run(PYTHON, [script], env, input);
    const lines = stdout.trim().split('\n');
    expect({ answered: lines.length, stderr }).toMatchObject({ answered: commands.length });
    return lines.map((line, at) => ({
      command: commands[at] ?? '',
      ...(JSON.parse(line) as Omit<Outcome, 'command'>),
    }));
  }

  /** The same; each command must succeed. Gives what they print, read as JSON where that was asked for. */
  function succeed(cloud: string, ...commands: string[]): unknown[] {
    return openstack(cloud, ...commands).map(({ command, status, stdout, stderr }) => {
      expect({ command, status, stderr }).toMatchObject({ command, status: 0 });
      return command.includes('-f json') ? (JSON.parse(stdout) as unknown) : stdout;
    });
  }

  const names = (rows: unknown) => (rows as { Name: string }[]).map(({ Name }) => Name).sort();

  itWithOpenstack(
    'clouds.yaml is for its owner alone, and is printed',
    () => {
      expect(statSync(join(platform.dataFolder, 'clouds.yaml')).mode & 0o777).toBe(0o600);
      expect(platform.output).toContain(`auth_url: "${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v3"`);
      expect(platform.output).toContain('OS_CLIENT_CONFIG_FILE=');
    },
    TIMEOUT_MS,
  );

  itWithOpenstack(
    'the demo user: tokens, catalog, own things, own password',
    () => {
      const [token, catalog, project, user, projects] = succeed(
        'zonewright',
        'token issue -f json',
        'catalog list -f json',
        'project show demo -f json',
        'user show demo -f json',
        'project list --my-projects -f json',
      );
      expect(token).toMatchObject({ project_id: facts['ZONEWRIGHT_TENANT_ID'] });
      expect(names(catalog)).toEqual(['DNS', 'Identity', 'designate']);
      expect(project).toMatchObject({ name: 'demo', domain_id: 'default', enabled: true });
      expect(user).toMatchObject({ name: 'demo', enabled: true });
      expect(names(projects)).toEqual(['demo']);
      const [refused] = openstack('zonewright', 'user list');
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('HTTP 403') });
      const password = facts['ZONEWRIGHT_PASSWORD'] ?? '';
      const set = (from: string, to: string) =>
        `user password set --original-password ${from} --password ${to}`;
      succeed('zonewright', set(password, `${password}-2`));
      const env = {
        OS_AUTH_URL: facts['ZONEWRIGHT_IDENTITY_URL'] ?? '',
        OS_USERNAME: 'demo',
        OS_PASSWORD: `${password}-2`,
        OS_PROJECT_NAME: 'demo',
      };
      // Nothing but its ordinary variables.
      expect(run('openstack', set(`${password}-2`, password).split(' '), env)).toMatchObject({
        status: 0,
      });
    },
    TIMEOUT_MS,
  );

  itWithOpenstack(
    'the administrator: every command about projects, users, roles and assignments',
    () => {
      const [project, , , shown, user, users, , , , assignments, ofProject] = succeed(
        'zonewright-admin',
        'project create acme --description Acme -f json',
        'project set acme --description anvils --disable',
        'project set acme --enable',
        'project show acme -f json',
        'user create alice --password correct-horse -f json',
        'user list -f json',
        'role create reader',
        'role add --project acme --user alice member',
        'role add --domain default --user alice reader',
        'role assignment list --user alice --names -f json',
        'user list --project acme -f json',
      );
      expect(project).toMatchObject({ name: 'acme', description: 'Acme' });
      expect(shown).toMatchObject({ name: 'acme', description: 'anvils', enabled: true });
      expect(user).toMatchObject({ name: 'alice', domain_id: 'default' });
      expect(names(users)).toEqual(['admin', 'alice', 'demo', 'dns-api']);
      expect(assignments).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ Role: 'member', Project: 'acme@Default' }),
          expect.objectContaining({ Role: 'reader', Domain: 'Default' }),
        ]),
      );
      expect(names(ofProject)).toEqual(['alice']);
      const [taken] = openstack('zonewright-admin', 'project create acme');
      expect(taken).toMatchObject({ status: 1, stderr: expect.stringContaining('HTTP 409') });
      const [renamed, roles, projects, , , ownProjects] = succeed(
        'zonewright-admin',
        'role set reader --name looker',
        'role list -f json',
        'project list --user alice -f json',
        'user set alice --name alicia --password battery-staple',
        'user set alicia --disable',
        'project list --long -f json',
      );
      expect(renamed).toBe('');
      expect(names(roles)).toEqual(expect.arrayContaining(['identity-operator', 'looker']));
      expect(names(projects)).toEqual(['acme']);
      expect(names(ownProjects)).toEqual(['acme', 'demo']);
      succeed(
        'zonewright-admin',
        'role show looker',
        'role remove --project acme --user alicia member',
        'role remove --domain default --user alicia looker',
        'role delete looker',
        'user show alicia',
        'user delete alicia',
        'project delete acme',
      );
    },
    2 * TIMEOUT_MS,
  );

  itWithOpenstack(
    'the administrator: domains, groups, services, endpoints, regions',
    () => {
      const [domains, domain, groups, services, service, endpoints, regions] = succeed(
        'zonewright-admin',
        'domain list -f json',
        'domain show default -f json',
        'group list -f json',
        'service list -f json',
        'service show DNS -f json',
        'endpoint list --service DNS -f json',
        'region list -f json',
        'region show US-West',
        'catalog show identity',
      );
      expect(names(domains)).toEqual(['Default', 'Services']);
      expect(domain).toMatchObject({ name: 'Default' });
      expect(groups).toEqual([]);
      expect(names(services)).toEqual(['DNS', 'Identity', 'designate']);
      expect(service).toMatchObject({ name: 'DNS', type: 'ext:dns' });
      expect(endpoints).toEqual(
        expect.arrayContaining([expect.objectContaining({ Interface: 'public' })]),
      );
      expect(regions).toEqual([expect.objectContaining({ Region: 'US-West' })]);
    },
    TIMEOUT_MS,
  );

  itWithTempest(
    "tempest's clients of identity v3: projects, users, roles, assignments, domains, catalog",
    () => {
      const script = join(PROJECT, 'packages/e2e/test/support/tempest-identity-v3.py');
      const { administratorPassword = '' } = JSON.parse(
        readFileSync(join(platform.dataFolder, 'secrets.json'), 'utf8'),
      ) as { administratorPassword?: string };
      const login = ['admin', administratorPassword, 'demo'];
      const url = facts['ZONEWRIGHT_IDENTITY_URL'] ?? '';
      const { stdout, stderr } = run(PYTHON, [script, url, ...login]);
      expect({ lines: stdout.trim().split('\n'), stderr }).toMatchObject({
        lines: [
          'project False tempest-2 [True]',
          "user t@example.net ['tempest-2']",
          "roles ['tempest-2'] 2 ['tempest-2']",
          'domain Default 0',
          "catalog ['DNS', 'Identity', 'designate'] ['US-West'] ['US-West']",
          'gone True True True',
        ],
      });
    },
    TIMEOUT_MS,
  );
});
