import { afterAll, describe, expect } from '@jest/globals';
import {
  sendQuery,
  faultSeed,
  PrivateNetwork,
  programsFolder,
  seededRandom,
  waitFor,
} from '@zonewright/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { authenticate, call } from './support/clients.js';
import { itWithAll } from './support/foreign-programs.js';
import { NameserverWatch } from './support/nameserver-watch.js';
import { operate, readOperatorEnvironment } from './support/operate.js';
import { clusterFaults, describeRounds, type Round } from './support/cluster-faults.js';
import { PatroniCluster, SOUND_PATRONI } from './support/patroni-cluster.js';
import { RunningPlatform } from './support/running-platform.js';
import { SecondNameserver } from './support/second-nameserver.js';

/** Number of rounds. `npm run test:faults` uses 180, which is 20 of each. */
const ROUNDS = Number(process.env['ZONEWRIGHT_FAILOVERS'] ?? 1);
const CLIENTS = 4;
const WRITE_PAUSE_MS = 50;
/** Maximum time between two faults. The moment is random. */
const WORK_MS = 1_000;
/** Time limit of a failover, or of a rejoin, on a busy machine. */
const WITHIN_MS = 90_000;
/** Number of rounds after which progress is printed: one of each. */
const PROGRESS_ROUNDS = 9;
const ZONE = 'failed-over.example.';

const itWithPatroni = itWithAll(
  ['patroni', 'etcd'],
  [`test -x ${programsFolder() || '/nonexistent'}/pg_rewind`, SOUND_PATRONI],
);

describe('A cluster of PostgreSQL under Patroni, with synchronous replication', () => {
  let network: PrivateNetwork | undefined;
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
    await network?.stop();
  }, WITHIN_MS);

  itWithPatroni(
    `${ROUNDS} faults: nothing acknowledged is lost or doubled, no serial goes back, nameservers answer throughout`,
    async () => {
      const random = seededRandom(faultSeed());
      network = await startNetwork();
      const faults = clusterFaults(network !== undefined);
      const running = (cluster = await PatroniCluster.start(network));
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
        const answers = nameservers.map((server) => sendQuery(server, name.slice(0, -1), 'A'));
        return (await Promise.all(answers)).every(({ answers: found }) => found.length === 1);
      };

      const acknowledged: string[] = [];
      let lastBegun = 0;
      /** A 503 is repeated with the same key. */
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
        const answers = nameservers.map((server) => sendQuery(server, ZONE.slice(0, -1), 'SOA'));
        return (await Promise.all(answers)).every(({ answers: found }) => found.length === 1);
      });
      const watches = nameservers.map((address) => new NameserverWatch(address, ZONE));
      const writers = Array.from({ length: CLIENTS }, writeOn);
      for (const writer of writers) writer.catch(() => undefined);
      background.push(...writers);

      const rounds: Record<string, Round[]> = {};
      const befall = async (title: string) => {
        const { befall: fault, movesPrimary } = faults.get(title)!;
        const before = await running.primary();
        const since = performance.now();
        await fault(running, async () => {
          await waitFor(
            async () => !movesPrimary || (await running.primary()) !== before,
            WITHIN_MS,
          );
          await waitFor(() => running.takesWrites(), WITHIN_MS);
          const failedOver = performance.now();
          await waitFor(() => lastBegun > since, WITHIN_MS);
          const written = performance.now();
          const last = acknowledged.at(-1)!;
          await waitFor(() => isAnswered(last), WITHIN_MS);
          (rounds[title] ??= []).push({
            failoverMs: failedOver - since,
            refusedMs: written - since,
            outOfStepMs: performance.now() - written,
          });
        });
        await running.settle();
      };
      const left: string[] = [];
      for (let round = 1; round <= ROUNDS; round++) {
        if (left.length === 0) left.push(...faults.keys());
        const [fault = ''] = left.splice(Math.floor(random() * left.length), 1);
        await delay(random() * WORK_MS);
        await befall(fault);
        if (round % PROGRESS_ROUNDS === 0)
          process.stdout.write(`${round} of ${ROUNDS}\n${describeRounds(rounds)}\n`);
      }
      isOver = true;
      await Promise.all(writers);
      for (const watch of watches) await watch.stop();
      process.stdout.write(
        `${describeRounds(rounds)}\n${acknowledged.length} acknowledged writes, ${running.rewinds} rewinds\n`,
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

/** Starts a host for each member and one for etcd, if this user may create them. */
async function startNetwork(): Promise<PrivateNetwork | undefined> {
  if (PrivateNetwork.isPossible()) return await PrivateNetwork.start(4);
  process.stderr.write('SKIPPED (no network namespaces): a cluster that is divided\n');
  return undefined;
}

/** Whether a connection was closed. The outcome of the request is unknown, so it is repeated. */
function orCut(error: unknown): boolean {
  if (error instanceof TypeError) return false;
  throw error;
}

async function namesOf(records: string, token: string): Promise<string[]> {
  const { body } = await call(records, { token });
  return (body as { records: { name: string }[] }).records.map(({ name }) => name);
}
