import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { parseKeyring } from '@zonewright/database';

const SCRIPT = fileURLToPath(new URL('../../../scripts/generate-env.mjs', import.meta.url));

describe('scripts/generate-env.mjs', () => {
  let folder: string;
  const generate = (name: string) =>
    spawnSync(process.execPath, [SCRIPT, join(folder, name)], { encoding: 'utf8' });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'zonewright-env-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('writes secrets that only the owner can read', () => {
    expect(generate('first').status).toBe(0);
    expect(statSync(join(folder, 'first')).mode & 0o777).toBe(0o600);
  });

  it('the secrets are new each time, and none is printed', () => {
    const { stdout } = generate('second');
    const [first, second] = ['first', 'second'].map((name) =>
      Object.values(parseEnv(readFileSync(join(folder, name), 'utf8'))),
    );
    expect(first).toHaveLength(18);
    expect(first!.filter((secret) => second!.includes(secret))).toEqual([]);
    expect(second!.filter((secret) => stdout.includes(secret!))).toEqual([]);
  });

  it('the secrets have the forms that the programs accept', () => {
    const env = parseEnv(readFileSync(join(folder, 'first'), 'utf8'));
    expect(() => parseKeyring(env['ENCRYPTION_KEYS']!)).not.toThrow();
    expect(env['DNS_API_SERVICE_ACCESS_KEY']).toMatch(/^[A-Z0-9]{20}$/);
    expect(env['NAMESERVER_COOKIE_SECRETS']).toMatch(/^[0-9a-f]{32}$/);
    // Passwords are part of URLs, where other characters would need escapes.
    for (const [name, value] of Object.entries(env)) {
      if (name.endsWith('_PASSWORD')) expect(value).toMatch(/^[\w-]{32}$/);
    }
  });

  it('accepts no option for the name of a file', () => {
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, '--help'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toContain('Usage:');
    expect(existsSync(join(folder, '--help'))).toBe(false);
  });

  it('does not change an existing file', () => {
    const before = readFileSync(join(folder, 'first'), 'utf8');
    const { status, stderr } = generate('first');
    expect(status).toBe(1);
    expect(stderr).toContain('exists already');
    expect(readFileSync(join(folder, 'first'), 'utf8')).toBe(before);
  });
});
