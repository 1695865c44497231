import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, waitFor } from '@zonewright/testkit';
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { authenticate, call } from './support/clients.js';
import { RunningPlatform } from './support/running-platform.js';

const CLIENTS = 4;
const ROUNDS = 4;
/** How long the platform works between two kills; the moment itself is random. */
const WORK_MS = 1_500;
/** Keeps all that is written within the default quota of 500 records. */
const PAUSE_MS = 100;

interface ListedRecord {
  readonly name: string;
  readonly data: string;
}

describe('kill -9 under load', () => {
  let platform: RunningPlatform;
  let domain: string;
  let domainName: string;
  let token: string;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    const facts = await platform.readDemoEnvironment();
    token = await authenticate(facts);
    domainName = 'killed.example.';
    const created = await call(`${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains`, {
      method: 'POST',
      token,
      body: { name: domainName, email: 'hostmaster@killed.example' },
    });
    domain = `${facts['ZONEWRIGHT_DNS_URL'] ?? ''}/v1/domains/${(created.body as { id: string }).id}`;
  }, 120_000);
  afterAll(async () => {
    await platform.remove();
  });

  /** Writes records until told to stop; an unanswered or refused one is sent again with the same key. */
  async function writeRecords(isOver: () => boolean): Promise<string[]> {
    const acknowledged: string[] = [];
    while (!isOver()) {
      const name = `r${randomUUID()}.${domainName}`;
      const key = randomUUID();
      await waitFor(() => create(name, key), 60_000);
      acknowledged.push(name);
      await delay(PAUSE_MS);
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
    // Anything else than "not now" would be a refusal of a sound request.
    if (status !== 200 && status !== 503) throw new Error(`the answer was ${status}`);
    return status === 200;
  }

  it('every acknowledged write is there, once, and on the nameserver; no serial goes back', async () => {
    let isOver = false;
    const writers = Array.from({ length: CLIENTS }, () => writeRecords(() => isOver));
    const serials: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await delay(randomInt(WORK_MS));
      serials.push(await soaSerial());
      platform.kill(round % 2 === 0 ? 'postgres' : 'dns-api');
      // The nameserver answers from memory, whatever else is down.
      expect(await soaSerial()).toBeGreaterThanOrEqual(serials.at(-1) ?? 0);
      await waitFor(async () => (await call(domain, { token })).status === 200, 60_000);
    }
    isOver = true;
    const acknowledged = (await Promise.all(writers)).flat();

    const { body } = await call(`${domain}/records`, { token });
    const names = (body as { records: ListedRecord[] }).records.map(({ name }) => name);
    expect(names.toSorted()).toEqual(acknowledged.toSorted());
    expect(serials).toEqual(serials.toSorted((a, b) => a - b));
    for (const name of acknowledged) {
      await waitFor(async () => {
        const { answers } = await ask(platform.nameserver, name.slice(0, -1), 'A');
        return answers.length === 1;
      });
    }
  }, 300_000);

  async function soaSerial(): Promise<number> {
    const { answers } = await ask(platform.nameserver, domainName.slice(0, -1), 'SOA');
    const [soa] = answers;
    return soa?.type === 'SOA' ? (soa.data.serial ?? 0) : 0;
  }
});
