import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, FAULT_ROUNDS, faultSeed, seededRandom, waitFor } from '@zonewright/testkit';
import { authenticate, call } from './support/clients.js';
import { itWith, run, TIMEOUT_MS } from './support/foreign-programs.js';
import { PRIMARY_KINDS, PrimaryServer } from './support/primaries.js';
import { RunningPlatform } from './support/running-platform.js';
import { dumpZone, type PeerBody } from './support/secondaries.js';

const IS_LONG = FAULT_ROUNDS > 10;
/** Versions of each zone, and changes in each. */
const VERSIONS = IS_LONG ? 100 : 4;
const CHANGES = IS_LONG ? 100 : 20;
const LARGE_RECORDS = IS_LONG ? 1_000_000 : 20_000;
const DEADLINE_MS = 60_000;

const kinds = PRIMARY_KINDS.filter(({ program }) => itWith('test', '-x', program) === it);
const itCompared = ['/usr/bin/ldns-compare-zones', '/usr/bin/dig'].every(
  (program) => itWith('test', '-x', program) === it,
)
  ? it
  : it.skip;

describe("Our nameservers as secondaries of others' primaries (RFC 5936, RFC 1995, RFC 1996, RFC 8945)", () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-compared-'));
  const random = seededRandom(faultSeed());
  const primaries: PrimaryServer[] = [];
  let platform: RunningPlatform;
  let token = '';
  let peer: PeerBody;
  const zoneIds = new Map<string, string>();
  const zones = new Map<string, RandomZone>();

  async function api<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
    const url = `http://127.0.0.1:${platform.ports.dns}/v1${path}`;
    const answer = await call(url, { method, token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  }

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start({
      DNS_API_PRIVATE_PRIMARIES: 'true',
      DNS_API_MAX_DOMAIN_RECORDS: '2000000',
      DNS_API_MAX_TRANSFER_BYTES: '268435456',
      NAMESERVER_FEED_POLL_INTERVAL_MS: '100',
    });
    token = await authenticate(await platform.readDemoEnvironment());
    peer = await api('POST', '/peers', { name: 'compares' });
    for (const kind of kinds) {
      const key = { name: `key-${kind.name}`, algorithm: kind.algorithm, secret: newSecret() };
      const primary = await PrimaryServer.prepare(kind, `${kind.name}.test.`, key);
      const zone = new RandomZone(primary.zone, random);
      primary.configure(zone.next(CHANGES * 3), platform.ports.nameserver);
      primaries.push(primary);
      zones.set(primary.zone, zone);
      await primary.start();
    }
  }, 2 * TIMEOUT_MS);

  afterAll(async () => {
    for (const primary of primaries) await primary.remove();
    await platform.remove();
    rmSync(folder, { recursive: true, force: true });
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

  const rcodeOf = async (zone: string) => (await ask(platform.nameserver, zone, 'SOA')).rcode;

  async function ourSerial(zone: string): Promise<number | undefined> {
    const { answers } = await ask(platform.nameserver, zone, 'SOA');
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
    const ours = join(folder, 'ours');
    const theirs = join(folder, 'theirs');
    const { name, algorithm, secret } = primary.key;
    writeFileSync(ours, dumpZone(platform.ports.nameserver, zone, peer));
    const theirKey = { ...peer, key: { name, algorithm, secret } };
    writeFileSync(theirs, dumpZone(primary.port, zone, theirKey));
    const { status, stdout } = run('ldns-compare-zones', ['-a', '-e', '-s', ours, theirs]);
    expect({ of: zone, status, stdout }).toMatchObject({ status: 0 });
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
      for (const primary of primaries) {
        primary.write(zones.get(primary.zone)?.next(CHANGES) ?? '');
        primary.reload();
        if (primary.kind.name === 'bind') platform.kill('dns-api');
        else if (primary.kind.name === 'nsd') platform.kill('nameserver');
        else {
          await primary.kill();
          await primary.start();
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

  itCompared(
    `take ${LARGE_RECORDS} records`,
    async () => {
      const [primary] = primaries;
      if (primary === undefined) return;
      const zone = zones.get(primary.zone);
      primary.write(zone?.grow(LARGE_RECORDS) ?? '');
      primary.reload();
      await waitFor(async () => (await primary.serial()) === zone?.serial, 10 * DEADLINE_MS);
      await api('POST', `/domains/${zoneIds.get(primary.zone) ?? ''}/primaries/refresh`);
      await waitFor(async () => (await ourSerial(primary.zone)) === zone?.serial, 10 * DEADLINE_MS);
      await expectEqual(primary);
    },
    TIMEOUT_MS * (IS_LONG ? 15 : 2),
  );
});

function newSecret(): string {
  return randomBytes(32).toString('base64');
}

/** A zone file that changes: types that users may write, and others; names in all letter cases. */
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
