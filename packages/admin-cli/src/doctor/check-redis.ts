import { KEY_TAG, openRedis } from '@zonewright/service-kit/redis';
import { judgeClock, offsetFrom } from './check-host.js';
import type { Check } from './finding.js';
import { error, type Finding, ok, warning } from './finding.js';

const AREA = 'redis';
const TIMEOUT_MS = 2_000;
/** Minimum version for RESP and the scripts of the services. */
const LEAST_MAJOR_VERSION = 6;
const FULL_SHARE = 0.9;

/** Checks that Redis can be reached and evicts no keys. */
export const checkRedis: Check = async ({ settings, clock }) => {
  const { redisUrl, redisKeyPrefix } = settings.doctor;
  if (redisUrl === undefined) {
    return [ok(AREA, 'REDIS_URL is not set: Redis is not checked.')];
  }
  const redis = openRedis(redisUrl, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    disconnectTimeout: 1,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason = '';
  redis.on('error', (failure: Error) => (reason = failure.message));
  try {
    await redis.connect();
    const info = await redis.info();
    const sentinel = await redis.get(`${redisKeyPrefix}${KEY_TAG}complete`);
    const offset = await offsetFrom(async () => {
      const [seconds, microseconds] = await redis.time();
      return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
    }, clock.now.bind(clock));
    return [...judgeServer(info), judgeSentinel(info, sentinel), judgeClock('Redis', offset)];
  } catch (failure) {
    const message = reason === '' ? (failure as Error).message : reason;
    const isRefused = /^(NOAUTH|WRONGPASS|NOPERM)/.test(message);
    return [
      error(
        AREA,
        `Redis ${isRefused ? 'rejects the login in REDIS_URL' : 'does not respond'} (${message}): limits apply to each process separately, and each token needs a query to PostgreSQL.`,
        isRefused
          ? 'Set its password in REDIS_URL, here and in the services.'
          : 'Start Redis, or correct REDIS_URL; services reconnect automatically.',
      ),
    ];
  } finally {
    redis.disconnect();
  }
};

function judgeServer(info: string): Finding[] {
  const value = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1] ?? '';
  const version = value('redis_version');
  const findings = [ok(AREA, `Redis ${version} responds.`)];
  if (Number.parseInt(version, 10) < LEAST_MAJOR_VERSION) {
    findings.push(error(AREA, `Redis ${version} is too old.`, 'Upgrade to Redis 6 or newer.'));
  }
  if (value('maxmemory') !== '0' && value('maxmemory_policy') !== 'noeviction') {
    findings.push(
      warning(
        AREA,
        `Redis may evict keys (maxmemory-policy ${value('maxmemory_policy')}), so services do not rely on its token states.`,
        'Set maxmemory-policy noeviction, and restart identity-service.',
      ),
    );
  }
  return [...findings, ...judgeWrites(value)];
}

/**
 * Finds reasons why Redis refuses writes. In that case each process counts limits alone, and revocations are read from
 * PostgreSQL.
 */
function judgeWrites(value: (name: string) => string): Finding[] {
  const findings: Finding[] = [];
  if (value('role') === 'slave') {
    findings.push(
      error(
        AREA,
        'REDIS_URL points to a replica, which does not accept writes.',
        'Point it to the primary.',
      ),
    );
  }
  if (value('rdb_last_bgsave_status') === 'err') {
    findings.push(
      warning(
        AREA,
        'Redis could not write its last snapshot and may refuse writes until it can.',
        'Free space on its disk, or disable its snapshots (save ""): lost data is restored from PostgreSQL.',
      ),
    );
  }
  const [used, most] = [Number(value('used_memory')), Number(value('maxmemory'))];
  if (most > 0 && used > most * FULL_SHARE) {
    findings.push(
      warning(
        AREA,
        `Redis uses ${Math.round((used / most) * 100)}% of its maxmemory; above it refuses writes, or evicts.`,
        'Increase maxmemory, or remove the keys of other programs: this Redis must not be shared.',
      ),
    );
  }
  return findings;
}

function judgeSentinel(info: string, sentinel: string | null): Finding {
  const runId = /^run_id:(\w+)/m.exec(info)?.[1];
  if (sentinel !== null && sentinel === runId) {
    return ok(AREA, 'Redis has the state of all tokens.');
  }
  // Every Redis starts in this state, which is harmless: until it changes, PostgreSQL is queried.
  return ok(
    AREA,
    'Redis does not have the state of tokens yet: identity-service loads it when it checks the next token.',
  );
}
