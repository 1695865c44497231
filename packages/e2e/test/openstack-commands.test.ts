import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { itWith, PYTHON, run, TIMEOUT_MS } from './support/foreign-programs.js';
import { OpenStackProcess, type Outcome } from './support/openstack-process.js';
import { OPENSTACK_STEPS, type Persona, type Step } from './support/openstack-steps.js';
import { operate } from './support/operate.js';
import { PROJECT, RunningPlatform } from './support/running-platform.js';

const itWithClient = itWith(PYTHON, '-c', 'import openstackclient.shell, designateclient.v2.cli');
const itWithTempest = itWith(PYTHON, '-c', 'import tempest.lib.services.identity.v3');

const itWithDnsPlugin = itWith(PYTHON, '-c', 'import designate_tempest_plugin.clients');

const ZONE_FILE = `$ORIGIN imported.example.
@ 3600 IN SOA ns1.example.org. admin.example.com. 1 2 3 4 5
www 300 IN A 192.0.2.1
`;
/** Commands that must have a row. */
const COMMANDS = /^(dns|ptr|recordset|tld|tsigkey|zone|project|user|role|application credential) /;

describe('The command of OpenStack, with the clouds.yaml that npm start writes', () => {
  let platform: RunningPlatform;
  let client: OpenStackProcess;
  let facts: Record<string, string>;
  /** Results of commands, and values that steps need. */
  const kept: Record<string, unknown> = {};

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    // A hundred commands run within a minute.
    await platform.start({ RATE_LIMITS: 'false' });
    facts = await platform.readDemoEnvironment();
    const user = facts['ZONEWRIGHT_USERNAME'] ?? '';
    kept['demo'] = {
      password: facts['ZONEWRIGHT_PASSWORD'],
      project: facts['ZONEWRIGHT_TENANT_ID'],
    };
    kept['file'] = join(platform.dataFolder, 'zone.txt');
    writeFileSync(String(kept['file']), ZONE_FILE);
    client = new OpenStackProcess({
      OS_CLIENT_CONFIG_FILE: join(platform.dataFolder, 'clouds.yaml'),
    });
    operate(platform, 'tenant', 'create', 'receiver');
    operate(platform, 'service', 'activate', 'DNS', 'receiver');
    for (const role of ['member', 'dns-admin', 'dns-operator', 'dns-cloud-admin']) {
      operate(platform, 'role', 'grant', role, user, '--tenant', 'receiver');
    }
  }, TIMEOUT_MS);
  afterAll(async () => {
    await client.end();
    await platform.remove();
  });

  /** Returns the environment of a persona, which only variables describe. */
  function environmentOf(persona: Persona): Record<string, string> {
    const url = { OS_AUTH_URL: facts['ZONEWRIGHT_IDENTITY_URL'] ?? '' };
    const user = {
      ...url,
      OS_USERNAME: facts['ZONEWRIGHT_USERNAME'] ?? '',
      OS_USER_DOMAIN_ID: 'default',
      OS_PROJECT_DOMAIN_ID: 'default',
    };
    const password = facts['ZONEWRIGHT_PASSWORD'] ?? '';
    const { id = '', secret = '' } = (kept['credential'] ?? {}) as Record<string, string>;
    return {
      demo: { OS_CLOUD: 'zonewright' },
      admin: { OS_CLOUD: 'zonewright-admin' },
      receiver: { ...user, OS_PASSWORD: password, OS_PROJECT_NAME: 'receiver' },
      variables: { ...user, OS_PASSWORD: 'another-horse', OS_PROJECT_NAME: 'demo' },
      credential: {
        ...url,
        OS_AUTH_TYPE: 'v3applicationcredential',
        OS_APPLICATION_CREDENTIAL_ID: id,
        OS_APPLICATION_CREDENTIAL_SECRET: secret,
      },
    }[persona];
  }

  const fill = (text: string) =>
    text.replace(/\{([a-z]+(\.\w+)*)\}/g, (_, path: string) => String(find(path)));

  function find(path: string): unknown {
    const value = path.split('.').reduce<unknown>((of, name) => (of as never)[name], kept);
    if (value === undefined) throw new Error(`No step kept ${path}.`);
    return value;
  }

  async function perform(step: Step): Promise<Outcome> {
    const words = fill(step.run).match(/'[^']*'|\S+/g) ?? [];
    const args = words.map((word) => word.replace(/^'(.*)'$/, '$1'));
    if (step.gives !== undefined) args.push('-f', 'json');
    return await client.run(args, environmentOf(step.as ?? 'demo'));
  }

  function check(step: Step, { status, stdout, stderr }: Outcome): void {
    const { run: command, gives, fails, keep } = step;
    if (fails !== undefined) {
      expect({ command, status, stderr }).toEqual({
        command,
        status: 1,
        stderr: expect.stringMatching(fails),
      });
      return;
    }
    expect({ command, status, stderr: status === 0 ? '' : stderr }).toEqual({
      ...{ command, status: 0, stderr: '' },
    });
    if (gives === undefined) return;
    const answer = JSON.parse(stdout) as unknown;
    expect({ command, answer }).toMatchObject({ command, answer: fillIn(gives) });
    if (keep !== undefined) kept[keep] = answer;
  }

  /** Replaces references to stored results in an expected value. */
  function fillIn(expected: unknown): unknown {
    if (typeof expected === 'string') return fill(expected);
    if (Array.isArray(expected)) return expected.map(fillIn);
    if (expected === null || Object.getPrototypeOf(expected) !== Object.prototype) return expected;
    return Object.fromEntries(
      Object.entries(expected as object).map(([name, value]) => [name, fillIn(value)]),
    );
  }

  /** Returns the output of a script about the clients of tempest. */
  function linesOf(script: string, login: readonly [string, string, string]): string[] {
    const file = join(PROJECT, 'packages/e2e/test/support', script);
    const url = facts['ZONEWRIGHT_IDENTITY_URL'] ?? '';
    const { status, stdout, stderr } = run(PYTHON, [file, url, ...login]);
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    return stdout.trim().split('\n');
  }

  itWithClient('clouds.yaml is for its owner alone, and is printed', () => {
    expect(statSync(join(platform.dataFolder, 'clouds.yaml')).mode & 0o777).toBe(0o600);
    expect(platform.output).toContain(`auth_url: "${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v3"`);
    expect(platform.output).toContain('OS_CLIENT_CONFIG_FILE=');
  });

  for (const [title, steps] of OPENSTACK_STEPS) {
    itWithClient(
      title,
      async () => {
        for (const step of steps) {
          if (step.isAwaited !== true) check(step, await perform(step));
          else {
            await waitFor(async () => {
              check(step, await perform(step));
              return true;
            }, TIMEOUT_MS);
          }
        }
      },
      2 * TIMEOUT_MS,
    );
  }

  itWithClient('every command of these two clients has its row', async () => {
    const groups = ['openstack.dns.v2', 'openstack.identity.v3'];
    const known: string[] = [];
    for (const group of groups) {
      const { stdout } = await perform({ run: `command list --group ${group}`, gives: [] });
      const rows = JSON.parse(stdout) as { Commands: string[] }[];
      known.push(...rows.flatMap(({ Commands }) => Commands));
    }
    const run = OPENSTACK_STEPS.flatMap(([, steps]) => steps.map((step) => `${step.run} `));
    const without = known.filter(
      (command) =>
        COMMANDS.test(`${command} `) && !run.some((line) => line.startsWith(`${command} `)),
    );
    expect(known.length).toBeGreaterThan(100);
    expect(without).toEqual([]);
  });

  itWithTempest(
    "tempest's clients of identity v3: projects, users, roles, assignments, domains, catalog",
    () => {
      const { administratorPassword = '' } = JSON.parse(
        readFileSync(join(platform.dataFolder, 'secrets.json'), 'utf8'),
      ) as { administratorPassword?: string };
      const login = ['admin', administratorPassword, 'demo'] as const;
      expect(linesOf('tempest-identity-v3.py', login)).toEqual([
        'project False tempest-2 [True]',
        "user t@example.net ['tempest-2']",
        "roles ['tempest-2'] 2 ['tempest-2']",
        'domain Default 0',
        "catalog ['DNS', 'Identity', 'designate'] ['US-West'] ['US-West']",
        'gone True True True',
      ]);
    },
    TIMEOUT_MS,
  );

  itWithDnsPlugin(
    "tempest's clients of DNS v2: what an operator does with zones and all that belongs to them",
    () => {
      const login = ['demo', facts['ZONEWRIGHT_PASSWORD'] ?? '', 'receiver'] as const;
      expect(linesOf('tempest-dns-v2.py', login)).toEqual([
        "zone ['attribute_key'] 700 1 6",
        "recordset ['192.0.2.2'] 301 3 ['www.tempest.example.']",
        'export COMPLETE 1',
        'import imported-2.example. 0',
        'transfer x 1 True',
        'rules org ^worse\\. tempest-2 default',
        'quotas 30 20 20 True',
        'gone True True True True True',
      ]);
    },
    TIMEOUT_MS,
  );
});
