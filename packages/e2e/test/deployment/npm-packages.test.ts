import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../support/running-platform.js';

const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  version: string;
};

describe('the npm packages (scripts/pack.mjs)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-packages-'));
  const modules = join(folder, 'node_modules');

  function run(program: string, args: readonly string[], cwd = folder) {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder, npm_config_offline: 'true' },
    });
    return { status, stdout, stderr };
  }

  beforeAll(() => {
    expect(run(process.execPath, ['scripts/pack.mjs', folder], PROJECT)).toMatchObject({
      status: 0,
    });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    expect(packed).toHaveLength(2);
    const install = ['install', '--no-audit', '--no-fund', ...packed.map((name) => `./${name}`)];
    expect(run('npm', install)).toMatchObject({ status: 0 });
  }, 120_000);
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('can be installed without a network and without dependencies, each with README and licence', () => {
    const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
    expect(names.toSorted()).toEqual(['@zonewright', 'zonewright']);
    for (const name of ['zonewright', '@zonewright/client']) {
      const files = readdirSync(join(modules, name));
      expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist']));
      const manifest = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as {
        private?: boolean;
      };
      expect(manifest).toMatchObject({ name, version, license: 'Apache-2.0' });
      expect(manifest).not.toHaveProperty('private');
      expect(manifest).not.toHaveProperty('dependencies');
    }
    const licenses = readFileSync(join(modules, 'zonewright/THIRD-PARTY-LICENSES'), 'utf8');
    for (const name of ['commander', 'yaml']) expect(licenses).toContain(`${name} `);
  });

  it('zonewright runs in a folder without this project', () => {
    const program = join(modules, '.bin/zonewright');
    expect(run(program, ['--version']).stdout).toBe(`${version}\n`);
    expect(run(program, ['domain', '--help'])).toMatchObject({ status: 0, stderr: '' });
    expect(run(program, ['domain', 'list']).stderr).toContain('you are not logged in');
  });

  it('@zonewright/client works in Node and in a compiler', () => {
    const source = `import { Client, ApiError } from '@zonewright/client';
const client: Client = new Client({ identityUrl: 'http://127.0.0.1:1', auth: { accessKeyId: 'a', secretKey: 'b' } });
// @ts-expect-error: there is no such member.
client.nothing;
export const isError = (error: unknown): boolean => error instanceof ApiError;
`;
    writeFileSync(join(folder, 'consumer.ts'), source);
    const compiler = join(PROJECT, 'node_modules/typescript-native/bin/tsc');
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', 'consumer.ts'];
    expect(run(process.execPath, [compiler, ...options])).toMatchObject({ status: 0, stdout: '' });
    const check = `import('./consumer.js').then(({ isError }) => console.log(isError(new Error())))`;
    expect(run(process.execPath, ['-e', check]).stdout).toBe('false\n');
  });
});
