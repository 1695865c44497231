import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itWith, run } from './support/foreign-programs.js';
import { operate } from './support/operate.js';
import { RunningPlatform } from './support/running-platform.js';

/** The program takes some seconds to load each time. */
const TIMEOUT_MS = 300_000;
const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const SECRET = Buffer.alloc(32, 7).toString('base64');

const itWithClient = itWith('openstack', 'zone', 'export', 'list', '--help');

type Row = Readonly<Record<string, string | null>>;

/** Debian's python3-openstackclient and python3-designateclient, as a user of three projects calls them. */
describe("openstack's commands for zones that are exchanged, for names and for TSIG keys", () => {
  let platform: RunningPlatform;
  let facts: Record<string, string>;
  let folder: string;

  /** What a command prints, and whether it succeeds. */
  function call(project: string, args: readonly string[]) {
    return run('openstack', args, {
      OS_AUTH_URL: `${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v3`,
      OS_IDENTITY_API_VERSION: '3',
      OS_USERNAME: facts['ZONEWRIGHT_USERNAME'] ?? '',
      OS_PASSWORD: facts['ZONEWRIGHT_PASSWORD'] ?? '',
      OS_PROJECT_NAME: project,
      OS_USER_DOMAIN_ID: 'default',
      OS_PROJECT_DOMAIN_ID: 'default',
    });
  }

  function done(project: string, ...args: string[]): string {
    const { status, stdout, stderr } = call(project, args);
    expect({ args, status, stderr }).toMatchObject({ args, status: 0 });
    return stdout;
  }

  const show = (project: string, ...args: string[]) =>
    JSON.parse(done(project, ...args, '-f', 'json')) as Row;
  const list = (project: string, ...args: string[]) =>
    JSON.parse(done(project, ...args, '-f', 'json')) as Row[];
  const refused = (project: string, ...args: string[]) => {
    const { status, stderr } = call(project, args);
    expect({ args, status }).toEqual({ args, status: 1 });
    return stderr;
  };

  let owner = '';
  const RECEIVER = 'receiver';
  const OPERATORS = 'operators';

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    facts = await platform.readDemoEnvironment();
    owner = facts['ZONEWRIGHT_TENANT_NAME'] ?? '';
    const user = facts['ZONEWRIGHT_USERNAME'] ?? '';
    folder = mkdtempSync(join(tmpdir(), 'zonewright-openstack-'));
    for (const tenant of [RECEIVER, OPERATORS]) {
      operate(platform, 'tenant', 'create', tenant);
      operate(platform, 'service', 'activate', 'DNS', tenant);
      for (const role of ['member', 'dns-admin']) {
        operate(platform, 'role', 'grant', role, user, '--tenant', tenant);
      }
    }
    for (const role of ['dns-operator', 'dns-cloud-admin']) {
      operate(platform, 'role', 'grant', role, user, '--tenant', OPERATORS);
    }
  }, TIMEOUT_MS);
  afterAll(async () => {
    await platform.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  function importZone(name: string): string {
    const file = join(folder, 'zone.txt');
    writeFileSync(
      file,
      `$ORIGIN ${name}\n@ 3600 IN SOA ns1.example.org. admin.example.com. 1 2 3 4 5\nwww 300 IN A 192.0.2.1\n`,
    );
    const made = show(owner, 'zone', 'import', 'create', file);
    expect(made).toMatchObject({ status: 'PENDING', message: null });
    const id = made['id'] ?? '';
    const shown = show(owner, 'zone', 'import', 'show', id);
    expect(shown).toMatchObject({ status: 'COMPLETE', message: `${name} imported` });
    return shown['zone_id'] ?? '';
  }

  itWithClient(
    'zone import and export',
    () => {
      const zoneId = importZone('imported.example.');
      const imports = list(owner, 'zone', 'import', 'list');
      expect(imports).toMatchObject([{ zone_id: zoneId, status: 'COMPLETE' }]);
      done(owner, 'zone', 'import', 'delete', imports[0]?.['id'] ?? '');
      expect(list(owner, 'zone', 'import', 'list')).toEqual([]);

      const made = show(owner, 'zone', 'export', 'create', zoneId);
      const id = made['id'] ?? '';
      expect(made).toMatchObject({ status: 'PENDING', zone_id: zoneId });
      expect(show(owner, 'zone', 'export', 'show', id)).toMatchObject({ status: 'COMPLETE' });
      expect(list(owner, 'zone', 'export', 'list')).toMatchObject([{ id, status: 'COMPLETE' }]);
      const file = show(owner, 'zone', 'export', 'showfile', id);
      expect(file['data']).toMatch(/\$ORIGIN imported\.example\.[^]*www[^]*192\.0\.2\.1/);
      expect(refused(RECEIVER, 'zone', 'export', 'show', id)).toMatch(/no export with this id/);
      done(owner, 'zone', 'export', 'delete', id);
      expect(list(owner, 'zone', 'export', 'list')).toEqual([]);
    },
    TIMEOUT_MS,
  );

  itWithClient(
    'zone transfer: request and accept',
    () => {
      const zoneId = importZone('moving.example.');
      const request = ['zone', 'transfer', 'request'];
      const first = show(owner, ...request, 'create', zoneId, '--description', 'first');
      done(owner, ...request, 'delete', first['id'] ?? '');
      const made = show(owner, ...request, 'create', zoneId);
      const id = made['id'] ?? '';
      expect(made).toMatchObject({ status: 'ACTIVE', zone_name: 'moving.example.' });
      const changed = show(owner, ...request, 'set', id, '--description', 'to a friend');
      expect(changed).toMatchObject({ description: 'to a friend', key: null });
      expect(show(owner, ...request, 'show', id)).toMatchObject({ status: 'ACTIVE', key: null });
      expect(list(owner, ...request, 'list')).toMatchObject([{ id, zone_id: zoneId }]);
      const accept = ['zone', 'transfer', 'accept'];
      const wrong = ['--transfer-id', id, '--key', 'WRONG'];
      expect(refused(RECEIVER, ...accept, 'request', ...wrong)).toMatch(/key/);
      const right = ['--transfer-id', id, '--key', made['key'] ?? ''];
      const accepted = show(RECEIVER, ...accept, 'request', ...right);
      expect(accepted).toMatchObject({ status: 'COMPLETE', zone_id: zoneId });
      const acceptId = accepted['id'] ?? '';
      expect(show(RECEIVER, ...accept, 'show', acceptId)).toMatchObject({ zone_id: zoneId });
      expect(list(RECEIVER, ...accept, 'list')).toMatchObject([{ id: acceptId }]);
      expect(refused(owner, 'zone', 'export', 'create', zoneId)).toMatch(/no zone with this id/);
      done(RECEIVER, 'zone', 'export', 'create', zoneId);
    },
    TIMEOUT_MS,
  );

  itWithClient(
    'tld, zone blacklist',
    () => {
      const tld = show(OPERATORS, 'tld', 'create', '--name', 'example', '--description', 'x');
      const tldId = tld['id'] ?? '';
      expect(tld).toMatchObject({ name: 'example', description: 'x' });
      expect(show(OPERATORS, 'tld', 'show', 'example')).toEqual(tld);
      expect(list(OPERATORS, 'tld', 'list')).toMatchObject([{ id: tldId, name: 'example' }]);
      const set = show(OPERATORS, 'tld', 'set', tldId, '--name', 'org', '--no-description');
      expect(set).toMatchObject({ name: 'org', description: null });
      done(OPERATORS, 'tld', 'delete', 'org');
      expect(list(OPERATORS, 'tld', 'list')).toEqual([]);

      const blacklist = ['zone', 'blacklist'];
      const made = show(OPERATORS, ...blacklist, 'create', '--pattern', '^bad\\.');
      const id = made['id'] ?? '';
      expect(show(OPERATORS, ...blacklist, 'show', id)).toEqual(made);
      expect(list(OPERATORS, ...blacklist, 'list')).toMatchObject([{ id, pattern: '^bad\\.' }]);
      const stalling = ['--pattern', '((a{1,255}){1,255})'];
      expect(refused(OPERATORS, ...blacklist, 'set', id, ...stalling)).toMatch(/repeats too much/);
      const other = ['--pattern', '^worse\\.', '--description', 'y'];
      expect(show(OPERATORS, ...blacklist, 'set', id, ...other)).toMatchObject({
        description: 'y',
      });
      expect(refused(owner, ...blacklist, 'list')).toMatch(/operator/i);
      done(OPERATORS, ...blacklist, 'delete', id);
      expect(list(OPERATORS, ...blacklist, 'list')).toEqual([]);
    },
    TIMEOUT_MS,
  );

  itWithClient(
    'tsigkey',
    () => {
      const made = show(
        OPERATORS,
        ...['tsigkey', 'create', '--name', 'transfer-key', '--algorithm', 'hmac-sha256'],
        ...['--secret', SECRET, '--scope', 'POOL', '--resource-id', POOL],
      );
      const id = made['id'] ?? '';
      expect(made).toMatchObject({ name: 'transfer-key', secret: SECRET });
      expect(show(OPERATORS, 'tsigkey', 'show', 'transfer-key')).toEqual({ ...made, secret: null });
      expect(list(OPERATORS, 'tsigkey', 'list')).toMatchObject([{ id, secret: '' }]);
      const set = show(OPERATORS, 'tsigkey', 'set', id, '--algorithm', 'hmac-sha512');
      expect(set).toMatchObject({ algorithm: 'hmac-sha512', secret: null });
      done(OPERATORS, 'tsigkey', 'delete', id);
      expect(list(OPERATORS, 'tsigkey', 'list')).toEqual([]);
    },
    TIMEOUT_MS,
  );

  itWithClient(
    'zone abandon and axfr: the reason why not',
    () => {
      const zoneId = importZone('kept.example.');
      expect(refused(owner, 'zone', 'abandon', zoneId)).toMatch(/Delete the zone/);
      expect(refused(owner, 'zone', 'axfr', zoneId)).toMatch(/primary/);
    },
    TIMEOUT_MS,
  );
});
