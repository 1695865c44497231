// Platform with its console and a browser, for screenshots and measurements.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './install.mjs';

/** Launches Debian's chromium (CHROMIUM names another). */
export async function launchChromium(args = []) {
  const { chromium } = createRequire(join(ROOT, 'packages/e2e/package.json'))('playwright-core');
  return await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', ...args],
  });
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return String(port);
}

/**
 * Runs `npm start` on separate ports and in a separate folder. Returns the URL of the console, the demo's variables,
 * and a function that stops it.
 */
export async function startConsole() {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-console-'));
  chmodSync(folder, 0o755);
  const ports = {
    identity: await freePort(),
    dns: await freePort(),
    nameserver: await freePort(),
    console: await freePort(),
  };
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ZONEWRIGHT_IDENTITY_PORT: ports.identity,
      ZONEWRIGHT_DNS_PORT: ports.dns,
      ZONEWRIGHT_NAMESERVER_PORT: ports.nameserver,
      ZONEWRIGHT_CONSOLE_PORT: ports.console,
      ZONEWRIGHT_DATA_DIR: join(folder, 'data'),
    },
  });
  for await (const chunk of child.stdout)
    if (String(chunk).includes('Ctrl-C stops everything')) break;
  const variables = (name) =>
    Object.fromEntries(
      readFileSync(join(folder, 'data', name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
  const demo = variables('demo.env');
  /** Runs admin-cli. */
  const operate = (...args) => {
    const program = join(ROOT, 'packages/admin-cli/dist/main.js');
    const env = { PATH: process.env.PATH, ...variables('operator.env') };
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { env });
    if (status !== 0) throw new Error(String(stderr));
  };
  const clouds = readFileSync(join(folder, 'data', 'clouds.yaml'), 'utf8');
  const ofAdministrator = clouds.slice(clouds.indexOf('zonewright-admin:'));
  const valueOf = (member) =>
    JSON.parse(new RegExp(`^ *${member}: (.*)$`, 'm').exec(ofAdministrator)[1]);
  const administrator = { username: valueOf('username'), password: valueOf('password') };
  const stop = async () => {
    child.kill('SIGINT');
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  return { demo, administrator, operate, origin: `http://127.0.0.1:${ports.console}`, stop };
}
