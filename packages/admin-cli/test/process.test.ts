import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { verifyPassword } from '@zonewright/database';
import { TcpProxy } from '@zonewright/testkit';
import { type CommandResult, useInstallation } from './run-command.js';

const PROGRAM_FILE = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const installation = useInstallation();

beforeAll(() => {
  if (!existsSync(PROGRAM_FILE)) {
    throw new Error('These tests run the compiled program: build it with `npm run build`.');
  }
});

/** Runs the compiled program as a separate process with only the given variables. */
async function runProcess(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  stdin = '',
): Promise<CommandResult> {
  const child = spawn(process.execPath, [PROGRAM_FILE, ...args], { env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A program that ends before it has read its input closes the pipe, which is not a failure of the test.
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve(code ?? -1);
    });
  });
  return { exitCode, stdout, stderr };
}

describe('the program', () => {
  it('ends with 0 and prints one JSON document with --json', async () => {
    const { exitCode, stdout, stderr } = await runProcess(
      ['user', 'list', '--json'],
      installation.env,
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'admin' }, { name: 'dns-api' }]);
  });

  it('prints a table for people', async () => {
    const { stdout } = await runProcess(['role', 'assignments'], installation.env);
    expect(stdout.split('\n')[0]).toMatch(/^USER +ROLE +TENANT +SINCE$/);
    expect(stdout).toMatch(
      /^admin +admin +\(account domain\) +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m,
    );
  });

  it('reads a password from standard input', async () => {
    const args = ['user', 'create', 'alice', '--password-stdin', '--json'];
    const { exitCode, stdout } = await runProcess(args, installation.env, 'over a pipe\n');
    expect(exitCode).toBe(0);
    const { id } = JSON.parse(stdout) as { id: string };
    const [user] = await installation.select<{ hash: string }>(
      `select password_hash as hash from identity.users where id = '${id}'`,
    );
    expect(await verifyPassword(user!.hash, 'over a pipe')).toBe(true);
  });

  it('reads a secret key from standard input', async () => {
    const args = ['access-key', 'import', 'PIPED', '--user', 'admin', '--secret-stdin'];
    const { exitCode, stdout } = await runProcess(args, installation.env, 'piped secret');
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('piped secret');
  });

  it.each([
    [1, 'a login without the rights', ['user', 'list'], { role: 'zonewright_nameserver' }],
    [2, 'a wrong command line', ['user', 'lost'], {}],
    [2, 'a setting that is missing', ['user', 'list'], { unset: true }],
    [3, 'what does not exist', ['user', 'show', 'nobody'], {}],
    [4, 'what already exists', ['role', 'create', 'admin'], {}],
    [5, 'a database that is away', ['user', 'list'], { port: '1' }],
  ])('ends with %i for %s', async (code, _what, args, change) => {
    const url = new URL(installation.env['DATABASE_URL']!);
    if ('role' in change) url.searchParams.set('options', `-c role=${change.role}`);
    if ('port' in change) url.port = change.port;
    const env = 'unset' in change ? {} : { ...installation.env, DATABASE_URL: url.toString() };
    const { exitCode, stdout, stderr } = await runProcess(args, env);
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    expect(stderr).toMatch(/^zonewright-admin: \S/);
  });

  it('waits for a busy PostgreSQL', async () => {
    const url = new URL(installation.env['DATABASE_URL']!);
    const proxy = new TcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    await proxy.start();
    proxy.delay(1_000);
    url.port = String(proxy.port);
    url.hostname = '127.0.0.1';
    try {
      const env = { ...installation.env, DATABASE_URL: url.toString() };
      expect(await runProcess(['role', 'list'], env)).toMatchObject({ exitCode: 0, stderr: '' });
    } finally {
      await proxy.stop();
    }
  });
});
