import { afterAll, beforeAll, describe } from '@jest/globals';
import { FAULT_ROUNDS, faultSeed, seededRandom, waitFor } from '@zonewright/testkit';
import { authenticate } from './support/clients.js';
import {
  ALGORITHMS,
  canTransfer,
  expectEqualZones,
  type ZoneAt,
} from './support/compared-zones.js';
import { itWithAll, TIMEOUT_MS } from './support/foreign-programs.js';
import { listPresent } from './support/foreign-nameserver.js';
import { RunningPlatform } from './support/running-platform.js';
import { KINDS, type PeerBody, Secondary } from './support/secondaries.js';

/** Number of changes. The long form uses ten thousand. */
const IS_LONG = FAULT_ROUNDS > 10;
const CHANGES = IS_LONG ? 10_000 : 120;
const DEADLINE_MS = 60_000;
const ZONE = 'followed.example.';
/** Name of the peer by which the test itself reads zones. */
const READER = 'compares';

const present = listPresent(KINDS);
/** The long form tests each kind with each algorithm. */
const kinds = IS_LONG
  ? present.flatMap((kind) => ALGORITHMS.map((algorithm) => ({ ...kind, algorithm })))
  : present;
const itCompared = itWithAll(['ldns-compare-zones', 'dig']);

describe("Others' nameservers as secondaries of ours (RFC 5936, RFC 1995, RFC 1996, RFC 9432)", () => {
  let platform: RunningPlatform;
  let token = '';
  let zone = { id: '', serial: 0 };
  const secondaries: Secondary[] = [];
  /** Peer that reads the zones of this service. */
  let reader: ZoneAt;

  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${platform.ports.dns}/v1${path}`, {
      method,
      headers: { 'X-Auth-Token': token, 'Content-Type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start({
      DNS_API_PRIVATE_PEERS: 'true',
      DNS_API_MAX_PEERS: '20',
      DNS_API_MAX_DOMAIN_RECORDS: '20000',
      NAMESERVER_FEED_POLL_INTERVAL_MS: '100',
    });
    token = await authenticate(await platform.readDemoEnvironment());
    zone = await call('POST', '/domains', { name: ZONE, email: 'a@example.com', ttl: 300 });
    await change(() => 0.5, 40);
    for (const kind of kinds) {
      const secondary = await Secondary.prepare(kind, (port) =>
        call('POST', '/peers', {
          name: `${kind.name} ${kind.algorithm}`,
          networks: ['127.0.0.0/8'],
          notify: [{ address: '127.0.0.1', port }],
          catalog: kind.hasCatalogs,
          algorithm: kind.algorithm,
        }),
      );
      secondary.follow(ZONE, platform.ports.nameserver);
      secondaries.push(secondary);
    }
    reader = {
      port: platform.ports.nameserver,
      key: (await call<PeerBody>('POST', '/peers', { name: READER })).key,
    };
  }, TIMEOUT_MS);

  afterAll(async () => {
    for (const secondary of secondaries) await secondary.remove();
    await platform.remove();
  });

  const records: string[] = [];
  let names = 0;

  /** Makes changes of records of all kinds, with one serial each. */
  async function change(random: () => number, count: number): Promise<void> {
    const path = `/domains/${zone.id}/records`;
    for (let done = 0; done < count; done++) {
      const at = Math.floor(random() * records.length);
      const id = records[at];
      const what = id === undefined ? 0 : random();
      if (what < 0.5) {
        const { id: made } = await call<{ id: string }>('POST', path, newRecord(random));
        records.push(made);
      } else if (what < 0.75) {
        await call('PUT', `${path}/${id ?? ''}`, { ttl: 60 + Math.floor(random() * 1_000) });
      } else {
        await call('DELETE', `${path}/${id ?? ''}`);
        records.splice(at, 1);
      }
    }
    ({ serial: zone.serial } = await call<{ serial: number }>('GET', `/domains/${zone.id}`));
  }

  function newRecord(random: () => number) {
    const name = `${random() < 0.1 ? '*.' : ''}n${names++}.${random() < 0.3 ? 'deep.below.' : ''}${ZONE}`;
    const kind = Math.floor(random() * 4);
    if (kind === 0) return { name, type: 'TXT', data: `"text ${names} ; with \\"quotes\\""` };
    if (kind === 1)
      return { name, type: 'MX', data: `mail${names}.elsewhere.example.`, priority: names };
    if (kind === 2) return { name, type: 'AAAA', data: `2001:db8::${names.toString(16)}` };
    return { name, type: 'A', data: `192.0.2.${names % 256}` };
  }

  async function expectEqual(): Promise<void> {
    for (const secondary of secondaries) {
      await secondary.waitForSerial(ZONE, zone.serial, DEADLINE_MS);
      expectEqualZones(ZONE, reader, secondary);
    }
  }

  itCompared(
    'take a zone by AXFR with TSIG',
    async () => {
      for (const secondary of secondaries) secondary.start();
      await expectEqual();
    },
    TIMEOUT_MS,
  );

  itCompared(
    `follow ${CHANGES} random changes by NOTIFY and IXFR, and the API shows how far they are`,
    async () => {
      await change(seededRandom(faultSeed()), CHANGES);
      await expectEqual();
      const isTold = async () => {
        const { peers } = await call<{
          peers: { name: string; serial: number; notify_answer: string; lag_seconds: number }[];
        }>('GET', `/domains/${zone.id}/peers`);
        const told = peers.filter((each) => each.name !== READER);
        return (
          told.length === secondaries.length &&
          told.every(
            ({ serial, notify_answer: answer, lag_seconds: lag }) =>
              serial === zone.serial && answer === 'NOERROR' && lag === 0,
          )
        );
      };
      await waitFor(isTold, DEADLINE_MS);
    },
    TIMEOUT_MS * (CHANGES > 120 ? 20 : 1),
  );

  itCompared(
    'are right again after each of both sides was killed in the middle of changes',
    async () => {
      const random = seededRandom(faultSeed() + 1);
      await change(random, 20);
      for (const secondary of secondaries) await secondary.kill();
      await change(random, 10);
      platform.kill('nameserver');
      for (const secondary of secondaries) secondary.start();
      await change(random, 10);
      await waitFor(() => canTransfer(ZONE, reader), DEADLINE_MS);
      // Changes that were missed while nobody listened arrive with the next one, or by REFRESH.
      await change(random, 1);
      await expectEqual();
    },
    TIMEOUT_MS,
  );

  itCompared(
    'serve a new domain by themselves where they follow the catalog',
    async () => {
      const made = await call<{ id: string; serial: number }>('POST', '/domains', {
        name: 'new.example.',
        email: 'a@example.com',
      });
      const followers = secondaries.filter(({ kind }) => kind.hasCatalogs);
      const madeAt = performance.now();
      const took = await Promise.all(
        followers.map(async (secondary) => {
          await secondary.waitForSerial('new.example.', made.serial, DEADLINE_MS);
          return `${secondary.name} ${Math.round(performance.now() - madeAt)} ms`;
        }),
      );
      // Printed for docs/design/faults.md.
      process.stderr.write(`A new domain by the catalog: ${took.join(', ')}\n`);
      await call('DELETE', `/domains/${made.id}`);
      await waitFor(async () => {
        const serials = await Promise.all(
          followers.map((secondary) => secondary.serialOf('new.example.')),
        );
        return serials.every((serial) => serial === undefined);
      }, DEADLINE_MS);
    },
    TIMEOUT_MS,
  );
});
