import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendQuery, FAULT_ROUNDS, faultSeed, seededRandom, waitFor } from '@zonewright/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { authenticate, call, insist } from './support/clients.js';
import { operate, readOperatorEnvironment } from './support/operate.js';
import { NameserverWatch } from './support/nameserver-watch.js';
import {
  hasRedisServer,
  PLATFORM_PARTS,
  type PlatformPart,
  RunningPlatform,
} from './support/running-platform.js';
import { SecondNameserver } from './support/second-nameserver.js';

const CLIENTS = 4;
/** Maximum time between two kills. The moment is random. */
const WORK_MS = 2_000;
const WRITE_PAUSE_MS = 50;
const LOGIN_PAUSE_MS = 500;
/** Time limit for a restart on a busy machine. A killed part is restarted after three seconds. */
const BACK_WITHIN_MS = 60_000;
const PROGRESS_ROUNDS = 10;
/** CI must have all programs, or the run fails. */
const PARTS = PLATFORM_PARTS.filter(
  (part) => part !== 'redis-server' || hasRedisServer || process.env['CI'] === 'true',
);
if (PARTS.length < PLATFORM_PARTS.length)
  process.stderr.write('SKIPPED (no redis-server on PATH): kill -9 of Redis\n');

interface ListedRecord {
  readonly name: string;
}

describe('kill -9 under load', () => {
  let platform: RunningPlatform;
  let second: SecondNameserver;
  let facts: Record<string, string>;
  let domain: string;
  let domainName: string;
  let token: string;

  /** Set at the end of a failed run, so that background work does not fail tests of another file. */
  let isOver = false;
  const background: Promise<unknown>[] = [];
  afterAll(async () => {
    isOver = true;
    await Promise.allSettled(background);
  }, 120_000);

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    facts = await platform.readDemoEnvironment();
    operate(platform, 'quota', 'set', 'demo', '--max-records', '100000');
    second = await SecondNameserver.start(readOperatorEnvironment(platform)['DATABASE_URL'] ?? '');
    token = await authenticate(facts);
    domainName = 'killed.example.';
    const created = await insist(`${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains`, {
      method: 'POST',
      token,
      body: { name: domainName, email: 'hostmaster@killed.example' },
    });
    domain = `${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains/${(created.body as { id: string }).id}`;
    for (const nameserver of [second.address, platform.nameserver]) {
      await waitFor(
        async () =>
          (await sendQuery(nameserver, domainName.slice(0, -1), 'SOA')).answers.length === 1,
      );
    }
  }, 120_000);
  afterAll(async () => {
    await second.stop();
    await platform.remove();
  });

  /** Writes records until it is stopped. An unanswered or rejected request is repeated with the same key. */
  async function writeRecords(isOver: () => boolean): Promise<string[]> {
    const acknowledged: string[] = [];
    while (!isOver()) {
      const name = `r${randomUUID()}.${domainName}`;
      const key = randomUUID();
      await waitFor(() => create(name, key), BACK_WITHIN_MS);
      acknowledged.push(name);
      await delay(WRITE_PAUSE_MS);
    }
    return acknowledged;
  }

  async function create(name: string, key: string): Promise<boolean> {
    const { status } = await call(`${domain}/records`, {
      method: 'POST',
      token,
      body: { name, type: 'A', data: '192.0.2.1' },
      headers: { 'idempotency-key': key },
    });
    // Any status other than 503 would reject a valid request.
    if (status !== 200 && status !== 503) throw new Error(`the answer was ${status}`);
    return status === 200;
  }

  /** Logs in, uses the token and revokes it, repeatedly. An acknowledged revocation must persist. */
  async function revokeTokens(isOver: () => boolean, revoked: string[]): Promise<void> {
    while (!isOver()) {
      const mine = await waitFor(() => authenticate(facts), BACK_WITHIN_MS);
      await call(domain, { token: mine }).catch(() => undefined);
      await waitFor(async () => {
        const url = `${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/tokens/${mine}`;
        const { status } = await call(url, { method: 'DELETE', token: mine });
        // 401 means that an attempt without a response was performed.
        return status === 204 || status === 401;
      }, BACK_WITHIN_MS);
      revoked.push(mine);
      await delay(LOGIN_PAUSE_MS);
    }
  }

  /** Expects that each running service rejects the token. One that is down does not answer. */
  async function expectRevoked(dead: string): Promise<void> {
    const tenants = `${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/tenants`;
    for (const url of [domain, tenants]) {
      const answer = await call(url, { token: dead }).catch(() => undefined);
      expect([401, 429, 503, undefined]).toContain(answer?.status);
    }
  }

  /** Whether both APIs respond. */
  async function isWell(): Promise<boolean> {
    const tenants = `${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/tenants`;
    const answers = await Promise.all([domain, tenants].map((url) => call(url, { token })));
    return answers.every(({ status }) => status === 200);
  }

  async function kill(
    part: PlatformPart,
    revoked: readonly string[],
    random: () => number,
  ): Promise<void> {
    // The process may still be down from another round.
    await waitFor(() => {
      platform.kill(part);
      return true;
    }, BACK_WITHIN_MS);
    const dead = revoked[Math.floor(random() * revoked.length)];
    if (dead !== undefined) await expectRevoked(dead);
  }

  /** @returns the duration in milliseconds */
  async function recover(): Promise<number> {
    const since = performance.now();
    await waitFor(isWell, BACK_WITHIN_MS).catch((error: unknown) => {
      throw new Error(`The platform said:\n${platform.output}`, { cause: error });
    });
    return performance.now() - since;
  }

  it(
    `${FAULT_ROUNDS} rounds: acknowledged changes exist once, no serial decreases, and no revoked token is accepted`,
    async () => {
      const random = seededRandom(faultSeed());
      const revoked: string[] = [];
      const writers = Array.from({ length: CLIENTS }, () => writeRecords(() => isOver));
      const revoker = revokeTokens(() => isOver, revoked);
      background.push(...writers, revoker);
      for (const work of background) work.catch(() => undefined);
      // The second nameserver is never killed. The platform's own answers whenever it is running.
      const watches = [second.address, platform.nameserver].map(
        (address) => new NameserverWatch(address, domainName),
      );
      const kills = Object.fromEntries(PARTS.map((part) => [part, 0]));
      const outages: number[] = [];
      const alive: PlatformPart[] = [];
      for (let round = 1; round <= FAULT_ROUNDS; round++) {
        await delay(random() * WORK_MS);
        // Each is killed once, in random order, before one is killed again.
        if (alive.length === 0) alive.push(...PARTS);
        const [part] = alive.splice(Math.floor(random() * alive.length), 1) as [PlatformPart];
        await kill(part, revoked, random);
        kills[part]! += 1;
        // Otherwise the next part is killed while this one is down.
        if (random() < 0.5) outages.push(await recover());
        if (round % PROGRESS_ROUNDS === 0) {
          process.stdout.write(
            `${round} of ${FAULT_ROUNDS} kills, ${revoked.length} revocations\n`,
          );
        }
      }
      isOver = true;
      const acknowledged = (await Promise.all(writers)).flat();
      await revoker;
      await recover();

      const { body } = await insist(`${domain}/records`, { token });
      const names = (body as { records: ListedRecord[] }).records.map(({ name }) => name);
      expect(names.toSorted()).toEqual(acknowledged.toSorted());
      for (const dead of revoked) {
        await expectRevoked(dead);
        expect((await insist(domain, { token: dead })).status).toBe(401);
      }
      for (const nameserver of [second.address, platform.nameserver]) {
        for (const name of acknowledged) {
          await waitFor(async () => {
            const { answers } = await sendQuery(nameserver, name.slice(0, -1), 'A');
            return answers.length === 1;
          }, BACK_WITHIN_MS);
        }
      }
      for (const watch of watches) await watch.stop();
      const [other, own] = watches as [NameserverWatch, NameserverWatch];
      process.stdout.write(
        `${FAULT_ROUNDS} kills (${JSON.stringify(kills)}): ${acknowledged.length} acknowledged writes, ` +
          `${revoked.length} revocations; the APIs were back after ${Math.round(Math.max(...outages))} ms at most; ` +
          `silences of the nameserver that is killed: ${own.silences}, of the other: ${other.silences} ` +
          `in ${other.serials.length} questions\n`,
      );
      expect(other.silences).toBe(0);
      expect(own.silences).toBeLessThanOrEqual(kills['nameserver']!);
      expect(watches.map(({ isRising }) => isRising)).toEqual([true, true]);
      expect(acknowledged.length).toBeGreaterThan(FAULT_ROUNDS);
    },
    FAULT_ROUNDS * 30_000 + 120_000,
  );
});
