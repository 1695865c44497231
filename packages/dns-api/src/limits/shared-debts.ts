import { createHash } from 'node:crypto';
import type { Logger } from '@zonewright/service-kit';
import { KEY_TAG, openRedis, reviveRedis } from '@zonewright/service-kit/redis';

/** A command that takes longer is abandoned. The process counts its amount itself, too. */
const COMMAND_TIMEOUT_MS = 500;
const MAX_RECONNECT_DELAY_MS = 1_000;

/** Adds to a debt that shrinks with time, by the clock of Redis; the key expires when the debt is zero. */
const ADD = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local paidAt = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0')) + math.ceil(tonumber(ARGV[1]))
  redis.call('SET', KEYS[1], string.format('%.0f', paidAt), 'PX', string.format('%.0f', math.max(1, paidAt - now)))
  return paidAt - now`;

/** Debts of tenants, in milliseconds, that all replicas add to. */
export class SharedUsage {
  readonly #redis: ReturnType<typeof openRedis>;
  readonly #keyPrefix: string;

  constructor({ url, keyPrefix }: { url: string; keyPrefix: string }, log: Logger) {
    this.#keyPrefix = keyPrefix;
    this.#redis = openRedis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: 1_000,
      retryStrategy: (attempt) => Math.min(50 * attempt, MAX_RECONNECT_DELAY_MS),
    });
    this.#redis.on('error', (error) => {
      log.debug({ err: error }, 'Redis is away: each process counts what tenants write');
    });
  }

  /** Connects in the background and retries. */
  start(): void {
    this.#redis.connect().catch(() => undefined);
  }

  stop(): void {
    this.#redis.disconnect();
  }

  /** @returns the debt after it */
  async add(tenantId: string, ms: number): Promise<number> {
    reviveRedis(this.#redis);
    const tenant = createHash('sha256').update(tenantId).digest('base64url');
    const key = `${this.#keyPrefix}${KEY_TAG}written:${tenant}`;
    return Number(await this.#redis.eval(ADD, 1, key, ms));
  }
}
