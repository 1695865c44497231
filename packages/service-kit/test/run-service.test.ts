import { afterEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, fork, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('programs/service.mjs', import.meta.url));
const IPC: StdioOptions = ['ignore', 'pipe', 'pipe', 'ipc'];

/** A process that runs programs/service.mjs, which uses the files that `npm run build` has compiled. */
class ServiceProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  stdout = '';
  stderr = '';
  messages: unknown[] = [];

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    child.on('message', (message) => this.messages.push(message));
    // The event 'close' cannot be used, because Node does not emit it for a child that this process has disconnected
    // from.
    this.ended = Promise.all([
      once(child, 'exit'),
      once(child.stdout!, 'close'),
      once(child.stderr!, 'close'),
    ]).then(() => ({ code: child.exitCode, signal: child.signalCode }));
  }

  /** Resolves when the process has written `line`. */
  async says(line: string): Promise<void> {
    while (!this.stdout.includes(`${line}\n`)) {
      await Promise.race([
        once(this.child.stdout!, 'data'),
        this.ended.then(() => Promise.reject(new Error(`ended before it said ${line}`))),
      ]);
    }
  }
}

const running: ServiceProcess[] = [];

function run(behaviour: string, options: { ipc?: boolean } = {}): ServiceProcess {
  const env = { PATH: process.env['PATH'] };
  const service = new ServiceProcess(
    options.ipc === true
      ? fork(PROGRAM, [behaviour], { stdio: IPC, env, execArgv: [] })
      : spawn(process.execPath, [PROGRAM, behaviour], { stdio: ['ignore', 'pipe', 'pipe'], env }),
  );
  running.push(service);
  return service;
}

afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
});

describe('runService, before it runs', () => {
  it('ends with 2 and every problem if settings are invalid', async () => {
    const service = run('settings');

    expect(await service.ended).toEqual({ code: 2, signal: null });
    expect(service.stderr).toBe(
      'a-service: DATABASE_URL is not set: Where PostgreSQL is.\n' +
        'a-service: API_PORT must be a whole number from 0 to 9007199254740991, not "hunter"\n',
    );
  });

  it('ends with 1 and the reason when the service cannot be created', async () => {
    const service = run('create-fails');

    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.stderr).toMatch(/^a-service: Error: cannot create\n/);
  });

  it('ends with 1 and the reason when it cannot start, without the credentials of a URL', async () => {
    const service = run('start-fails');

    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.stderr).toMatch(/^a-service: Error: no postgres:\/\/\[redacted\]@h\/d\n/);
  });
});

describe('runService, told to stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('stops on %s and ends with 0', async (signal) => {
    const service = run('well');
    await service.says('starting');
    service.child.kill(signal);

    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(service.stdout).toBe('starting\nstopping\nstopped\n');
    expect(service.stderr).toBe('');
  });

  it('ends with 1 when stopping fails', async () => {
    const service = run('stop-fails');
    await service.says('starting');
    service.child.kill('SIGTERM');

    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.stderr).toMatch(/^a-service: Error: cannot stop\n/);
  });

  it('treats simultaneous signals as one, such as Ctrl-C and that of the launcher', async () => {
    const service = run('well');
    await service.says('starting');
    service.child.kill('SIGINT');
    service.child.kill('SIGTERM');

    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(service.stdout).toContain('stopped');
  });

  it('ends at once on a second signal', async () => {
    const service = run('stop-hangs');
    await service.says('starting');
    service.child.kill('SIGTERM');
    await service.says('stopping');
    // Signals within half a second count as one, so the signal is sent until it counts as a second one.
    const again = setInterval(() => service.child.kill('SIGTERM'), 100);

    try {
      expect(await service.ended).toEqual({ code: 1, signal: null });
      expect(service.stdout).not.toContain('stopped');
    } finally {
      clearInterval(again);
    }
  });

  it('ends 8 s after the signal at the latest, before a container engine kills it', async () => {
    const service = run('stop-hangs');
    await service.says('starting');
    service.child.kill('SIGTERM');

    expect(await service.ended).toEqual({ code: 1, signal: null });
    expect(service.stderr).toBe('a-service: did not stop within 8000 ms, giving up\n');
  });

  it('ends with 0 when the signal interrupts a start', async () => {
    const service = run('start-broken-by-stop');
    await service.says('starting');
    service.child.kill('SIGTERM');

    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(service.stderr).toBe('');
  });
});

describe('runService, started over an IPC channel', () => {
  it('reports to its parent when it is ready, and its addresses', async () => {
    const service = run('well', { ipc: true });
    const [message] = (await once(service.child, 'message')) as unknown[];

    expect(message).toEqual({ type: 'ready', addresses: { http: 'http://127.0.0.1:1' } });
  });

  it('stops when its parent has ended', async () => {
    const service = run('well', { ipc: true });
    await once(service.child, 'message');
    service.child.disconnect();

    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(service.stdout).toContain('stopped');
  });

  it('stops when its parent ended before it was created', async () => {
    const service = run('parent-ends-early', { ipc: true });
    await service.says('creating');
    service.child.disconnect();

    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(service.stdout).toContain('stopped');
    expect(service.stderr).toBe('');
  });

  it('stops when its parent ends during its start, without reporting that it is ready', async () => {
    const service = run('start-broken-by-stop', { ipc: true });
    await service.says('starting');
    service.child.disconnect();

    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(service.messages).toEqual([]);
  });
});
