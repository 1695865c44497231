import { afterAll, describe, expect, it } from '@jest/globals';
import {
  sendQuery,
  faultSeed,
  type PrivateHost,
  PrivateNetwork,
  seededRandom,
  waitFor,
} from '@zonewright/testkit';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describeRounds, type Round } from './support/cluster-faults.js';
import { itWithAll } from './support/foreign-programs.js';
import { SOUND_PATRONI } from './support/patroni-cluster.js';
import { ThreeHosts } from './support/three-hosts.js';

/** Number of hosts to kill. Without it, the test is skipped. */
const KILLS = Number(process.env['ZONEWRIGHT_HOST_KILLS'] ?? 0);
/**
 * Time limit for a cluster to be created, fail over or become complete, with everything else on the same processors.
 */
const WITHIN_MS = 120_000;
const IDENTITY_PORT = 35_357;
const DNS_PORT = 9_001;
/** Time limit of a client for a host that does not answer. */
const PATIENCE_MS = 3_000;
const CLIENTS = 3;
const PAUSE_MS = 50;
const ZONE = 'three.example.';
const USER = 'first';
/** Overlays and namespaces need root, and a kernel that allows them. */
const IS_POSSIBLE = PrivateNetwork.isPossible() ? 'true' : 'false';

if (KILLS === 0) process.stderr.write('SKIPPED (without ZONEWRIGHT_HOST_KILLS): three hosts\n');
const itOnThreeHosts =
  KILLS === 0
    ? it.skip
    : itWithAll(
        ['patroni', 'etcd', 'redis-server', 'redis-sentinel', 'psql', 'setpriv', 'openssl'],
        ['test -x /usr/lib/postgresql/15/bin/pg_rewind', IS_POSSIBLE, SOUND_PATRONI],
      );

describe('docs/operations/high-availability.md', () => {
  let three: ThreeHosts | undefined;
  const progress = { isOver: false };
  const background: Promise<unknown>[] = [];

  afterAll(async () => {
    progress.isOver = true;
    await Promise.allSettled(background);
    await three?.stop();
  }, WITHIN_MS);

  itOnThreeHosts(
    `its commands make an installation that goes on without any one host: ${KILLS} killed`,
    async () => {
      const random = seededRandom(faultSeed());
      const running = (three = await ThreeHosts.start());
      const explain = async (error: unknown) => {
        throw new Error(await running.readLogs(), { cause: error });
      };
      const { hosts } = running;
      await running.prepare();
      await waitFor(() => running.isWhole(), WITHIN_MS).catch(explain);
      await running.install();
      await addUser(running);

      const token = await logIn(hosts);
      const created = await request(hosts, DNS_PORT, '/v1/domains', {
        method: 'POST',
        token,
        body: { name: ZONE, email: 'hostmaster@three.example' },
      });
      const records = `/v1/domains/${(created as { id: string }).id}/records`;
      const isAnswered = async (name: string, asked: readonly PrivateHost[]) => {
        const answers = await Promise.all(
          asked.map((host) => sendQuery(running.nameserverOf(host), name.slice(0, -1), 'A')),
        );
        return answers.every(({ answers: found }) => found.length === 1);
      };
      for (const host of hosts) {
        await waitFor(async () => {
          const { answers } = await sendQuery(running.nameserverOf(host), ZONE.slice(0, -1), 'SOA');
          return answers.length === 1;
        }, WITHIN_MS);
      }
      const acknowledged: string[] = [];
      let lastBegun = 0;
      const writeOn = async () => {
        while (!progress.isOver) {
          const [name, begun] = [`r${randomUUID()}.${ZONE}`, performance.now()];
          await request(hosts, DNS_PORT, records, {
            method: 'POST',
            token,
            body: { name, type: 'A', data: '192.0.2.1' },
          });
          acknowledged.push(name);
          lastBegun = Math.max(lastBegun, begun);
          await delay(PAUSE_MS);
        }
      };
      background.push(...Array.from({ length: CLIENTS }, writeOn));
      for (const writer of background) writer.catch(() => undefined);
      const questions = watch(running, progress);
      background.push(questions);

      const rounds: Record<string, Round[]> = {};
      for (let round = 0; round < KILLS; round += 1) {
        await waitFor(() => running.isWhole(), WITHIN_MS).catch(explain);
        // The first one is the primary, which causes the longest outage.
        const primary = (await findPrimary(running, hosts))!;
        const host = round === 0 ? primary : hosts[Math.floor(random() * 3)]!;
        const others = hosts.filter((other) => other !== host);
        const revoked = await logIn(hosts);
        const since = performance.now();
        running.kill(host);

        const takesWrites = async () =>
          (await Promise.all(others.map((other) => running.takesWrites(other)))).includes(true);
        await waitFor(takesWrites, WITHIN_MS).catch(explain);
        const failedOver = performance.now();
        await waitFor(() => lastBegun > since, WITHIN_MS).catch(explain);
        const written = performance.now();
        const last = acknowledged.at(-1)!;
        await waitFor(() => isAnswered(last, others), WITHIN_MS);
        const title = host === primary ? 'host with the primary killed' : 'other host killed';
        (rounds[title] ??= []).push({
          failoverMs: failedOver - since,
          refusedMs: written - since,
          outOfStepMs: performance.now() - written,
        });
        await logIn(others);
        await expectRevocation(others, revoked);

        await running.boot(host);
        await waitFor(() => isAnswered(acknowledged.at(-1)!, hosts), WITHIN_MS);
        expect(await statusAt(host, token)).toBe(200);
        process.stdout.write(`${round + 1} of ${KILLS}\n${describeRounds(rounds)}\n`);
      }
      progress.isOver = true;
      await Promise.all(background);
      process.stdout.write(`${acknowledged.length} acknowledged writes\n`);

      const listed = await request(hosts, DNS_PORT, records, { token });
      const names = (listed as { records: { name: string }[] }).records.map(({ name }) => name);
      expect(names.toSorted()).toEqual(acknowledged.toSorted());
      expect(await questions).toEqual({ unanswered: 0 });
    },
    KILLS * 180_000 + 420_000,
  );
});

async function findPrimary(
  three: ThreeHosts,
  asked: readonly PrivateHost[],
): Promise<PrivateHost | undefined> {
  const arePrimary = await Promise.all(asked.map((host) => three.isPrimary(host)));
  return asked.find((_, at) => arePrimary[at]);
}

async function addUser(three: ThreeHosts): Promise<void> {
  await three.operate(`tenant create ${USER}`);
  await three.operate(`user create ${USER} --password-stdin --allow-weak-password <<< ${USER}`);
  await three.operate(`role grant member ${USER} --tenant ${USER}`);
  await three.operate(`role grant dns-admin ${USER} --tenant ${USER}`);
  await three.operate(`service activate DNS ${USER}`);
  await three.operate(`quota set ${USER} --max-records 100000`);
}

interface Request {
  readonly method?: string;
  readonly token?: string;
  readonly body?: object;
}

/**
 * Sends a request to the hosts one after the other until one performs it. A request that may have been performed keeps
 * its key.
 */
async function request(
  hosts: readonly PrivateHost[],
  port: number,
  path: string,
  { method = 'GET', token, body }: Request,
): Promise<unknown> {
  const headers = {
    accept: 'application/json',
    'idempotency-key': randomUUID(),
    ...(token === undefined ? {} : { 'x-auth-token': token }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  let at = Math.floor(Math.random() * hosts.length);
  return await waitFor(async () => {
    const { address } = hosts[(at += 1) % hosts.length]!;
    const answer = await fetch(`http://${address}:${port}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok && answer.status !== 503)
      throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.ok && { of: answer.status === 204 ? undefined : await answer.json() };
  }, WITHIN_MS).then(({ of }) => of);
}

async function logIn(hosts: readonly PrivateHost[]): Promise<string> {
  const passwordCredentials = { username: USER, password: USER };
  const body = { auth: { passwordCredentials, tenantName: USER } };
  const answer = await request(hosts, IDENTITY_PORT, '/v2.0/tokens', { method: 'POST', body });
  return (answer as { access: { token: { id: string } } }).access.token.id;
}

/** Returns the status of dns-api on a host for a token. */
async function statusAt({ address }: PrivateHost, token: string): Promise<number> {
  const { status } = await fetch(`http://${address}:${DNS_PORT}/v1/domains`, {
    headers: { 'x-auth-token': token },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  return status;
}

async function expectRevocation(hosts: readonly PrivateHost[], token: string): Promise<void> {
  await request(hosts, IDENTITY_PORT, `/v2.0/tokens/${token}`, { method: 'DELETE', token });
  for (const host of hosts)
    await waitFor(async () => (await statusAt(host, token).catch(() => 0)) === 401, WITHIN_MS);
}

/** Queries as a resolver does, which continues with the next nameserver, and counts unanswered queries. */
async function watch(
  three: ThreeHosts,
  progress: { readonly isOver: boolean },
): Promise<{ unanswered: number }> {
  let unanswered = 0;
  while (!progress.isOver) {
    const answers = three.hosts.map(async (host) => {
      const name = ZONE.slice(0, -1);
      const { rcode } = await sendQuery(three.nameserverOf(host), name, 'SOA', {
        timeoutMs: 2_000,
      });
      // A nameserver that has just started has no zones yet, and reports it.
      if (rcode !== 'NOERROR') throw new Error(rcode);
      return true;
    });
    const isAnswered = await Promise.any(answers).catch(() => false);
    if (!isAnswered) unanswered += 1;
    await delay(PAUSE_MS);
  }
  return { unanswered };
}
