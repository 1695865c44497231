// Measures Authenticate by password: the share of hashing in the CPU time, and a user who logs in as often as the limit
// allows.
import { summarize } from '../lib/rounds.mjs';
import { logIn } from '../lib/tenant.mjs';
import { HIGH_LIMITS } from './platform.mjs';
import { milliseconds, percent, range, whole } from './report.mjs';

const LOGINS_PER_ROUND = 80;
/** Number of concurrent logins, so that the core is never idle. */
const LANES = 8;
const LIMIT = 50;
/** Attempts per second. They exceed the limit. */
const ATTEMPTS_PER_SECOND = 80;
const SECONDS_AT_LIMIT = 5;

export async function measurePasswords(platform, { rounds }) {
  return [await measureHashing(platform, rounds), await measureRepeated(platform)];
}

/**
 * Measures hashing: new users log in twice. The second time, the password is cached and everything else is the same, so
 * the difference in CPU time is the hash.
 */
async function measureHashing(platform, rounds) {
  const names = await copyUsers(platform, (rounds + 1) * LOGINS_PER_ROUND);
  const { password } = platform.user;
  const service = await platform.startService(HIGH_LIMITS);
  const logInAll = async (usernames) => {
    const before = await service.cpuSeconds();
    const waiting = [...usernames];
    const lane = async () => {
      for (let username; (username = waiting.pop()) !== undefined;) {
        await logIn(service.url, { passwordCredentials: { username, password } });
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return (((await service.cpuSeconds()) - before) / LOGINS_PER_ROUND) * 1_000;
  };
  const results = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const usernames = names.splice(0, LOGINS_PER_ROUND);
      const first = await logInAll(usernames);
      const again = await logInAll(usernames);
      if (round > 0) results.push({ first, again, share: (first - again) / first });
    }
  } finally {
    await service.stop();
  }
  const over = (name, format) => range(summarize(results.map((each) => each[name])), format);
  return {
    titles: [
      'Authenticate by password',
      'CPU',
      'again, without hashing',
      'share of the hash',
      'goal',
    ],
    rows: [
      [
        `${LANES} at a time`,
        over('first', milliseconds),
        over('again', milliseconds),
        over('share', percent),
        '>= 85%',
      ],
    ],
  };
}

/** Measures a single user with the limits of production. */
async function measureRepeated(platform) {
  const service = await platform.startService({});
  const { user } = platform;
  const body = JSON.stringify({
    auth: { passwordCredentials: { username: user.name, password: user.password } },
  });
  const times = [];
  const counts = {};
  const one = async () => {
    const started = performance.now();
    const response = await fetch(`${service.url}/v2.0/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await response.arrayBuffer();
    times.push(performance.now() - started);
    counts[response.status] = (counts[response.status] ?? 0) + 1;
  };
  try {
    await one();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    times.length = 0;
    counts[200] = 0;
    const pending = [];
    const started = performance.now();
    for (let number = 0; number < ATTEMPTS_PER_SECOND * SECONDS_AT_LIMIT; number += 1) {
      const due = started + (number * 1_000) / ATTEMPTS_PER_SECOND;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
      pending.push(one());
    }
    await Promise.all(pending);
  } finally {
    await service.stop();
  }
  const sorted = times.sort((a, b) => a - b);
  return {
    titles: ['Repeated logins of one user', 'let in a second', 'limited a second', 'p99', 'goal'],
    rows: [
      [
        `${ATTEMPTS_PER_SECOND} attempts a second, limit ${LIMIT}`,
        whole((counts[200] ?? 0) / SECONDS_AT_LIMIT),
        whole((counts[429] ?? 0) / SECONDS_AT_LIMIT),
        milliseconds(sorted[Math.floor(sorted.length * 0.99)]),
        `${LIMIT} let in`,
      ],
    ],
  };
}

/** Creates users with one password, which the service has not cached. */
async function copyUsers({ db, user }, count) {
  const { rows } = await db.raw(
    `insert into identity.users (id, account_domain_id, name, password_hash)
     select md5(number::text), users.account_domain_id, 'bench-' || number, users.password_hash
     from identity.users as users, generate_series(1, ?::int) as number where users.id = ?
     returning name`,
    [count, user.id],
  );
  return rows.map(({ name }) => name);
}
