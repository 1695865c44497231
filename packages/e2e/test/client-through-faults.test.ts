import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, readAll } from '@zonewright/client';
import { faultSeed, seededRandom } from '@zonewright/testkit';
import { RunningPlatform } from './support/running-platform.js';
import { UnreliableProxy } from './support/unreliable-proxy.js';

/** Number of writes. `npm run test:faults` uses 10,000. */
const WRITES = Number(process.env['CLIENT_WRITES'] ?? 300);
/** Number of domains that are written at the same time, with one write after the other in each. */
const DOMAINS = 5;
/** Number of records in a domain above which records are deleted again. */
const MOST_RECORDS = 40;

describe('writes through a proxy that cuts 10%, answers 10% with 503 and delays 5%', () => {
  let platform: RunningPlatform;
  let proxy: UnreliableProxy;
  let client: Client;
  let direct: Client;
  const seed = faultSeed();
  const random = seededRandom(seed);

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start();
    const facts = await platform.readDemoEnvironment();
    const fact = (name: string) => facts[`ZONEWRIGHT_${name}`] ?? '';
    proxy = new UnreliableProxy(fact('DNS_URL'), random);
    const options = {
      identityUrl: fact('IDENTITY_URL'),
      auth: {
        accessKeyId: fact('ACCESS_KEY'),
        secretKey: fact('SECRET_KEY'),
        tenantId: fact('TENANT_ID'),
      },
      deadlineMs: 120_000,
    };
    client = new Client({ ...options, dnsUrl: await proxy.start() });
    direct = new Client(options);
  }, 150_000);
  afterAll(async () => {
    await proxy.stop();
    await platform.remove();
  });

  it(
    `none of ${WRITES} writes is lost, and none is done twice`,
    async () => {
      const numbers = Array.from({ length: DOMAINS }, (_, index) => index);
      await Promise.all(numbers.map((number) => writeTo(number, Math.ceil(WRITES / DOMAINS))));
      const { cut, refused, lost, late } = proxy.happened;
      for (const times of [cut, refused, lost, late]) expect(times).toBeGreaterThan(0);
    },
    60_000 + WRITES * 1_000,
  );

  async function writeTo(number: number, writes: number): Promise<void> {
    const name = `faulty-${number}.example.`;
    const { value: domain } = await client.domains.create({ name, email: 'a@example.com' });
    const records = client.records(domain.id);
    const wanted = new Map<string, string>();
    for (let index = 0; index < writes; index += 1) {
      const data = `192.0.${Math.floor(index / 200)}.${index % 200}`;
      const [first] = wanted.keys();
      const act = wanted.size >= MOST_RECORDS ? 0 : random();
      if (first !== undefined && act < 0.2) {
        await records.change([{ action: 'delete', id: first }], { confirm: true });
        wanted.delete(first);
      } else if (first !== undefined && act < 0.4) {
        await records.change([{ action: 'update', id: first, record: { data } }]);
        wanted.set(first, data);
      } else {
        const { value } = await records.add({ name: `r${index}.${name}`, type: 'A', data });
        wanted.set(value.id, data);
      }
    }
    const there = await readAll(direct.records(domain.id).list());
    expect({ seed, there: new Map(there.map(({ id, data }) => [id, data])) }).toEqual({
      seed,
      there: wanted,
    });
    const changes = await readAll(direct.domains.changes(domain.id));
    expect(changes.filter(({ action }) => action.startsWith('record-'))).toHaveLength(writes);
    await client.domains.delete(domain.id);
  }
});
