import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import {
  sendQuery,
  FAULT_ROUNDS,
  faultSeed,
  SECURE,
  SECURELY_MISSING,
  seededRandom,
  validateAnswer,
  waitFor,
} from '@zonewright/testkit';
import { authenticate, insist } from './support/clients.js';
import { setTimeout as delay } from 'node:timers/promises';
import { ALGORITHMS, expectEqualZones } from './support/compared-zones.js';
import { itWithAll, TIMEOUT_MS } from './support/foreign-programs.js';
import { listPresent } from './support/foreign-nameserver.js';
import { PRIMARY_KINDS, PrimaryServer } from './support/primaries.js';
import { type PlatformPart, RunningPlatform } from './support/running-platform.js';
import { SignedText } from './support/signed-text.js';
import { KINDS, type PeerBody, Secondary } from './support/secondaries.js';

const IS_LONG = FAULT_ROUNDS > 10;
/** Number of versions of each zone, and of changes in each. */
const VERSIONS = Number(process.env['ZONE_VERSIONS'] ?? 4);
const CHANGES = IS_LONG ? 100 : 20;
const LARGE_RECORDS = Number(process.env['LARGE_ZONE'] ?? 20_000);
const DEADLINE_MS = 60_000;
/**
 * Parts that are killed instead of a primary. BIND, if it is killed, may not load its zone, because the journal does
 * not fit the file.
 */
const OURS: ReadonlyMap<string, PlatformPart> = new Map([
  ['bind', 'dns-api'],
  ['nsd', 'nameserver'],
]);
const LARGE_MS = 15 * DEADLINE_MS;

const present = listPresent(PRIMARY_KINDS);
/** The long form tests each kind with each algorithm. */
const kinds = IS_LONG
  ? present.flatMap((kind) => ALGORITHMS.map((algorithm) => ({ ...kind, algorithm })))
  : present;
const itCompared = itWithAll(['ldns-compare-zones', 'dig']);

describe("Our nameservers as secondaries of others' primaries (RFC 5936, RFC 1995, RFC 1996, RFC 8945)", () => {
  const random = seededRandom(faultSeed());
  const primaries: PrimaryServer[] = [];
  /** Primaries whose zones grow large: one, and in the long form one of each kind. */
  let large: readonly PrimaryServer[] = [];
  let platform: RunningPlatform;
  let token = '';
  let peer: PeerBody;
  const zoneIds = new Map<string, string>();
  const zones = new Map<string, RandomZone>();

  async function api<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
    const url = `http://127.0.0.1:${platform.ports.dns}/v1${path}`;
    const answer = await insist(url, { method, token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  beforeAll(
    async () => {
      platform = await RunningPlatform.prepare();
      await platform.start({
        DNS_API_PRIVATE_PRIMARIES: 'true',
        DNS_API_PRIVATE_PEERS: 'true',
        DNS_API_MAX_PEERS: '20',
        DNS_API_MAX_DOMAIN_RECORDS: '2000000',
        DNS_API_MAX_TRANSFER_BYTES: '268435456',
        NAMESERVER_FEED_POLL_INTERVAL_MS: '100',
      });
      token = await authenticate(await platform.readDemoEnvironment());
      peer = await api('POST', '/peers', { name: 'compares' });
      for (const kind of kinds) {
        const { name, algorithm } = kind;
        const key = { name: `key-${name}`, algorithm, secret: newSecret() };
        const zoneName = IS_LONG ? `${name}-${algorithm}.test.` : `${name}.test.`;
        const primary = await PrimaryServer.prepare(kind, zoneName, key);
        const zone = new RandomZone(primary.zone, random);
        primary.serve(zone.next(CHANGES * 3), platform.ports.nameserver);
        primaries.push(primary);
        zones.set(primary.zone, zone);
        await primary.startServing();
      }
      const isFirst = ({ name }: PrimaryServer, at: number) =>
        primaries.findIndex((each) => each.name === name) === at;
      large = IS_LONG ? primaries.filter(isFirst) : primaries.slice(0, 1);
    },
    (IS_LONG ? 6 : 2) * TIMEOUT_MS,
  );

  afterAll(async () => {
    for (const primary of primaries) await primary.remove();
    await platform.remove();
  });

  async function follow({ zone, port, key }: PrimaryServer): Promise<void> {
    const made = await api<{ id: string }>('POST', '/domains', {
      name: zone,
      email: 'a@b.example',
    });
    zoneIds.set(zone, made.id);
    const primary = { address: '127.0.0.1', port };
    await api('PUT', `/domains/${made.id}/primaries`, { primaries: [primary], key });
  }

  const stateOf = async (zone: string) =>
    await api<{ serial: number; problem: string | null; failures: number; state: string }>(
      'GET',
      `/domains/${zoneIds.get(zone) ?? ''}/primaries`,
    );

  const rcodeOf = async (zone: string) => (await sendQuery(platform.nameserver, zone, 'SOA')).rcode;

  async function ourSerial(zone: string): Promise<number | undefined> {
    const { answers } = await sendQuery(platform.nameserver, zone, 'SOA');
    return (answers as readonly { data?: { serial?: number } }[])[0]?.data?.serial;
  }

  async function expectEqual(primary: PrimaryServer): Promise<void> {
    const { zone } = primary;
    const wanted = zones.get(zone)?.serial;
    try {
      await waitFor(async () => (await ourSerial(zone)) === wanted, DEADLINE_MS);
    } catch (error) {
      const state = JSON.stringify(await stateOf(zone));
      const has = await ourSerial(zone);
      throw new Error(`${zone} ${wanted}, here ${has}: ${state}\n${primary.output}`, {
        cause: error,
      });
    }
    expectEqualZones(zone, { port: platform.ports.nameserver, key: peer.key }, primary);
  }

  itCompared(
    'take a zone by AXFR with TSIG; before it comes it is SERVFAIL, and with a wrong key as well',
    async () => {
      for (const primary of primaries) {
        const { secret, ...key } = primary.key;
        await follow(primary);
        await waitFor(async () => (await rcodeOf(primary.zone)) !== 'REFUSED', DEADLINE_MS);
        expect(['SERVFAIL', 'NOERROR']).toContain(await rcodeOf(primary.zone));
        await expectEqual(primary);
        const path = `/domains/${zoneIds.get(primary.zone) ?? ''}/primaries`;
        const own = [{ address: '127.0.0.1', port: primary.port }];
        const wrong = { ...key, secret: newSecret() };
        await api('PUT', path, { primaries: own, key: wrong });
        await waitFor(async () => (await stateOf(primary.zone)).failures > 0, DEADLINE_MS);
        expect((await stateOf(primary.zone)).problem).toMatch(
          /NOTAUTH|REFUSED|signature|broke off/,
        );
        await api('PUT', path, { primaries: own, key: { ...key, secret } });
        await expectEqual(primary);
      }
    },
    4 * TIMEOUT_MS,
  );

  itCompared(
    `follow ${VERSIONS} versions by NOTIFY, and IXFR where there is such`,
    async () => {
      for (let version = 0; version < VERSIONS; version++) {
        for (const primary of primaries) {
          primary.write(zones.get(primary.zone)?.next(CHANGES) ?? '');
          primary.reload();
        }
        for (const primary of primaries) await expectEqual(primary);
      }
    },
    TIMEOUT_MS * (IS_LONG ? 30 : 2),
  );

  itCompared(
    'are right again when both sides were killed in the middle of a transfer',
    async () => {
      const killed = new Set<PlatformPart>();
      for (const primary of primaries) {
        primary.write(zones.get(primary.zone)?.next(CHANGES) ?? '');
        primary.reload();
        const ours = OURS.get(primary.name);
        if (ours === undefined) {
          await primary.kill();
          await primary.startServing();
        } else if (!killed.has(ours)) {
          platform.kill(ours);
          killed.add(ours);
        }
      }
      await waitFor(async () => {
        try {
          token = await authenticate(await platform.readDemoEnvironment());
          for (const { zone } of primaries) {
            await api('POST', `/domains/${zoneIds.get(zone) ?? ''}/primaries/refresh`);
          }
          return true;
        } catch {
          return false;
        }
      }, DEADLINE_MS);
      for (const primary of primaries) await expectEqual(primary);
    },
    2 * TIMEOUT_MS,
  );

  itWithAll(['delv', 'ldns-signzone', 'ldns-keygen', '/usr/sbin/named', 'ldns-compare-zones'])(
    'answer what a primary has signed with its signatures, and with proofs of what is not there',
    async () => {
      const [kind] = PRIMARY_KINDS;
      const key = { name: 'key-signed', algorithm: 'hmac-sha256', secret: newSecret() };
      const primary = await PrimaryServer.prepare(kind!, 'signed.test.', key);
      const text = new SignedText(primary.zone);
      const zone = new RandomZone(primary.zone, random);
      zones.set(primary.zone, zone);
      const validate = (name: string, type: string) =>
        validateAnswer(platform.nameserver, text, `${name}${primary.zone}`, type);
      try {
        primary.serve(text.sign(zone.next(CHANGES)), platform.ports.nameserver);
        await primary.startServing();
        await follow(primary);
        for (let version = 0; version < 2; version++) {
          await expectEqual(primary);
          expect(validate('ns2.', 'A')).toContain(SECURE);
          expect(validate('', 'SOA')).toContain(SECURE);
          expect(validate('missing.', 'A')).toContain(SECURELY_MISSING);
          expect(validate('ns2.', 'AAAA')).toContain(SECURELY_MISSING);
          primary.write(text.sign(zone.next(CHANGES)));
          primary.reload();
        }
      } finally {
        await primary.remove();
        text.remove();
      }
    },
    4 * TIMEOUT_MS,
  );

  itCompared(
    `take ${LARGE_RECORDS} records`,
    async () => {
      for (const primary of large) {
        const text = zones.get(primary.zone)?.grow(LARGE_RECORDS) ?? '';
        await bring(primary, text, IS_LONG ? breakOff : undefined);
      }
    },
    IS_LONG ? 60 * TIMEOUT_MS : 2 * TIMEOUT_MS,
  );

  /** Transfers a version of a large zone from its primary to this service. */
  async function bring(
    primary: PrimaryServer,
    text: string,
    meanwhile?: (primary: PrimaryServer, refresh: string) => Promise<void>,
  ): Promise<void> {
    const serial = zones.get(primary.zone)?.serial;
    primary.write(text);
    primary.reload();
    await waitFor(async () => (await primary.serial()) === serial, 10 * DEADLINE_MS);
    const refresh = `/domains/${zoneIds.get(primary.zone) ?? ''}/primaries/refresh`;
    await api('POST', refresh);
    await meanwhile?.(primary, refresh);
    await waitFor(async () => (await ourSerial(primary.zone)) === serial, LARGE_MS);
    await expectEqual(primary);
  }

  /** Kills one of the participants during a transfer. */
  async function breakOff(primary: PrimaryServer, refresh: string): Promise<void> {
    await delay(random() * 10_000);
    if (primary.name === 'bind') platform.kill('dns-api');
    else if (primary.name === 'knot') platform.kill('nameserver');
    else {
      await primary.kill();
      await primary.startServing();
    }
    await waitFor(
      () =>
        api('POST', refresh).then(
          () => true,
          () => false,
        ),
      DEADLINE_MS,
    );
  }

  if (IS_LONG) {
    itCompared(
      `and hand ${LARGE_RECORDS} records on to others, with both sides killed in the middle`,
      async () => {
        const [{ zone } = { zone: '' }] = large;
        const serial = zones.get(zone)?.serial ?? 0;
        for (const kind of listPresent(KINDS)) {
          const secondary = await Secondary.prepare(kind, (port) =>
            api('POST', '/peers', {
              name: kind.name,
              networks: ['127.0.0.0/8'],
              notify: [{ address: '127.0.0.1', port }],
              catalog: kind.hasCatalogs,
              algorithm: kind.algorithm,
            }),
          );
          try {
            secondary.follow(zone, platform.ports.nameserver);
            secondary.start();
            await delay(random() * 3_000);
            await secondary.kill();
            secondary.start();
            await delay(random() * 3_000);
            platform.kill('nameserver');
            if (kind.name === 'bind') {
              // BIND does not retry an unreachable primary for ten minutes, even after NOTIFY.
              await waitFor(async () => (await rcodeOf(zone)) === 'NOERROR', LARGE_MS);
              await secondary.kill();
              secondary.start();
            }
            await secondary.waitForSerial(zone, serial, LARGE_MS);
            await waitFor(async () => (await rcodeOf(zone)) === 'NOERROR', LARGE_MS);
            expectEqualZones(zone, { port: platform.ports.nameserver, key: peer.key }, secondary);
          } finally {
            await secondary.remove();
          }
        }
      },
      40 * TIMEOUT_MS,
    );
  }

  itCompared(
    'and let go of them again',
    async () => {
      for (const primary of large) {
        await bring(primary, zones.get(primary.zone)?.next(CHANGES) ?? '');
      }
    },
    IS_LONG ? 60 * TIMEOUT_MS : 2 * TIMEOUT_MS,
  );
});

function newSecret(): string {
  return randomBytes(32).toString('base64');
}

/** Zone file that changes: types that users may write, and others; names in all letter cases. */
class RandomZone {
  readonly #name: string;
  readonly #random: () => number;
  readonly #lines: string[] = [];
  serial = 2_024_010_100;
  #count = 0;

  constructor(name: string, random: () => number) {
    this.#name = name;
    this.#random = random;
  }

  next(changes: number): string {
    for (let done = 0; done < changes; done++) {
      const at = Math.floor(this.#random() * this.#lines.length);
      const what = this.#lines.length < 10 ? 0 : this.#random();
      if (what < 0.5) this.#lines.push(this.#newLine());
      else if (what < 0.7) this.#lines.splice(at, 1);
      else this.#lines[at] = (this.#lines[at] ?? '').replace(/ \d+ /, ` ${60 + done} `);
    }
    return this.#text(this.#lines);
  }

  grow(count: number): string {
    const more = Array.from(
      { length: count },
      (_, at) => `h${at} 300 A 10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`,
    );
    return this.#text([...this.#lines, ...more]);
  }

  #text(lines: readonly string[]): string {
    this.serial++;
    return [
      `$ORIGIN ${this.#name}`,
      `@ 3600 SOA ns1.elsewhere.example. host\\.master.${this.#name} ${this.serial} 7200 900 1209600 300`,
      '@ 3600 NS ns1.elsewhere.example.',
      '@ 3600 NS ns2',
      'ns2 300 A 192.0.2.53',
      ...lines,
      '',
    ].join('\n');
  }

  #newLine(): string {
    const name = `${this.#random() < 0.1 ? '*.' : ''}N${this.#count++}.${this.#random() < 0.3 ? 'deep.Below' : 'flat'}`;
    const data = [
      `A 192.0.2.${this.#count % 256}`,
      `AAAA 2001:db8::${this.#count.toString(16)}`,
      `TXT "text ${this.#count} ; with \\"quotes\\""`,
      `MX ${this.#count} Mail${this.#count}.elsewhere.example.`,
      `TYPE65300 \\# 3 0a0b0c`,
      `CAA 0 issue "ca.example"`,
      `NAPTR 10 20 "u" "sip" "" target.${this.#name}`,
      `HINFO "cpu" "os"`,
      `SRV 1 2 ${this.#count} target.${this.#name}`,
    ];
    return `${name} 300 ${data[Math.floor(this.#random() * data.length)] ?? ''}`;
  }
}
