import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RR_CLASS, type TsigKey } from '@zonewright/dns-records';
import {
  sendQuery,
  faultSeed,
  SECURE,
  SECURELY_MISSING,
  seededRandom,
  validateAnswer,
  waitFor,
} from '@zonewright/testkit';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiAnswer, authenticate, call } from './support/clients.js';
import { itWith } from './support/foreign-programs.js';
import { RunningPlatform } from './support/running-platform.js';
import type { PeerBody } from './support/secondaries.js';
import { SignedZoneWatch } from './support/signed-zone-watch.js';
import { rcodeNameOf, sendTcp, signUpdate, updateRecord } from './support/update-client.js';

const ZONE = 'signed.example.';
const DEADLINE_MS = 60_000;
/** Number of kills. `npm run test:faults` uses 1,000. */
const KILLS = Number(process.env['ZONEWRIGHT_SIGNED_KILLS'] ?? 6);
const KILLED = ['signer', 'dns-api', 'postgres', 'nameserver'] as const;
/** Maximum time between two kills. The moment is random. */
const WORK_MS = 1_500;
const WRITERS = 2;
/** Time limit for a restart on a busy machine. */
const BACK_WITHIN_MS = 180_000;
/** Maximum number of records of a writer, so that the zone stays small and is verified quickly. */
const RECORDS_OF_WRITER = 12;

/** Runs a test with delv, ISC's resolver as a command (Debian package bind9-dnsutils). */
const itValidated = itWith('delv', '-v');

/** Runs a test with bind9-dnsutils and a verifier. */
const itKilled = itWith('test', '-x', '/usr/bin/dig') === it ? itValidated : it.skip;

/** Returns the names that writers have created, from a transfer. */
function addressesIn(text = ''): string[] {
  const lines = text.matchAll(/^(\S*\bk[0-9a-f]{8}\.\S+)\s+\d+\s+IN\s+A\s/gm);
  return [...lines].map(([, name = '']) => name).toSorted();
}

interface Dnssec {
  readonly state: string;
  readonly ds: readonly string[];
}

describe("a signed domain: from the API and the signer to validators of the nameserver's answers", () => {
  const folder = mkdtempSync(join(tmpdir(), 'zonewright-dnssec-'));
  let platform: RunningPlatform;
  let token: string;
  let updateKey: TsigKey;
  let signed: string;
  let unsigned: string;

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start({ DNS_API_PRIVATE_PEERS: 'true' });
    const facts = await platform.readDemoEnvironment();
    token = await authenticate(facts);
    updateKey = {
      name: `${facts['ZONEWRIGHT_ACCESS_KEY'] ?? ''}.`,
      algorithm: 'hmac-sha256',
      secret: Buffer.from(facts['ZONEWRIGHT_SECRET_KEY'] ?? '', 'base64'),
    };
    signed = await createDomain(ZONE);
    unsigned = await createDomain('unsigned.example.');
  }, 150_000);
  afterAll(async () => {
    await platform.remove();
    rmSync(folder, { recursive: true });
  });

  async function api(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
    const url = `http://127.0.0.1:${platform.ports.dns}/v1/domains${path}`;
    return await call(url, { method, token, body });
  }

  async function createDomain(name: string): Promise<string> {
    const { body } = await api('POST', '', { name, email: 'hostmaster@example.com' });
    return `/${(body as { id: string }).id}`;
  }

  const addRecord = (domain: string, name: string): Promise<ApiAnswer> =>
    api('POST', `${domain}/records`, { name, type: 'A', data: '192.0.2.1' });

  async function awaitState(state: string, domain = signed): Promise<Dnssec> {
    return await waitFor(async () => {
      const { body } = await api('GET', `${domain}/dnssec`);
      return (body as Dnssec).state === state && (body as Dnssec);
    }, BACK_WITHIN_MS);
  }

  const validate = (name: string, type = 'A') =>
    validateAnswer(platform.nameserver, { file: join(folder, 'anchors'), root: ZONE }, name, type);

  async function awaitSecure(name: string): Promise<void> {
    await waitFor(async () => (await sendQuery(platform.nameserver, name, 'A')).answers.length > 0);
    expect(validate(name)).toContain(SECURE);
  }

  itValidated(
    'is secure with the DS that the API shows',
    async () => {
      expect(await addRecord(signed, `www.${ZONE}`)).toMatchObject({ status: 200 });
      expect(await api('PUT', `${signed}/dnssec`, { enabled: true })).toMatchObject({
        status: 200,
      });
      const { ds } = await awaitState('signed');
      const anchors = ds.map((each) => {
        const [tag, algorithm, digestType, digest] = each.split(' ');
        return `"${ZONE}" static-ds ${tag} ${algorithm} ${digestType} "${digest}";`;
      });
      writeFileSync(join(folder, 'anchors'), `trust-anchors { ${anchors.join(' ')} };\n`);
      await waitFor(
        async () => (await sendQuery(platform.nameserver, ZONE, 'DNSKEY')).answers.length > 0,
      );
      expect(validate(`www.${ZONE}`)).toContain(SECURE);
      expect(validate(ZONE, 'SOA')).toContain(SECURE);
      expect(validate(`missing.${ZONE}`)).toContain(SECURELY_MISSING);
      expect(validate(`www.${ZONE}`, 'AAAA')).toContain(SECURELY_MISSING);
    },
    DEADLINE_MS * 2,
  );

  itValidated('is secure after each change', async () => {
    expect(await addRecord(signed, `new.${ZONE}`)).toMatchObject({ status: 200 });
    await awaitSecure(`new.${ZONE}`);
    expect(await addRecord(signed, `*.wild.${ZONE}`)).toMatchObject({ status: 200 });
    await awaitSecure(`any.wild.${ZONE}`);
    expect(validate(`missing.${ZONE}`)).toContain(SECURELY_MISSING);
  });

  itValidated('is secure with an NS record of the owner at the apex', async () => {
    const countNs = async () => (await sendQuery(platform.nameserver, ZONE, 'NS')).answers.length;
    const ofService = await countNs();
    const record = { name: ZONE, type: 'NS', data: 'ns.other-provider.example.', ttl: 60 };
    const { status, body } = await api('POST', `${signed}/records`, record);
    expect(status).toBe(200);
    await waitFor(async () => (await countNs()) === ofService + 1, DEADLINE_MS);
    expect(validate(ZONE, 'NS')).toContain(SECURE);
    const { id } = body as { id: string };
    expect((await api('DELETE', `${signed}/records/${id}`)).status).toBe(200);
    await waitFor(async () => (await countNs()) === ofService, DEADLINE_MS);
    expect(validate(ZONE, 'NS')).toContain(SECURE);
  });

  it.each([
    ['DNSKEY', ZONE],
    ['NSEC', `www.${ZONE}`],
    ['RRSIG', `www.${ZONE}`],
  ])('RFC 2136 s3.2: a prerequisite of an update covers %s records', async (type, name) => {
    const ask = async (rrclass: number) => {
      const prerequisite = updateRecord(name, type, { class: rrclass });
      const { message, mac } = signUpdate(ZONE, updateKey, { answers: [prerequisite] });
      const answer = await sendTcp(platform.nameserver, message, DEADLINE_MS);
      return answer && rcodeNameOf(answer, updateKey, mac);
    };
    expect(await ask(RR_CLASS.ANY)).toBe('NOERROR');
    expect(await ask(RR_CLASS.NONE)).toBe('YXRRSET');
  });

  itValidated(
    'cannot be changed while the signer is away, as others can, and again when it is back',
    async () => {
      let round = 0;
      await waitFor(async () => {
        round += 1;
        platform.kill('signer');
        // On a busy machine the signer may restart before these requests.
        const [refused, done] = await Promise.all([
          addRecord(signed, `away-${round}.${ZONE}`),
          addRecord(unsigned, `away-${round}.unsigned.example.`),
        ]);
        expect(done).toMatchObject({ status: 200 });
        return refused.status === 503 && refused.headers.has('retry-after');
      }, DEADLINE_MS);
      expect(validate(`www.${ZONE}`)).toContain(SECURE);
      await waitFor(
        async () => (await addRecord(signed, `back.${ZONE}`)).status === 200,
        DEADLINE_MS,
      );
      await awaitSecure(`back.${ZONE}`);
      expect(validate(`away-${round}.${ZONE}`)).toContain(SECURELY_MISSING);
    },
    DEADLINE_MS * 3,
  );

  /** Repeats a request with the same key until it gets a response. @returns the response */
  async function insist(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) {
    const url = `http://127.0.0.1:${platform.ports.dns}/v1/domains${path}`;
    const headers = { 'idempotency-key': randomUUID() };
    return await waitFor(async () => {
      const answer = await call(url, { method, token, body, headers });
      return answer.status !== 503 && answer.status !== 429 && answer;
    }, BACK_WITHIN_MS);
  }

  let written = 0;
  /** Writes records and deletes them. @returns the acknowledged records at the end */
  async function writeOn(random: () => number, isOver: () => boolean): Promise<string[]> {
    const mine: { name: string; id: string }[] = [];
    while (!isOver()) {
      const name = `${random() < 0.3 ? 'deep.' : ''}k${randomUUID().slice(0, 8)}.${ZONE}`;
      const record = { name, type: 'A', data: '192.0.2.1' };
      const { status, body } = await insist('POST', `${signed}/records`, record);
      expect(status).toBe(200);
      written += 1;
      mine.push({ name, id: (body as { id: string }).id });
      if (mine.length > RECORDS_OF_WRITER) {
        const { id } = mine.shift()!;
        // A 404 means that an unanswered request was performed.
        const removed = await insist('DELETE', `${signed}/records/${id}`);
        expect([200, 204, 404]).toContain(removed.status);
      }
    }
    return mine.map(({ name }) => name);
  }

  /** Signs and unsigns a domain repeatedly. */
  async function signOn(domain: string, isOver: () => boolean): Promise<number> {
    let times = 0;
    while (!isOver()) {
      expect((await insist('PUT', `${domain}/dnssec`, { enabled: true })).status).toBe(200);
      await awaitState('signed', domain);
      expect((await insist('DELETE', `${domain}/dnssec?force=true`)).status).toBe(200);
      await awaitState('unsigned', domain);
      times += 1;
    }
    return times;
  }

  itKilled(
    `${KILLS} kills of signer, dns-api, PostgreSQL and nameserver: versions are signed as a whole, and nothing acknowledged is lost`,
    async () => {
      const { body } = await call(`http://127.0.0.1:${platform.ports.dns}/v1/peers`, {
        method: 'POST',
        token,
        body: { name: 'watch', networks: ['127.0.0.0/8'], algorithm: 'hmac-sha256' },
      });
      const watches = [ZONE, 'unsigned.example.'].map(
        (zone, at) =>
          new SignedZoneWatch({
            ...{ port: platform.ports.nameserver, zone, peer: body as PeerBody },
            file: join(folder, `zone-${at}`),
          }),
      );
      const [watch] = watches as [SignedZoneWatch];
      await waitFor(() => watch.take() !== undefined, DEADLINE_MS);
      const seed = faultSeed();
      const random = seededRandom(seed);
      let isOver = false;
      const writers = Array.from({ length: WRITERS }, (_, at) =>
        writeOn(seededRandom(seed + at + 1), () => isOver),
      );
      const signing = signOn(unsigned, () => isOver);
      const working = [...writers, signing];
      for (const work of working) work.catch(() => undefined);
      const alive: (typeof KILLED)[number][] = [];
      let acknowledged: string[] = [];
      try {
        for (let count = 1; count <= KILLS; count += 1) {
          await delay(random() * WORK_MS);
          // Each is killed once, in random order, before one is killed again.
          if (alive.length === 0) alive.push(...KILLED);
          const [part] = alive.splice(Math.floor(random() * alive.length), 1);
          // The process may still be down.
          await waitFor(() => {
            platform.kill(part!);
            return true;
          }, BACK_WITHIN_MS);
          expect(watches.flatMap(({ faults }) => faults)).toEqual([]);
          // Otherwise the next part is killed while this one is down.
          const before = written;
          const goesOn = () => written > before + WRITERS;
          // An early error of a writer is reported instead of a missing write.
          if (random() < 0.5) await Promise.race([waitFor(goesOn, BACK_WITHIN_MS), ...working]);
          if (count % 20 === 0)
            process.stdout.write(`${count} kills, ${watch.verified} versions\n`);
        }
        isOver = true;
        acknowledged = (await Promise.all(writers)).flat().toSorted();
        await waitFor(() => addressesIn(watch.take()).join() === acknowledged.join(), DEADLINE_MS);
      } finally {
        isOver = true;
        for (const each of watches) await each.stop();
      }
      const seen = watches.map((each) => `${each.verified} signed and ${each.unsigned} unsigned`);
      process.stdout.write(
        `${KILLS} kills, ${written} writes: versions seen: ${seen.join(', ')}; ${await signing} times signed and unsigned\n`,
      );
      expect(watches.flatMap(({ faults }) => faults)).toEqual([]);
      expect(watch.unsigned).toBe(0);
      expect(watch.verified).toBeGreaterThan(0);
      await awaitSecure(acknowledged[0]!);
    },
    KILLS * 60_000 + BACK_WITHIN_MS * 3,
  );

  itValidated(
    'is unsigned at once where that is forced',
    async () => {
      expect(await api('DELETE', `${signed}/dnssec?force=true`)).toMatchObject({ status: 200 });
      await awaitState('unsigned');
      await waitFor(
        async () => (await sendQuery(platform.nameserver, ZONE, 'DNSKEY')).answers.length === 0,
      );
      expect(validate(`www.${ZONE}`)).toContain('resolution failed');
      expect((await sendQuery(platform.nameserver, `www.${ZONE}`, 'A')).answers).toHaveLength(1);
    },
    DEADLINE_MS * 2,
  );
});
