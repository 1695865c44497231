// Creates tokens that were revoked long before the measurement: rows, which the service then copies to Redis.
const SENTINEL = 'zonewright:{token-state}:complete';
const DEADLINE_MS = 10 * 60_000;

/** Writes the rows of revoked tokens, and makes the service refill Redis. */
export async function revokeManyTokens({ db, redis, user }, count) {
  await db.transaction(async (trx) => {
    // They were announced when they were revoked.
    await trx.raw('alter table identity.token_state disable trigger announce_token_state');
    await trx.raw(
      `insert into identity.token_state (token_jti, user_id, revoked_at, expires_at, changed_at)
       select substr(translate(encode(sha256(number::text::bytea), 'base64'), '+/=', '-__'), 1, 16), ?, now(),
         now() + interval '12 hours', now()
       from generate_series(1, ?::int) as number`,
      [user.id, count],
    );
    await trx.raw('alter table identity.token_state enable trigger announce_token_state');
  });
  await redis.del(SENTINEL);
}

/** Waits for the refill, which the first validation of a token starts. */
export async function waitUntilRedisIsFilled({ redis }, { url, token }, count) {
  const deadline = Date.now() + DEADLINE_MS;
  await fetch(`${url}/v2.0/tokens/${token}`, { headers: { 'X-Auth-Token': token } });
  while ((await redis.get(SENTINEL)) === null || (await redis.dbsize()) < count) {
    if (Date.now() > deadline) throw new Error('Redis was not filled');
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
