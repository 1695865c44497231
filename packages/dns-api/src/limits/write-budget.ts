import { createHash } from 'node:crypto';
import type { Database } from '@zonewright/database';
import { type Clock, type Logger, ServiceError } from '@zonewright/service-kit';
import { KEY_TAG, openRedis, reviveRedis } from '@zonewright/service-kit/redis';
import { getQuota } from '@zonewright/zones';

interface WriteBudgetOptions {
  readonly db: Database;
  /** The usage across all replicas; undefined if each process counts alone. */
  readonly shared: SharedUsage | undefined;
  /** Default limit of a tenant in bytes per minute. */
  readonly octetsPerMinute: number;
  readonly clock: Clock;
  readonly log: Logger;
}

const MINUTE_MS = 60_000;
/** The burst: the unused limit of ten minutes may be written at once, which is enough for a large import. */
const BURST_MS = 10 * MINUTE_MS;
/** The delay until an operator's change of a limit takes effect. */
const LIMIT_KNOWN_MS = 30_000;
/** The limit of known tenants, above which those without usage are removed. */
const MAX_TENANTS = 10_000;

interface Account {
  /** Time in which the allowed rate covers the written bytes, as of `countedAt`. */
  debtMs: number;
  countedAt: number;
  limit: number;
  limitUntil: number;
}

/**
 * Limits how much each tenant makes the database write. Written bytes are added to the tenant's usage, which decreases
 * over time. While the usage exceeds the burst, the tenant's changes are refused. Redis adds up the usage across
 * replicas. Its values are cached here, so that the check before a change needs no query. Without Redis each process
 * counts separately.
 */
export class WriteBudget {
  readonly #options: WriteBudgetOptions;
  readonly #accounts = new Map<string, Account>();

  constructor(options: WriteBudgetOptions) {
    this.#options = options;
  }

  /** @throws ServiceError `rate-limited` if the tenant has written too much */
  check(tenantId: string): void {
    const account = this.#accounts.get(tenantId);
    if (account === undefined) return;
    const waitMs = this.#payOff(account) - BURST_MS;
    if (waitMs <= 0) return;
    throw new ServiceError(
      'rate-limited',
      `The changes of this project have exceeded its limit of ${account.limit} bytes per minute; try again later.`,
      { details: { retryAfterSeconds: Math.ceil(waitMs / 1_000) } },
    );
  }

  /** Counts the bytes that a change made the database write, regardless of its outcome. */
  async spend(tenantId: string, octets: number): Promise<void> {
    if (octets === 0) return;
    const { shared, log } = this.#options;
    const account = await this.#openAccount(tenantId);
    const costMs = (octets / account.limit) * MINUTE_MS;
    account.debtMs = this.#payOff(account) + costMs;
    if (shared === undefined) return;
    try {
      const debtMs = await shared.add(tenantId, costMs);
      account.debtMs = Math.max(this.#payOff(account), debtMs);
    } catch (error) {
      log.debug({ err: error }, 'the write limits of tenants apply to each process separately');
    }
  }

  async #openAccount(tenantId: string): Promise<Account> {
    const { clock, octetsPerMinute } = this.#options;
    this.#forgetPaid();
    const now = clock.now();
    const known = this.#accounts.get(tenantId);
    const account = known ?? { debtMs: 0, countedAt: now, limit: octetsPerMinute, limitUntil: 0 };
    this.#accounts.set(tenantId, account);
    if (account.limitUntil <= now || account.limitUntil > now + LIMIT_KNOWN_MS) {
      account.limitUntil = now + LIMIT_KNOWN_MS;
      account.limit = await this.#findLimit(tenantId, account.limit);
    }
    return account;
  }

  async #findLimit(tenantId: string, lastKnown: number): Promise<number> {
    const { db, octetsPerMinute, log } = this.#options;
    try {
      return (await getQuota(db, tenantId)).maxWriteOctets ?? octetsPerMinute;
    } catch (error) {
      log.debug({ err: error }, 'the write limit of a tenant cannot be read');
      return lastKnown;
    }
  }

  /** Reduces the usage by the elapsed time and returns it. The usage stays the same if the clock was set back. */
  #payOff(account: Account): number {
    const now = this.#options.clock.now();
    account.debtMs = Math.max(0, account.debtMs - Math.max(0, now - account.countedAt));
    account.countedAt = now;
    return account.debtMs;
  }

  #forgetPaid(): void {
    if (this.#accounts.size < MAX_TENANTS) return;
    for (const [tenantId, account] of this.#accounts) {
      if (this.#payOff(account) === 0) this.#accounts.delete(tenantId);
    }
  }
}

/** The time limit of a Redis command. If it fails, the process still has its own count. */
const COMMAND_TIMEOUT_MS = 500;
const MAX_RECONNECT_DELAY_MS = 1_000;

/**
 * Adds to the usage, which decreases with time by the clock of Redis; the key expires when the usage is zero. A usage
 * that would exceed the second argument is returned, but not stored.
 */
const ADD = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local paidAt = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0')) + math.ceil(tonumber(ARGV[1]))
  if ARGV[2] and paidAt - now > tonumber(ARGV[2]) then return paidAt - now end
  redis.call('SET', KEYS[1], string.format('%.0f', paidAt), 'PX', string.format('%.0f', math.max(1, paidAt - now)))
  return paidAt - now`;

/** Usages in milliseconds, shared by all replicas. */
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
      log.debug(
        { err: error },
        'Redis is not available: each process applies write limits separately',
      );
    });
  }

  /** Connects in the background and retries. */
  start(): void {
    this.#redis.connect().catch(() => undefined);
  }

  stop(): void {
    this.#redis.disconnect();
  }

  /** @returns the usage of a tenant after the addition */
  async add(tenantId: string, ms: number): Promise<number> {
    return await this.#add(`written:${hash(tenantId)}`, ms);
  }

  /** Adds to a usage. Returns false, and adds nothing, if it would exceed the limit. */
  async addUpTo(name: string, ms: number, mostMs: number): Promise<boolean> {
    return (await this.#add(`limit:${hash(name)}`, ms, mostMs)) <= mostMs;
  }

  async #add(name: string, ...amounts: readonly number[]): Promise<number> {
    reviveRedis(this.#redis);
    const key = `${this.#keyPrefix}${KEY_TAG}${name}`;
    return Number(await this.#redis.eval(ADD, 1, key, ...amounts));
  }
}

function hash(name: string): string {
  return createHash('sha256').update(name).digest('base64url');
}
