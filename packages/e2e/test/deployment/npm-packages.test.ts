import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@zonewright/testkit';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasChromium, launchBrowser } from '../console/browser.js';
import { PROJECT, RunningPlatform } from '../support/running-platform.js';

const inBrowser = hasChromium ? it : it.skip;

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

  describe("the client's first example", () => {
    let platform: RunningPlatform;
    let demo: Record<string, string>;

    beforeAll(async () => {
      platform = await RunningPlatform.prepare();
      const anyOrigin = { IDENTITY_CORS_ORIGINS: '*', DNS_API_CORS_ORIGINS: '*' };
      await platform.start({ ...anyOrigin, ZONEWRIGHT_CONSOLE: 'false' });
      demo = await platform.readDemoEnvironment();
    }, 150_000);
    afterAll(async () => {
      await platform.remove();
    });

    /** Returns the example as printed, with the credentials that a reader fills in, compiled. */
    function compileExample(domain: string): string {
      const readme = readFileSync(join(modules, '@zonewright/client/README.md'), 'utf8');
      const source = (/```ts\n([^]*?)```/.exec(readme)?.[1] ?? '')
        .replace('http://127.0.0.1:35357', demo['ZONEWRIGHT_IDENTITY_URL'] ?? '')
        .replace("accessKeyId: '...'", `accessKeyId: '${demo['ZONEWRIGHT_ACCESS_KEY']}'`)
        .replace("secretKey: '...'", `secretKey: '${demo['ZONEWRIGHT_SECRET_KEY']}'`)
        .replaceAll('example.com', domain);
      writeFileSync(join(folder, 'example.ts'), source);
      const compiler = join(PROJECT, 'node_modules/typescript-native/bin/tsc');
      const options = [
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2022,dom',
      ];
      expect(run(process.execPath, [compiler, ...options, 'example.ts'])).toMatchObject({
        status: 0,
        stdout: '',
      });
      return readFileSync(join(folder, 'example.js'), 'utf8');
    }

    it('works in Node as printed', () => {
      compileExample('example.com');
      const { stdout, stderr } = run(process.execPath, ['example.js']);
      expect([stdout, stderr]).toEqual(['www.example.com.\n', '']);
    });

    inBrowser(
      'works in a browser',
      async () => {
        const example = compileExample('browser.example');
        const server = createServer(({ url = '/' }, response) => {
          if (url === '/') {
            const imports = { '@zonewright/client': '/dist/index.js' };
            response.setHeader('Content-Type', 'text/html');
            response.end(`<script type="importmap">${JSON.stringify({ imports })}</script>`);
            return;
          }
          if (!url.startsWith('/dist/')) {
            response.writeHead(204).end();
            return;
          }
          response.setHeader('Content-Type', 'text/javascript');
          response.end(readFileSync(join(modules, '@zonewright/client', url)));
        }).listen(0, '127.0.0.1');
        await once(server, 'listening');
        const browser = await launchBrowser();
        try {
          const page = await browser.newPage();
          const said: string[] = [];
          page.on('console', (message) => said.push(message.text()));
          page.on('pageerror', ({ message }) => said.push(message));
          await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
          await page.addScriptTag({ type: 'module', content: example });
          await waitFor(() => said.length > 0);
          expect(said).toEqual(['www.browser.example.']);
        } finally {
          await browser.close();
          server.closeAllConnections();
          server.close();
        }
      },
      60_000,
    );
  });
});
