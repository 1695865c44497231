import { beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import {
  addNameservers,
  addZone,
  exchangeTcp,
  exchangeUdp,
  FakeClock,
  useTestDatabase,
  waitFor,
} from '@zonewright/testkit';
import { decodeMessage } from '../conformance/support/message.js';
import { buildQuery } from '../conformance/support/query.js';
import { expectEventually } from './support/expect-eventually.js';
import {
  readMetric,
  type RunningNameserver,
  startLoadedNameserver,
} from './support/running-nameserver.js';
import { openUdpClient } from './support/udp-client.js';

const SENT = 50;
/** With 50 equal answers, 10 are within the limit; of the other 40 every second one slips. */
const LIMITS = {
  NAMESERVER_RATE_LIMIT_RESPONSES_PER_SECOND: '10',
  NAMESERVER_RATE_LIMIT_EXEMPT_NETWORKS: '192.0.2.0/24',
};
const FULL = 10;
const SLIPPED = 20;
const DROPPED = 20;
const ANSWERED = 'www.limited.example. A';
const ROTATED = 400;

const database = useTestDatabase();

beforeAll(async () => {
  await addNameservers(database.db);
  await addZone(database.db, 'limited.example.', [
    { name: 'www.limited.example.', type: 'A', data: '192.0.2.1' },
    { name: '*.wild.limited.example.', type: 'A', data: '192.0.2.2' },
    ...Array.from({ length: ROTATED }, (_unused, i) => ({
      name: `t${i}.limited.example.`,
      type: 'TXT',
      data: 'x'.repeat(900),
    })),
  ]);
});

/** Starts a server whose clock is stopped, so that the limit does not depend on the speed of the test. */
const startLimited = (variables: Record<string, string> = {}) =>
  startLoadedNameserver(
    { DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver), ...LIMITS, ...variables },
    { clock: new FakeClock() },
  );

const withCookie = (data: Uint8Array) =>
  buildQuery({ question: ANSWERED, edns: { options: [{ code: 10, data }] } });

async function sendAll(server: RunningNameserver, queries: readonly Uint8Array[]) {
  const client = openUdpClient();
  for (const query of queries) await client.send(server.port, server.host, query);
  return client;
}

describe('response rate limiting', () => {
  it.each([
    ['an answer', ANSWERED, 'NOERROR', 'aa tc'],
    ['NXDOMAIN', 'missing.limited.example. A', 'NXDOMAIN', 'aa tc'],
    ['REFUSED', 'www.elsewhere.invalid. A', 'REFUSED', 'tc'],
  ])(
    'limits %s; every second one over the limit is truncated, with question, rcode and OPT',
    async (_, question, rcode, flags) => {
      const server = await startLimited();
      const query = buildQuery({ question, edns: {} });
      const { answers } = await sendAll(server, Array<Buffer>(SENT).fill(query));
      await waitFor(() => answers.length === FULL + SLIPPED);
      const slipped = answers
        .map(({ octets }) => decodeMessage(octets))
        .filter((answer) => answer.flags.includes('tc'));
      expect(slipped).toHaveLength(SLIPPED);
      expect(slipped[0]).toMatchObject({
        rcode,
        flags,
        questions: [question],
        answers: [],
        authorities: [],
        additionals: [],
      });
      expect(slipped[0]?.opt).toBeDefined();
      expect(await readMetric(server, 'zonewright_nameserver_rate_limit_slips_total')).toBe(
        SLIPPED,
      );
      expect(await readMetric(server, 'zonewright_nameserver_rate_limit_drops_total')).toBe(
        DROPPED,
      );
    },
  );

  it('our choice: slip 0 sends nothing over the limit', async () => {
    const server = await startLimited({ NAMESERVER_RATE_LIMIT_SLIP: '0' });
    const query = buildQuery({ question: ANSWERED });
    const { answers } = await sendAll(server, Array<Buffer>(SENT).fill(query));
    await waitFor(
      async () =>
        (await readMetric(server, 'zonewright_nameserver_rate_limit_drops_total')) === SENT - FULL,
    );
    expect(answers).toHaveLength(FULL);
  });

  it.each([
    ['names missing in one zone', '', 'NXDOMAIN'],
    ['names under one wildcard', 'wild.', 'NOERROR'],
  ])('counts %s as one answer, because a flood could vary them', async (_, parent, rcode) => {
    const server = await startLimited();
    const queries = Array.from({ length: SENT }, (_unused, i) =>
      buildQuery({ question: `n${i}.${parent}limited.example. A` }),
    );
    const { answers } = await sendAll(server, queries);
    await waitFor(() => answers.length === FULL + SLIPPED);
    expect(answers.map(({ octets }) => decodeMessage(octets).rcode)).toEqual(
      Array(FULL + SLIPPED).fill(rcode),
    );
  });

  it('our choice: counts the octets of all answers to a network, because a flood could vary names', async () => {
    const server = await startLimited({ NAMESERVER_RATE_LIMIT_BYTES_PER_SECOND: '20000' });
    const queries = Array.from({ length: ROTATED * 2 }, (_unused, i) =>
      buildQuery({ question: `t${i % ROTATED}.limited.example. TXT`, edns: {} }),
    );
    const { answers } = await sendAll(server, queries);
    await waitFor(async () => {
      const held = await Promise.all(
        ['slips', 'drops'].map((name) =>
          readMetric(server, `zonewright_nameserver_rate_limit_${name}_total`),
        ),
      );
      return answers.length + (held[1] ?? 0) === queries.length;
    });
    const full = answers.filter(({ octets }) => !decodeMessage(octets).flags.includes('tc'));
    const sent = full.reduce((sum, { octets }) => sum + octets.length, 0);
    expect(sent).toBeGreaterThan(19_000);
    expect(sent).toBeLessThan(21_500);
    // A slipped answer is not longer than its question.
    const slipped = answers.filter((answer) => !full.includes(answer));
    expect(slipped.length).toBeGreaterThan(0);
    expect(Math.max(...slipped.map(({ octets }) => octets.length))).toBeLessThan(70);

    const cookie = decodeMessage(await exchangeUdp(server, withCookie(Buffer.alloc(8, 2))));
    const data = cookie.opt?.options.find(({ code }) => code === 10)?.data ?? Buffer.alloc(0);
    const honest = await sendAll(server, Array<Buffer>(SENT).fill(withCookie(data)));
    await expectEventually(() => honest.answers.length === SENT);
  });

  it('counts different answers separately', async () => {
    const server = await startLimited();
    const queries = ['A', 'AAAA', 'MX', 'TXT', 'SRV'].flatMap((type) =>
      Array<Buffer>(FULL).fill(buildQuery({ question: `www.limited.example. ${type}` })),
    );
    const { answers } = await sendAll(server, queries);
    await expectEventually(() => answers.length === queries.length);
  });

  it('RFC 7873 s5.2.5: does not limit clients with a valid cookie, but limits those with a wrong one', async () => {
    const server = await startLimited();
    const first = decodeMessage(await exchangeUdp(server, withCookie(Buffer.alloc(8, 1))));
    const cookie = first.opt?.options.find(({ code }) => code === 10)?.data ?? Buffer.alloc(0);
    const honest = await sendAll(server, Array<Buffer>(SENT).fill(withCookie(cookie)));
    await expectEventually(() => honest.answers.length === SENT);
    expect(await readMetric(server, 'zonewright_nameserver_rate_limit_drops_total')).toBe(0);

    const forged = withCookie(Buffer.concat([cookie.subarray(0, 16), Buffer.alloc(8)]));
    await sendAll(server, Array<Buffer>(SENT).fill(forged));
    await expectEventually(
      async () => (await readMetric(server, 'zonewright_nameserver_rate_limit_drops_total')) > 0,
    );
  });

  it('does not limit TCP', async () => {
    const server = await startLimited();
    const query = buildQuery({ question: ANSWERED });
    for (let i = 0; i < SENT; i++) {
      expect(decodeMessage(await exchangeTcp(server, query)).flags).toBe('aa');
    }
  });

  it('does not limit exempt networks', async () => {
    const server = await startLimited({ NAMESERVER_RATE_LIMIT_EXEMPT_NETWORKS: '127.0.0.0/8' });
    const query = buildQuery({ question: ANSWERED });
    const { answers } = await sendAll(server, Array<Buffer>(SENT).fill(query));
    await expectEventually(() => answers.length === SENT);
  });
});
