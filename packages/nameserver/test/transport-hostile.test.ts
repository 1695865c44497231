import { beforeAll, describe, expect, it } from '@jest/globals';
import { DATABASE_ROLES } from '@zonewright/database';
import { addNameservers, addZone, useTestDatabase, waitFor } from '@zonewright/testkit';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decodeMessage } from '../conformance/support/message.js';
import { buildQuery } from '../conformance/support/query.js';
import { expectsAnswer } from './support/assert-answer.js';
import { HostileUdpClient, makeBatch, sendHostileOverTcp } from './support/hostile-client.js';
import { Dice } from './support/hostile-messages.js';
import {
  readMetric,
  type RunningNameserver,
  startLoadedNameserver,
} from './support/running-nameserver.js';

/**
 * The numbers of batches of messages, with a normal query after each hundred; `npm run test:faults` uses 50,000 and
 * 10,000.
 */
const UDP_BATCHES = Number(process.env['HOSTILE_BATCHES'] ?? 150);
const TCP_BATCHES = UDP_BATCHES / 5;
const BATCH = 100;
const SEED = 20_261_122;
const HONEST_ID = 0xbeef;
const MAX_GROWTH_OCTETS = 96 * 1024 * 1024;
/** Memory is measured after this number of batches: before that, code is compiled and buffers grow to their size. */
const WARM_UP_BATCHES = 50;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the used memory after garbage collection. */
function memoryInUse(): number {
  collectGarbage();
  return process.memoryUsage().rss;
}

const HONEST = buildQuery({ question: 'www.corp.test. A', id: HONEST_ID });
const HONEST_ANSWER = ['www.corp.test. 600 IN A 192.0.2.80'];
const database = useTestDatabase();

beforeAll(async () => {
  await addNameservers(database.db);
  await addZone(database.db, 'corp.test.', [
    { name: 'www.corp.test.', type: 'A', data: '192.0.2.80', ttl: 600 },
    { name: 'alias2.corp.test.', type: 'CNAME', data: 'www.corp.test.' },
    { name: '*.wild.corp.test.', type: 'TXT', data: 'synthesized' },
    { name: 'delegated.corp.test.', type: 'NS', data: 'ns.delegated.corp.test.' },
    { name: 'ns.delegated.corp.test.', type: 'A', data: '192.0.2.53' },
  ]);
});

const startLoaded = (udpTransport: string) =>
  startLoadedNameserver({
    DATABASE_URL: database.urlAs(DATABASE_ROLES.nameserver),
    NAMESERVER_UDP_TRANSPORT: udpTransport,
  });
/** Other systems have no batches; there the second transport is node:dgram as well. */
const UDP_TRANSPORTS = ['dgram', 'auto'];

/** Checks the server's own counters: no error occurred, and the right messages were ignored. */
async function expectUnharmed(
  server: RunningNameserver,
  transport: string,
  ignored: number,
): Promise<void> {
  const drops = `zonewright_nameserver_queries_total{transport="${transport}",outcome="drop"}`;
  expect(await readMetric(server, drops)).toBe(ignored);
  expect(await readMetric(server, 'zonewright_nameserver_faults_total')).toBe(0);
  expect(server.logLines.filter(({ level }) => level === 'error')).toEqual([]);
}

const countIgnored = (messages: readonly Buffer[]) =>
  messages.filter((message) => !expectsAnswer(message)).length;

describe.each(UDP_TRANSPORTS)('hostile messages over sockets, with UDP transport %s', (udp) => {
  it(`${UDP_BATCHES * BATCH} over UDP: queries get one answer each, others none, and honest clients theirs`, async () => {
    const server = await startLoaded(udp);
    const client = await HostileUdpClient.connect(server);
    const dice = new Dice(SEED);
    let ignored = 0;
    let memoryBefore = Infinity;
    const grown = () => memoryInUse() - memoryBefore;
    for (let batch = 0; batch < UDP_BATCHES; batch++) {
      if (batch === WARM_UP_BATCHES) memoryBefore = memoryInUse();
      const messages = makeBatch(dice, BATCH);
      ignored += countIgnored(messages);
      const answer = await client.send(messages, HONEST);
      expect(decodeMessage(answer).answers).toEqual(HONEST_ANSWER);
    }
    client.close();
    await waitFor(() => grown() < MAX_GROWTH_OCTETS);
    await expectUnharmed(server, 'udp', ignored);
  }, 120_000);

  it(`${TCP_BATCHES * BATCH} over TCP, a hundred on each connection`, async () => {
    const server = await startLoaded(udp);
    const dice = new Dice(SEED);
    let ignored = 0;
    for (let batch = 0; batch < TCP_BATCHES; batch++) {
      const messages = makeBatch(dice, BATCH);
      ignored += countIgnored(messages);
      const answer = await sendHostileOverTcp(server, messages, HONEST);
      expect(decodeMessage(answer).answers).toEqual(HONEST_ANSWER);
    }
    await expectUnharmed(server, 'tcp', ignored);
  }, 120_000);
});
