import { afterAll, describe, expect } from '@jest/globals';
import { ask, faultSeed, programsFolder, seededRandom, waitFor } from '@zonewright/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { authenticate, call } from './support/clients.js';
import { itWithAll } from './support/foreign-programs.js';
import { NameserverWatch } from './support/nameserver-watch.js';
import { operate, readOperatorEnvironment } from './support/operate.js';
import { MEMBERS, PatroniCluster } from './support/patroni-cluster.js';
import { RunningPlatform } from './support/running-platform.js';
import { SecondNameserver } from './support/second-nameserver.js';

/** `npm run test:faults` asks for 120, which is 20 of each. */
const ROUNDS = Number(process.env['ZONEWRIGHT_FAILOVERS'] ?? 1);
const CLIENTS = 4;
const WRITE_PAUSE_MS = 50;
/** How long it goes well between two faults at most; the moment itself is random. */
const WORK_MS = 1_000;
/** Of a failover, or of the way back into the cluster, on a busy machine. */
const WITHIN_MS = 90_000;
const PROGRESS_ROUNDS = 10;
const ZONE = 'failed-over.example.';

interface Round {
  /** Until the cluster took writes again. */
  readonly failoverMs: number;
  /** After that, until a write that began after the fault was acknowledged. */
  readonly refusedMs: number;
  /** After that, until both nameservers answered with it. */
  readonly outOfStepMs: number;
}

const itWithPatroni = itWithAll(
  ['patroni', 'etcd'],
  [`test -x ${programsFolder() || '/nonexistent'}/pg_rewind`],
);

describe('A cluster of PostgreSQL under Patroni, with synchronous replication', () => {
  let cluster: PatroniCluster | undefined;
  let platform: RunningPlatform | undefined;
  let second: SecondNameserver | undefined;
  let isOver = false;
  const background: Promise<unknown>[] = [];

  afterAll(async () => {
    isOver = true;
    await Promise.allSettled(background);
    await second?.stop();
    await platform?.remove();
    await cluster?.stop();
  }, WITHIN_MS);

  /** What can befall it; each leaves the cluster to become whole again by itself. */
  const FAULTS: Readonly<
    Record<string, (cluster: PatroniCluster, isBack: () => Promise<void>) => Promise<void>>
  > = {
    'primary killed': async (running, isBack) => {
      const primary = await running.primary();
      running.signal(primary, 'SIGKILL');
      await isBack();
      await running.resume(primary);
    },
    'primary hangs, and goes on as if nothing had been': async (running, isBack) => {
      const primary = await running.primary();
      running.signal(primary, 'SIGSTOP');
      await isBack();
      running.signal(primary, 'SIGCONT');
    },
    'primary killed while a standby lags': async (running, isBack) => {
      const [primary, standby] = [await running.primary(), await running.standby()];
      const third = MEMBERS.find((name) => ![primary, standby].includes(name))!;
      running.signal(third, 'SIGSTOP');
      await delay(WORK_MS);
      running.signal(primary, 'SIGKILL');
      running.signal(third, 'SIGCONT');
      await isBack();
      await running.resume(primary);
    },
    'standby killed': async (running, isBack) => {
      const standby = await running.standby();
      running.signal(standby, 'SIGKILL');
      await isBack();
      await running.resume(standby);
    },
    'both standbys killed': async (running, isBack) => {
      const primary = await running.primary();
      const standbys = MEMBERS.filter((name) => name !== primary);
      for (const name of standbys) running.signal(name, 'SIGKILL');
      await waitFor(async () => !(await running.takesWrites()), WITHIN_MS);
      await delay(WORK_MS);
      for (const name of standbys) await running.resume(name);
      await isBack();
    },
    switchover: async (running, isBack) => {
      await running.switchOver();
      await isBack();
    },
  };

  itWithPatroni(
    `${ROUNDS} faults: nothing acknowledged is lost or doubled, no serial goes back, nameservers answer throughout`,
    async () => {
      const random = seededRandom(faultSeed());
      const running = (cluster = await PatroniCluster.start());
      const here = (platform = await RunningPlatform.prepareEmpty());
      await here.start({ DATABASE_URL: running.url });
      const facts = await here.readDemoEnvironment();
      operate(here, 'quota', 'set', 'demo', '--max-records', '100000');
      const other = (second = await SecondNameserver.start(
        readOperatorEnvironment(here)['DATABASE_URL'] ?? '',
      ));
      const nameservers = [here.nameserver, other.address];
      const token = await authenticate(facts);
      const domains = `${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains`;
      const created = await call(domains, {
        method: 'POST',
        token,
        body: { name: ZONE, email: 'hostmaster@failed-over.example' },
      });
      const records = `${domains}/${(created.body as { id: string }).id}/records`;
      const isAnswered = async (name: string) => {
        const answers = nameservers.map((server) => ask(server, name.slice(0, -1), 'A'));
        return (await Promise.all(answers)).every(({ answers: found }) => found.length === 1);
      };

      const acknowledged: string[] = [];
      let lastBegun = 0;
      /** Not now: asked again with the same key. */
      const create = async (name: string, key: string) => {
        const { status } = await call(records, {
          method: 'POST',
          token,
          body: { name, type: 'A', data: '192.0.2.1' },
          headers: { 'idempotency-key': key },
        });
        if (status !== 200 && status !== 503) throw new Error(`the answer was ${status}`);
        return status === 200;
      };
      const write = async () => {
        const [name, key, begun] = [`r${randomUUID()}.${ZONE}`, randomUUID(), performance.now()];
        await waitFor(() => create(name, key).catch(orCut), WITHIN_MS);
        acknowledged.push(name);
        lastBegun = Math.max(lastBegun, begun);
      };
      const writeOn = async () => {
        while (!isOver) {
          await write();
          await delay(WRITE_PAUSE_MS);
        }
      };
      await waitFor(async () => {
        const answers = nameservers.map((server) => ask(server, ZONE.slice(0, -1), 'SOA'));
        return (await Promise.all(answers)).every(({ answers: found }) => found.length === 1);
      });
      const watches = nameservers.map((address) => new NameserverWatch(address, ZONE));
      const writers = Array.from({ length: CLIENTS }, writeOn);
      for (const writer of writers) writer.catch(() => undefined);
      background.push(...writers);

      const rounds: Record<string, Round[]> = {};
      const befall = async (fault: string) => {
        const before = await running.primary();
        const since = performance.now();
        await FAULTS[fault]!(running, async () => {
          const isMoved = !/standbys? killed/.test(fault);
          await waitFor(async () => !isMoved || (await running.primary()) !== before, WITHIN_MS);
          await waitFor(() => running.takesWrites(), WITHIN_MS);
          const failedOver = performance.now();
          await waitFor(() => lastBegun > since, WITHIN_MS);
          const written = performance.now();
          const last = acknowledged.at(-1)!;
          await waitFor(() => isAnswered(last), WITHIN_MS);
          (rounds[fault] ??= []).push({
            failoverMs: failedOver - since,
            refusedMs: written - failedOver,
            outOfStepMs: performance.now() - written,
          });
        });
        if (await running.settle()) process.stdout.write(`after ${fault}: Patroni restarted\n`);
      };
      const left: string[] = [];
      for (let round = 1; round <= ROUNDS; round++) {
        if (left.length === 0) left.push(...Object.keys(FAULTS));
        const [fault = ''] = left.splice(Math.floor(random() * left.length), 1);
        await delay(random() * WORK_MS);
        await befall(fault);
        if (round % PROGRESS_ROUNDS === 0) process.stdout.write(`${round} of ${ROUNDS}\n`);
      }
      isOver = true;
      await Promise.all(writers);
      for (const watch of watches) await watch.stop();
      process.stdout.write(
        `${describeRounds(rounds)}\n${acknowledged.length} acknowledged writes\n`,
      );

      expect((await namesOf(records, token)).toSorted()).toEqual(acknowledged.toSorted());
      for (const name of acknowledged) await waitFor(() => isAnswered(name), WITHIN_MS);
      expect(watches.map(({ silences, isRising }) => ({ silences, isRising }))).toEqual([
        { silences: 0, isRising: true },
        { silences: 0, isRising: true },
      ]);
      expect(acknowledged.length).toBeGreaterThan(ROUNDS);
    },
    ROUNDS * 60_000 + 300_000,
  );
});

/** A connection that was cut says nothing of what became of the request: it is asked again. */
function orCut(error: unknown): boolean {
  if (error instanceof TypeError) return false;
  throw error;
}

async function namesOf(records: string, token: string): Promise<string[]> {
  const { body } = await call(records, { token });
  return (body as { records: { name: string }[] }).records.map(({ name }) => name);
}

function describeRounds(rounds: Readonly<Record<string, readonly Round[]>>): string {
  return Object.entries(rounds)
    .map(([fault, each]) => `${fault}: ${describeFault(each)}`)
    .join('\n');
}

function describeFault(rounds: readonly Round[]): string {
  const most = (read: (round: Round) => number) =>
    `${(Math.max(...rounds.map(read)) / 1000).toFixed(1)} s`;
  return (
    `${rounds.length} times, failed over after ${most(({ failoverMs }) => failoverMs)} at most, ` +
    `written again ${most(({ refusedMs }) => refusedMs)} later, answered ${most(({ outOfStepMs }) => outOfStepMs)} after that`
  );
}
