import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@zonewright/testkit';
import { runCommand, useInstallation } from './run-command.js';

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const installation = useInstallation();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewright-audit-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const run = (
  words: string[],
  env: Record<string, string> = {},
  stdin = '',
  options?: { readonly isTerminal: boolean },
) => runCommand(words, { ...installation.env, ADMIN_OPERATOR: 'ada', ...env }, stdin, options);

describe('docs/operations/logs-and-traces.md: the operator', () => {
  it('writes one line for a change, with the names of the services and the id of the new object', async () => {
    const { audit, stdout } = await run(['tenant', 'create', 'audited', '--json']);
    const { id } = JSON.parse(stdout) as { id: string };
    expect(audit).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as unknown,
        pid: process.pid,
        name: 'zonewright-admin',
        event: 'tenant create',
        outcome: 'success',
        status: 0,
        requestId: expect.stringMatching(/^admin-[\da-f-]{36}$/) as unknown,
        source: hostname(),
        userId: 'operator',
        account: 'os ada',
        arguments: ['audited'],
        options: { json: true },
        id,
        msg: 'audit',
      },
    ]);
  });

  it('writes a line for a failed change, and for one during which PostgreSQL is unavailable', async () => {
    const failed = await run(['role', 'create', 'admin']);
    expect(failed.audit).toMatchObject([{ event: 'role create', outcome: 'failure', status: 4 }]);
    expect(failed.stderr).toMatch(/^zonewright-admin: \S/);
    const DATABASE_URL = `postgres://a:b@127.0.0.1:${await freePort()}/c`;
    const lost = await run(['quota', 'clear', 'audited'], { DATABASE_URL });
    expect(lost.audit).toMatchObject([{ event: 'quota clear', outcome: 'unknown', status: 5 }]);
  });

  it('writes a line for users, keys, quotas and rotations, without any secret', async () => {
    const results = [
      await run(['user', 'create', 'bob', '--password-stdin'], {}, 'the word of bob'),
      await run(['user', 'create', 'eve', '--generate-password', '--json']),
      await run(['access-key', 'create', '--user', 'bob', '--json']),
      await run(['quota', 'set', 'audited', '--max-domains', '7']),
      await run(['signing-key', 'rotate']),
      await run(['encryption-key', 'reseal']),
    ];
    const lines = results.flatMap(({ audit }) => audit);
    expect(lines.map(({ event, outcome }) => `${String(event)}: ${String(outcome)}`)).toEqual(
      [
        ...['user create', 'user create', 'access-key create', 'quota set'],
        ...['signing-key rotate', 'encryption-key reseal'],
      ].map((event) => `${event}: success`),
    );
    const { password } = JSON.parse(results[1]!.stdout) as { password: string };
    const { id, secretKey } = JSON.parse(results[2]!.stdout) as { id: string; secretKey: string };
    expect(lines[2]).toMatchObject({ id });
    for (const secret of ['the word of bob', password, secretKey]) {
      expect(secret).toEqual(expect.stringMatching(/.{10}/));
      expect(JSON.stringify(lines)).not.toContain(secret);
    }
  });

  it('writes no line for commands that only read or are invalid', async () => {
    for (const words of [['tenant', 'list'], ['doctor'], ['--help'], ['tenant', 'create']]) {
      expect((await run(words)).audit).toEqual([]);
    }
  });

  it('ADMIN_AUDIT_FILE: appends to a file that only its owner can read', async () => {
    const ADMIN_AUDIT_FILE = join(folder, 'audit.log');
    for (const name of ['one', 'two']) {
      expect((await run(['tenant', 'create', name], { ADMIN_AUDIT_FILE })).audit).toEqual([]);
    }
    const lines = readFileSync(ADMIN_AUDIT_FILE, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { arguments: ['one'] },
      { arguments: ['two'] },
    ]);
    expect(statSync(ADMIN_AUDIT_FILE).mode & 0o777).toBe(0o600);
  });

  it("in a terminal, writes to a file of the user and not between the command's output", async () => {
    for (const env of [{ XDG_STATE_HOME: join(folder, 'state') }, { HOME: folder }]) {
      const name = Object.keys(env).join().toLowerCase();
      const result = await run(['tenant', 'create', name], env, '', { isTerminal: true });
      expect(result).toMatchObject({ exitCode: 0, audit: [], stderr: '' });
    }
    for (const path of ['state/zonewright/audit.log', '.local/state/zonewright/audit.log']) {
      expect(readFileSync(join(folder, path), 'utf8')).toMatch(/"event":"tenant create".*\n$/);
      expect(statSync(join(folder, path)).mode & 0o777).toBe(0o600);
    }
  });

  it('in a terminal without a home folder, writes to standard error', async () => {
    for (const env of [{ HOME: '/dev/null' }, { HOME: '' }]) {
      const result = await run(['quota', 'clear', 'one'], env, '', { isTerminal: true });
      expect(result.audit).toMatchObject([{ event: 'quota clear' }]);
    }
  });

  it('changes nothing if the file cannot be written', async () => {
    const blocked = join(folder, 'blocked');
    writeFileSync(blocked, '');
    chmodSync(blocked, 0o400);
    const ADMIN_AUDIT_FILE = join(blocked, 'audit.log');
    const { exitCode, stderr } = await run(['tenant', 'create', 'unseen'], { ADMIN_AUDIT_FILE });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        'zonewright-admin: ADMIN_AUDIT_FILE cannot be written (ENOTDIR), so nothing was changed\n',
    });
    expect((await run(['tenant', 'show', 'unseen'])).exitCode).toBe(3);
  });

  const itOnLinux = process.platform === 'linux' ? it : it.skip;

  itOnLinux(
    'a disk that is full: what was done stays, and the line goes to standard error',
    async () => {
      const made = await run(['tenant', 'create', 'full'], { ADMIN_AUDIT_FILE: '/dev/full' });
      expect(made.exitCode).toBe(0);
      expect(made.stderr).toBe(
        'The audit file /dev/full could not be written (ENOSPC). Its line:\n',
      );
      expect(made.audit).toMatchObject([{ arguments: ['full'], outcome: 'success' }]);
    },
  );

  itOnLinux('output that nobody reads does not end the command before its line is written', () => {
    const ADMIN_AUDIT_FILE = join(folder, 'unread.log');
    const full = openSync('/dev/full', 'w');
    spawnSync(process.execPath, [PROGRAM, 'tenant', 'create', 'unread', '--json'], {
      env: { ...installation.env, ADMIN_AUDIT_FILE },
      stdio: ['ignore', full, full],
    });
    closeSync(full);
    expect(JSON.parse(readFileSync(ADMIN_AUDIT_FILE, 'utf8'))).toMatchObject({
      arguments: ['unread'],
      options: { json: true },
    });
  });
});
