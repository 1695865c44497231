import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendQuery, type NameserverAddress, waitFor } from '@zonewright/testkit';
import { execFile, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { authenticate, call } from './support/clients.js';
import { hasRedisServer, LAUNCHER, PROJECT, RunningPlatform } from './support/running-platform.js';

/** Time limit of a stop: twice the promise of the README. After five seconds, a forced end has another exit code. */
const STOP_WITHIN_MS = 10_000;

const hasCurl = spawnSync('bash', ['-c', 'curl --version'], { stdio: 'ignore' }).status === 0;
if (!hasCurl) process.stderr.write('SKIPPED (no bash and curl on PATH): the pasted commands\n');
const itOnLinux = process.platform === 'linux' ? it : it.skip;
const itWithCurl = hasCurl ? it : it.skip;

describe('npm start', () => {
  let platform: RunningPlatform;

  // All tests share one folder, since creating a database takes most of the start time. Each test starts with a running
  // platform, whatever state the previous one left.
  beforeAll(async () => {
    platform = await RunningPlatform.prepareEmpty();
  });
  afterAll(async () => {
    await platform.remove();
  });

  itWithCurl(
    'prints commands that work as they are pasted',
    async () => {
      await platform.ensureStarted();
      const script = pastedCommands(platform.output);
      const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: PROJECT });
      expect(stdout).toContain('"192.0.2.1"');
      await waitFor(
        async () =>
          (await sendQuery(platform.nameserver, 'www.my-first.example', 'A')).answers.length === 1,
      );
      expect(statSync(join(platform.dataFolder, 'demo.env')).mode & 0o777).toBe(0o600);
    },
    120_000,
  );

  it('a second start with the same folder is refused while the first one runs', async () => {
    await platform.ensureStarted();
    const second = spawnSync(process.execPath, ['scripts/start.mjs'], {
      cwd: PROJECT,
      encoding: 'utf8',
      env: {
        ...process.env,
        ZONEWRIGHT_DATA_DIR: platform.dataFolder,
        ZONEWRIGHT_IDENTITY_PORT: '0',
        ZONEWRIGHT_DNS_PORT: '0',
        ZONEWRIGHT_NAMESERVER_PORT: '0',
      },
    });
    expect(second.status).toBe(1);
    expect(second.stderr).toContain('already running');
    expect((await sendQuery(platform.nameserver, 'nothing.invalid', 'A')).rcode).toBe('REFUSED');
  }, 120_000);

  it('when PostgreSQL is killed, the nameserver answers, the APIs return 503, and all recover automatically', async () => {
    await platform.ensureStarted();
    const facts = await platform.readDemoEnvironment();
    const domains = `${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains`;
    const token = await authenticate(facts);
    const made = await call(domains, {
      method: 'POST',
      token,
      body: { name: 'outage.example.', ttl: 60, email: 'a@outage.example' },
    });
    expect(made.status).toBe(200);
    const soa = async () =>
      (await sendQuery(platform.nameserver, 'outage.example', 'SOA')).answers.length;
    await waitFor(async () => (await soa()) === 1);

    platform.kill('postgres');
    const dns = await waitFor(async () => {
      const answer = await call(domains, { token });
      return answer.status === 503 && answer;
    });
    expect(dns.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(dns.body).toMatchObject({ code: 503, type: 'unavailable' });
    const identity = await call(`${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/tenants`, {
      token,
    });
    expect(identity.status).toBe(503);
    expect(identity.body).toMatchObject({ serviceUnavailable: { code: 503 } });
    expect(await soa()).toBe(1);

    await waitFor(async () => (await call(domains, { token })).status === 200);
    const after = await call(domains, {
      method: 'POST',
      token,
      body: { name: 'afterwards.example.', ttl: 60, email: 'a@outage.example' },
    });
    expect(after.status).toBe(200);
    await waitFor(
      async () =>
        (await sendQuery(platform.nameserver, 'afterwards.example', 'SOA')).answers.length === 1,
    );
  }, 150_000);

  it('Ctrl-C stops everything in time and leaves no process, and the data stays', async () => {
    await platform.ensureStarted();
    const first = await platform.readDemoEnvironment();
    const before = Date.now();
    expect(await platform.signal('SIGINT')).toBe(0);
    expect(Date.now() - before).toBeLessThan(STOP_WITHIN_MS);
    await waitFor(() => platform.processes.length === 0);

    await platform.start();
    expect(await platform.readDemoEnvironment()).toEqual(first);
    expect(await authenticate(first)).not.toBe('');
  }, 180_000);

  it('SIGKILL of the launcher leaves nothing running, and the next start recovers', async () => {
    await platform.ensureStarted();
    await platform.signal('SIGKILL');
    await waitFor(() => platform.processes.length === 0);
    await platform.start();
    expect(await authenticate(await platform.readDemoEnvironment())).not.toBe('');
  }, 180_000);

  itOnLinux(
    'SIGKILL of the launcher and of its watchdog: the next start ends what was left, and recovers',
    async () => {
      await platform.ensureStarted();
      const databases = ['postgres', ...(hasRedisServer ? ['redis-server' as const] : [])] as const;
      const pids = databases.map((part) => platform.pidOf(part));
      process.kill(platform.watchdog, 'SIGKILL');
      await platform.signal('SIGKILL');
      await waitFor(() => platform.processes.length > 0);
      expect(pids.filter(isRunning)).toEqual(pids);
      await platform.start();
      // The processes have ended; their new parent may take a moment to notice.
      await waitFor(() => !pids.some(isRunning));
      expect(await authenticate(await platform.readDemoEnvironment())).not.toBe('');
    },
    180_000,
  );

  itOnLinux(
    'output that cannot be written is no reason to end: a full device',
    async () => {
      await platform.signal('SIGINT');
      const script = 'exec "$0" "$@" >/dev/full 2>&1';
      const launcher = platform.launch({}, ['sh', '-c', script, ...LAUNCHER]);
      await waitFor(async () => await isReachable(platform.nameserver), 90_000);
      const facts = await waitFor(() => platform.readDemoEnvironment());
      expect(await authenticate(facts)).not.toBe('');
      expect(launcher.exitCode).toBeNull();
    },
    150_000,
  );

  it('the launcher continues when its output is no longer read', async () => {
    await platform.ensureStarted();
    platform.stopReading();
    platform.kill('nameserver');
    // The launcher cannot print that the nameserver has ended.
    await waitFor(async () => await isReachable(platform.nameserver), 60_000);
    expect(await authenticate(await platform.readDemoEnvironment())).not.toBe('');
  }, 150_000);

  it('settings of the environment reach the services, and an unknown name gives a warning', async () => {
    await platform.signal('SIGINT');
    await platform.start({ RATE_LIMITS: 'false', MX_TARGET_CHEK: 'off', IDENTITY_PORT: '1' });
    expect(platform.output).toContain('are passed to the services: RATE_LIMITS.');
    expect(platform.output).toContain('MX_TARGET_CHEK is not used; did you mean MX_TARGET_CHECK?');
    expect(platform.output).toContain('IDENTITY_PORT is ignored by npm start');
    const facts = await platform.readDemoEnvironment();
    // With the default limits, 429 would come long before the last login.
    for (let login = 0; login < 40; login += 1) expect(await authenticate(facts)).not.toBe('');
    await platform.signal('SIGINT');
  }, 150_000);

  itOnLinux('too few open files: a sentence that says what is needed', () => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -n 64; exec "$0" "$@"', ...LAUNCHER],
      {
        cwd: PROJECT,
        encoding: 'utf8',
        env: { ...process.env, ZONEWRIGHT_DATA_DIR: platform.dataFolder },
      },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^A program may open 64 files here, and Zonewright needs 256/m);
  });

  it('SIGKILL of npm, which cannot notify the launcher, also ends everything', async () => {
    await platform.signal('SIGINT');
    await platform.start({}, ['npm', 'start']);
    await platform.signal('SIGKILL');
    await waitFor(() => platform.processes.length === 0);
    await expect(
      sendQuery(platform.nameserver, 'gone.invalid', 'A', { timeoutMs: 200 }),
    ).rejects.toThrow();
  }, 120_000);

  it('for a busy port the error names the variable, and nothing is started', async () => {
    await platform.signal('SIGINT');
    const other = createServer().listen(platform.ports.dns, '127.0.0.1');
    try {
      const launcher = platform.launch();
      await waitFor(() => launcher.exitCode !== null, 60_000);
      expect(launcher.exitCode).toBe(1);
      expect(platform.output).toContain(`Port ${platform.ports.dns}, for the DNS API, is in use`);
      expect(platform.output).toContain('ZONEWRIGHT_DNS_PORT=');
    } finally {
      other.close();
    }
  }, 90_000);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function isReachable(nameserver: NameserverAddress): Promise<boolean> {
  return (await sendQuery(nameserver, 'nothing.invalid', 'A')).rcode === 'REFUSED';
}

/** Returns the commands of the banner without dig, which a machine may not have. */
function pastedCommands(output: string): string {
  const [, commands = ''] = output.split('Paste this into another terminal, in this folder:');
  return commands
    .split('\n')
    .filter((line) => line.startsWith('  ') && !line.trim().startsWith('dig '))
    .join('\n');
}
