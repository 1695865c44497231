import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from '@jest/globals';
import { freePort } from '@zonewright/service-kit';
import { Redis } from 'ioredis';
import { endWithThisProcess } from './end-with-this-process.js';
import { readTestEnvironment } from './environment.js';
import type { PrivateHost } from './private-network.js';
import { waitFor } from './wait-for.js';

/** Separate redis-server for a test, which can be stopped, emptied and restarted. */
export class PrivateRedis {
  readonly #port: number;
  readonly #folder: string;
  readonly #options: readonly string[];
  readonly #host: PrivateHost | undefined;
  #process: ChildProcess | undefined;

  private constructor(
    port: number,
    folder: string,
    options: readonly string[],
    host: PrivateHost | undefined,
  ) {
    this.#port = port;
    this.#folder = folder;
    this.#options = options;
    this.#host = host;
  }

  /** Starts a server on a free port without persistence. @param options more arguments of redis-server */
  static async start(...options: string[]): Promise<PrivateRedis> {
    return await PrivateRedis.startAt(undefined, ...options);
  }

  /** Starts a server on a host of a network, with the same options. */
  static async startAt(host: PrivateHost | undefined, ...options: string[]): Promise<PrivateRedis> {
    const folder = await mkdtemp(join(tmpdir(), 'zonewright-redis-'));
    const server = new PrivateRedis(await freePort(), folder, options, host);
    await server.resume();
    return server;
  }

  /** Starts a sentinel that watches the master as `main`. Another sentinel must agree that it is down. */
  static async startSentinel(master: PrivateRedis, host?: PrivateHost): Promise<PrivateRedis> {
    const folder = await mkdtemp(join(tmpdir(), 'zonewright-sentinel-'));
    const file = join(folder, 'sentinel.conf');
    const lines = [
      `sentinel monitor main ${master.address.replace(':', ' ')} 2`,
      'sentinel down-after-milliseconds main 1000',
      'sentinel failover-timeout main 5000',
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    const sentinel = new PrivateRedis(await freePort(), folder, [file, '--sentinel'], host);
    await sentinel.resume();
    return sentinel;
  }

  /** Starts a replica of this server. */
  async startReplica(host?: PrivateHost): Promise<PrivateRedis> {
    return await PrivateRedis.startAt(host, '--replicaof', ...this.address.split(':'));
  }

  /** Address as host:port. */
  get address(): string {
    return `${this.#ip}:${this.#port}`;
  }

  get url(): string {
    return `redis://${this.address}`;
  }

  /** Suspends the server with open connections, until SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process?.kill(signal);
  }

  /** Kills the server as a crash would, which loses its data. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (running?.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill('SIGKILL');
    await exited;
  }

  /** Starts it again on the same port, empty. */
  async resume(): Promise<void> {
    const isSentinel = this.#options.includes('--sentinel');
    const args = [
      // A sentinel writes into its configuration file, which must be the first argument.
      ...(isSentinel ? this.#options : []),
      '--port',
      String(this.#port),
      '--bind',
      this.#ip,
      '--protected-mode',
      'no',
      '--dir',
      this.#folder,
      ...(isSentinel ? [] : ['--save', '', ...this.#options]),
    ];
    const [command, ...rest] = this.#host?.inside('redis-server', args) ?? [
      'redis-server',
      ...args,
    ];
    this.#process = spawn(command, rest, { stdio: 'ignore' });
    endWithThisProcess(this.#process, 'TERM');
    await waitFor(() => this.#answers());
  }

  /** Stops the server permanently. */
  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #ip(): string {
    return this.#host?.address ?? '127.0.0.1';
  }

  async #answers(): Promise<boolean> {
    const redis = new Redis(this.url, {
      lazyConnect: true,
      retryStrategy: () => null,
      // After a refused attempt, its timer would keep the process alive for 2 s.
      disconnectTimeout: 1,
    });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      await redis.ping();
      return true;
    } finally {
      redis.disconnect();
    }
  }
}

/** Part of the test run's Redis server that nobody else uses. */
export interface RedisNamespace {
  readonly url: string;
  /** Value of REDIS_KEY_PREFIX, with which keys and channels begin. */
  readonly prefix: string;
  /** Removes the keys of this namespace. */
  clear(): Promise<void>;
}

/** Creates a namespace. It must be called in describeWithRedis. */
export function createRedisNamespace(): RedisNamespace {
  const { redisUrl } = readTestEnvironment();
  if (redisUrl === undefined) throw new Error('There is no Redis server in this test run.');
  const prefix = `test-${randomBytes(6).toString('hex')}:`;
  return { url: redisUrl, prefix, clear: () => removeKeys(redisUrl, prefix) };
}

/** Suite that needs Redis. Without it, the suite is skipped and a line is printed, but with CI=true it fails. */
export function describeWithRedis(title: string, suite: () => void): void {
  if (process.env['ZONEWRIGHT_TEST_REDIS_URL'] !== undefined || process.env['CI'] === 'true') {
    describe(title, suite);
    return;
  }
  process.stderr.write(`SKIPPED (no redis-server on PATH): ${title}\n`);
  // The suite itself does not run, since its set-up may need the server, too.
  describe(title, () => {
    it.skip('needs a redis-server', () => undefined);
  });
}

async function removeKeys(url: string, prefix: string): Promise<void> {
  const redis = new Redis(url);
  try {
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1000 })) {
      if ((keys as string[]).length > 0) await redis.unlink(keys as string[]);
    }
  } finally {
    redis.disconnect();
  }
}
