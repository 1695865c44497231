import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../support/running-platform.js';

const PROGRAMS = [
  ...['postgres', 'redis', 'migrate', 'operator', 'identity-service', 'dns-api', 'nameserver'],
  ...['signer', 'console-service'],
];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-secrets-'));
  for (const name of ['kept', ...PROGRAMS]) mkdirSync(join(folder, name));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function makeSecrets(env: Readonly<Record<string, string>> = {}, ...args: string[]) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(PROJECT, 'docker/make-secrets.mjs'), ...args],
    { env: { SECRETS_FOLDER: folder, ...env }, encoding: 'utf8' },
  );
  return { stdout, stderr, status };
}
const content = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8');
const all = () =>
  Object.fromEntries(
    ['kept', ...PROGRAMS].flatMap((program) =>
      readdirSync(join(folder, program)).map((name) => [
        `${program}/${name}`,
        content(program, name),
      ]),
    ),
  );

describe('docker/make-secrets.mjs, the one-shot `secrets` of docker-compose.yml', () => {
  it('creates every secret once', () => {
    const first = makeSecrets();
    expect(first).toMatchObject({ status: 0, stderr: '' });
    const made = all();
    expect(made['kept/ENCRYPTION_KEYS']).toMatch(/^k1:[\w+/]{43}=$/);
    expect(first.stdout).not.toContain(made['kept/POSTGRES_PASSWORD']);

    expect(makeSecrets().stdout).toBe('secrets: all are there\n');
    expect(all()).toEqual(made);
    expect(statSync(join(folder, 'kept/ENCRYPTION_KEYS')).mode & 0o777).toBe(0o400);
  });

  it('gives each program exactly the secrets that it reads', () => {
    makeSecrets();
    const files = Object.fromEntries(
      PROGRAMS.map((program) => [program, readdirSync(join(folder, program)).toSorted()]),
    );
    const serviceKey = ['DNS_API_SERVICE_ACCESS_KEY', 'DNS_API_SERVICE_SECRET_KEY'];
    const nameserverKey = ['NAMESERVER_SERVICE_ACCESS_KEY', 'NAMESERVER_SERVICE_SECRET_KEY'];
    const roles = ['DNS_API', 'IDENTITY', 'NAMESERVER', 'OPERATOR', 'SIGNER'];
    expect(files).toEqual({
      'console-service': ['CONSOLE_SESSION_KEYS'],
      postgres: ['POSTGRES_PASSWORD'],
      redis: ['REDIS_PASSWORD'],
      migrate: ['DATABASE_URL', ...roles.map((role) => `${role}_DATABASE_PASSWORD`)].toSorted(),
      operator: [
        ...['ADMINISTRATOR_PASSWORD', 'DATABASE_URL'],
        ...['DEMO_ACCESS_KEY', 'DEMO_PASSWORD', 'DEMO_SECRET_KEY'],
        ...[...serviceKey, 'ENCRYPTION_KEYS', ...nameserverKey, 'REDIS_URL'],
        'TRANSFER_ENCRYPTION_KEYS',
      ],
      'identity-service': ['DATABASE_URL', 'ENCRYPTION_KEYS', 'REDIS_URL'],
      'dns-api': [
        ...['DATABASE_URL', ...serviceKey, 'REDIS_URL', 'SIGNER_SECRET'],
        'TRANSFER_ENCRYPTION_KEYS',
      ],
      signer: ['DATABASE_URL', 'SIGNER_ENCRYPTION_KEYS', 'SIGNER_SECRET'],
      nameserver: [
        ...['DATABASE_URL', 'NAMESERVER_COOKIE_SECRETS', ...nameserverKey],
        'TRANSFER_ENCRYPTION_KEYS',
      ],
    });
    expect(content('nameserver', 'DATABASE_URL')).toBe(
      `postgres://zonewright_nameserver:${content('kept', 'NAMESERVER_DATABASE_PASSWORD')}@postgres:5432/zonewright`,
    );
  });

  it("the environment (.env) and an operator's files replace generated values", () => {
    makeSecrets();
    const before = all();
    writeFileSync(join(folder, 'own'), 'k2:own\n');
    const ENCRYPTION_KEYS_FILE = join(folder, 'own');
    makeSecrets({ REDIS_PASSWORD: 'a/b@c', ENCRYPTION_KEYS_FILE });
    expect(content('redis', 'REDIS_PASSWORD')).toBe('a/b@c');
    expect(content('dns-api', 'REDIS_URL')).toBe('redis://:a%2Fb%40c@redis:6379');
    expect(content('identity-service', 'ENCRYPTION_KEYS')).toBe('k2:own');
    expect(all()).toMatchObject({
      'postgres/POSTGRES_PASSWORD': before['postgres/POSTGRES_PASSWORD'],
    });

    const both = makeSecrets({ ENCRYPTION_KEYS: 'k3:x', ENCRYPTION_KEYS_FILE });
    expect(both).toMatchObject({
      status: 1,
      stderr: 'secrets: ENCRYPTION_KEYS and ENCRYPTION_KEYS_FILE are both set: unset one\n',
    });
    expect(content('identity-service', 'ENCRYPTION_KEYS')).toBe('k2:own');
  });

  it('an existing .env stays valid: only its values are used, and there is no user demo', () => {
    const file = join(folder, 'env');
    spawnSync(process.execPath, [join(PROJECT, 'scripts/generate-env.mjs'), file]);
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line));
    const env = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s) as [string, string]));
    expect(makeSecrets(env).stdout).toBe('secrets: all are there\n');
    expect(Object.keys(all()).filter((name) => name.includes('DEMO'))).toEqual([]);
    expect(makeSecrets({}, 'print').stdout).toContain('ENCRYPTION_KEYS=k1:');
  });

  it('an .env from before the signer gets the missing secrets', () => {
    expect(makeSecrets({ POSTGRES_PASSWORD: 'p', ENCRYPTION_KEYS: 'k1:x' }).status).toBe(0);
    expect(content('signer', 'SIGNER_ENCRYPTION_KEYS')).toMatch(/^z1:/);
    expect(content('signer', 'SIGNER_SECRET')).toBe(content('dns-api', 'SIGNER_SECRET'));
    expect(content('signer', 'SIGNER_SECRET').length).toBeGreaterThanOrEqual(32);
  });

  it('zonewright-credentials prints all ways to log in as demo, in the form of demo.env', () => {
    const credentials = () =>
      spawnSync('sh', [join(PROJECT, 'docker/bin/zonewright-credentials')], {
        env: { PATH: process.env['PATH'], SECRETS_FOLDER: join(folder, 'operator') },
        encoding: 'utf8',
      });
    expect(credentials()).toMatchObject({ status: 1, stdout: '' });
    makeSecrets();
    const { stdout, stderr } = credentials();
    expect(stderr).toBe('');
    const lines = stdout.trim().split('\n');
    const facts = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s) as [string, string]));
    expect(facts).toMatchObject({
      ZONEWRIGHT_USERNAME: 'demo',
      ZONEWRIGHT_PASSWORD: content('kept', 'DEMO_PASSWORD'),
      ZONEWRIGHT_ACCESS_KEY: content('kept', 'DEMO_ACCESS_KEY'),
      ZONEWRIGHT_SECRET_KEY: content('kept', 'DEMO_SECRET_KEY'),
    });
    expect(facts['ZONEWRIGHT_SECRET_KEY']).toMatch(/^[A-Za-z0-9+/]{40}$/);
  });

  it('print writes the secrets in the form of .env, which gives the same ones again', () => {
    expect(makeSecrets({}, 'print')).toMatchObject({ status: 1, stdout: '' });
    makeSecrets();
    const before = all();
    const { stdout } = makeSecrets({}, 'print');
    const env = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s) as [string, string]),
    );
    expect(env['ENCRYPTION_KEYS']).toBe(before['kept/ENCRYPTION_KEYS']);
    expect(makeSecrets(env).status).toBe(0);
    expect(all()).toEqual(before);
  });
});
