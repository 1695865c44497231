import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAULT_ROUNDS, faultSeed, seededRandom, waitFor } from '@zonewright/testkit';
import { itWith, run, TIMEOUT_MS } from './support/foreign-programs.js';
import { RunningPlatform } from './support/running-platform.js';
import { dumpZone, KINDS, type PeerBody, Secondary } from './support/secondaries.js';

/** In the long form ten thousand. */
const CHANGES = FAULT_ROUNDS > 10 ? 10_000 : 120;
const DEADLINE_MS = 60_000;
const ZONE = 'followed.example.';

const itWithAll = ['/usr/bin/ldns-compare-zones', '/usr/bin/dig'].every(
  (program) => itWith('test', '-x', program) === it,
)
  ? it
  : it.skip;
const kinds = KINDS.filter(({ program }) => itWith('test', '-x', program) === it);

describe("Others' nameservers as secondaries of ours (RFC 5936, RFC 1995, RFC 1996, RFC 9432)", () => {
  let platform: RunningPlatform;
  let token = '';
  let zone = { id: '', serial: 0 };
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-compared-'));
  const secondaries: { readonly secondary: Secondary; readonly peer: PeerBody }[] = [];

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
      DNS_API_MAX_DOMAIN_RECORDS: '20000',
      NAMESERVER_FEED_POLL_INTERVAL_MS: '100',
    });
    const facts = await platform.readDemoEnvironment();
    token = await logIn(facts);
    zone = await call('POST', '/domains', { name: ZONE, email: 'a@example.com', ttl: 300 });
    await change(() => 0.5, 40);
    for (const kind of kinds) {
      const secondary = await Secondary.prepare(kind);
      const peer = await call<PeerBody>('POST', '/peers', {
        name: kind.name,
        networks: ['127.0.0.0/8'],
        notify: [{ address: '127.0.0.1', port: secondary.port }],
        catalog: kind.hasCatalogs,
        algorithm: kind.algorithm,
      });
      secondary.configure(ZONE, peer, platform.ports.nameserver);
      secondaries.push({ secondary, peer });
    }
  }, TIMEOUT_MS);

  afterAll(async () => {
    for (const { secondary } of secondaries) await secondary.remove();
    await platform.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function logIn(facts: Record<string, string>): Promise<string> {
    const response = await fetch(`${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/tokens`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        auth: {
          passwordCredentials: {
            username: facts['ZONEWRIGHT_USERNAME'],
            password: facts['ZONEWRIGHT_PASSWORD'],
          },
          tenantId: facts['ZONEWRIGHT_TENANT_ID'],
        },
      }),
    });
    const { access } = (await response.json()) as { access: { token: { id: string } } };
    return access.token.id;
  }

  const records: string[] = [];
  let names = 0;

  /** So many changes of records, of all kinds, one serial each. */
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

  async function expectEqualZones(): Promise<void> {
    for (const { secondary, peer } of secondaries) {
      await secondary.waitForSerial(ZONE, zone.serial, DEADLINE_MS);
      const ours = join(folder, 'ours');
      const theirs = join(folder, secondary.kind.name);
      writeFileSync(ours, dumpZone(platform.ports.nameserver, ZONE, peer));
      writeFileSync(theirs, secondary.dump(ZONE, peer));
      const { status, stdout } = run('ldns-compare-zones', ['-a', '-e', '-s', ours, theirs]);
      expect({ of: secondary.kind.name, status, stdout }).toMatchObject({ status: 0 });
    }
  }

  itWithAll(
    'take a zone by AXFR with TSIG',
    async () => {
      for (const { secondary } of secondaries) secondary.start();
      await expectEqualZones();
    },
    TIMEOUT_MS,
  );

  itWithAll(
    `follow ${CHANGES} random changes by NOTIFY and IXFR, and the API shows how far they are`,
    async () => {
      await change(seededRandom(faultSeed()), CHANGES);
      await expectEqualZones();
      const isTold = async () => {
        const { peers } = await call<{
          peers: { serial: number; notify_answer: string; lag_seconds: number }[];
        }>('GET', `/domains/${zone.id}/peers`);
        return (
          peers.length === secondaries.length &&
          peers.every(
            ({ serial, notify_answer: answer, lag_seconds: lag }) =>
              serial === zone.serial && answer === 'NOERROR' && lag === 0,
          )
        );
      };
      await waitFor(isTold, DEADLINE_MS);
    },
    TIMEOUT_MS * (CHANGES > 120 ? 20 : 1),
  );

  itWithAll(
    'are right again after each of both sides was killed in the middle of changes',
    async () => {
      const random = seededRandom(faultSeed() + 1);
      await change(random, 20);
      for (const { secondary } of secondaries) await secondary.kill();
      await change(random, 10);
      platform.kill('nameserver');
      for (const { secondary } of secondaries) secondary.start();
      await change(random, 10);
      await waitFor(() => {
        try {
          return dumpZone(platform.ports.nameserver, ZONE, secondaries[0]?.peer) !== '';
        } catch {
          return false;
        }
      }, DEADLINE_MS);
      // What is missed of changes while nobody listens comes with the next one, or by REFRESH.
      await change(random, 1);
      await expectEqualZones();
    },
    TIMEOUT_MS,
  );

  itWithAll(
    'serve a new domain by themselves where they follow the catalog',
    async () => {
      const made = await call<{ id: string; serial: number }>('POST', '/domains', {
        name: 'new.example.',
        email: 'a@example.com',
      });
      const followers = secondaries.filter(({ secondary }) => secondary.kind.hasCatalogs);
      for (const { secondary } of followers) {
        await secondary.waitForSerial('new.example.', made.serial, DEADLINE_MS);
      }
      await call('DELETE', `/domains/${made.id}`);
      await waitFor(async () => {
        const serials = await Promise.all(
          followers.map(({ secondary }) => secondary.serialOf('new.example.')),
        );
        return serials.every((serial) => serial === undefined);
      }, DEADLINE_MS);
    },
    TIMEOUT_MS,
  );
});
