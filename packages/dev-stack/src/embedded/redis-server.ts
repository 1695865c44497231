import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { BackgroundProgram } from './background-program.js';
import { stopLeftover } from './leftover.js';
import type { Watchdog } from './watchdog-client.js';

interface EmbeddedRedisOptions {
  readonly folder: string;
  readonly logFile: string;
  /** Port on loopback. */
  readonly port: number;
  readonly password: string;
  readonly onUnexpectedExit: () => void;
  readonly watchdog: Watchdog;
}

const START_TIMEOUT_MS = 10_000;
const POLL_MS = 20;

export function hasRedisServer(): boolean {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Redis server of the launcher, on a loopback port, with a password and without persistence. */
export class EmbeddedRedis {
  readonly #program: BackgroundProgram;

  private constructor(program: BackgroundProgram) {
    this.#program = program;
  }

  static async start(options: EmbeddedRedisOptions): Promise<EmbeddedRedis> {
    const { port, password, folder } = options;
    const pidFile = join(folder, 'redis.pid');
    await stopLeftover(pidFile, { program: 'redis-server', folder });
    const program = BackgroundProgram.start({
      command: 'redis-server',
      args: ['-'],
      cwd: folder,
      logFile: options.logFile,
      stopSignal: 'SIGTERM',
      // Settings are passed on standard input, so that the list of processes does not show the password.
      input: `port ${port}\nbind 127.0.0.1\nrequirepass ${password}\nsave ""\nappendonly no\ndir "${folder}"\npidfile "${pidFile}"\n`,
      watchdog: options.watchdog,
      onUnexpectedExit: options.onUnexpectedExit,
    });
    await waitUntilReady(port, program);
    return new EmbeddedRedis(program);
  }

  async stop(): Promise<void> {
    await this.#program.stop();
  }
}

/** Returns the URL of the server. */
export function embeddedRedisUrl(port: number, password: string): string {
  return `redis://:${password}@127.0.0.1:${port}`;
}

async function waitUntilReady(port: number, program: BackgroundProgram): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  while (!(await accepts(port))) {
    if (!program.isRunning || Date.now() > end) {
      await program.stop();
      throw new Error(`redis-server did not start:\n${program.lastLines()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function accepts(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
