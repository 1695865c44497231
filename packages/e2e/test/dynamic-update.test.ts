import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  readMessage,
  RR_CLASS,
  RR_TYPE,
  signRequest,
  type TsigKey,
  writeMessage,
} from '@zonewright/dns-records';
import {
  FAULT_ROUNDS,
  faultSeed,
  readCodeBlocks,
  readSection,
  seededRandom,
  waitFor,
} from '@zonewright/testkit';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { itWith, PYTHON, run, TIMEOUT_MS } from './support/foreign-programs.js';
import {
  hasRedisServer,
  PLATFORM_PARTS,
  type PlatformPart,
  PROJECT,
  RunningPlatform,
} from './support/running-platform.js';
import {
  rcodeNameOf,
  sendTcp,
  sendUdp,
  signUpdate,
  updateRecord,
  withData,
} from './support/update-client.js';
import { PrimaryBind } from './support/primary-bind.js';

const ZONE = 'updated.example.';
/** Number of updates. The long form uses a thousand. */
const UPDATES = FAULT_ROUNDS > 10 ? 1_000 : 40;
const COMPARED = FAULT_ROUNDS > 10 ? 5_000 : 150;
const MUTATED = FAULT_ROUNDS > 10 ? 100_000 : 500;
const any = { class: RR_CLASS.ANY };
const none = { class: RR_CLASS.NONE };

describe('Dynamic updates (RFC 2136, RFC 8945)', () => {
  let platform: RunningPlatform;
  let facts: Record<string, string> = {};
  let token = '';
  let key: TsigKey;

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

  async function logIn(): Promise<string> {
    const { ZONEWRIGHT_USERNAME: username, ZONEWRIGHT_PASSWORD: password } = facts;
    const auth = {
      passwordCredentials: { username, password },
      tenantId: facts['ZONEWRIGHT_TENANT_ID'],
    };
    const response = await fetch(`${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/tokens`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ auth }),
    });
    const body = (await response.json()) as { access: { token: { id: string } } };
    return body.access.token.id;
  }

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start({
      DNS_API_MAX_DOMAIN_RECORDS: '20000',
      NAMESERVER_FEED_POLL_INTERVAL_MS: '100',
    });
    facts = { ...(await platform.readDemoEnvironment()), ZONE };
    token = await logIn();
    key = {
      name: `${facts['ZONEWRIGHT_ACCESS_KEY'] ?? ''}.`,
      algorithm: 'hmac-sha256',
      secret: Buffer.from(facts['ZONEWRIGHT_SECRET_KEY'] ?? '', 'base64'),
    };
    await createZone(ZONE);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await platform.remove();
  }, TIMEOUT_MS);

  /** Creates a zone and waits until the nameserver answers with it. */
  async function createZone(name: string): Promise<string> {
    const zone = await call<{ id: string }>('POST', '/domains', {
      name,
      email: 'a@example.com',
      ttl: 300,
    });
    await waitFor(async () => {
      const probe = signUpdate(name, key, {});
      const answer = await sendTcp(platform.nameserver, probe.message, 3_000);
      return answer !== undefined && rcodeNameOf(answer, key, probe.mac) === 'NOERROR';
    }, 30_000);
    return zone.id;
  }

  /** Returns the records as `name ttl type data`, sorted. */
  async function records(zone: string): Promise<string[]> {
    const { domains } = await call<{ domains: { id: string; name: string }[] }>('GET', '/domains');
    const id = domains.find(({ name }) => name === zone)?.id ?? '';
    type Shown = {
      name: string;
      type: string;
      data: string;
      ttl: number | null;
      priority?: number;
    };
    const listed = await call<{ records: Shown[] }>('GET', `/domains/${id}/records`);
    return listed.records
      .map(({ name, type, data, ttl, priority }) => {
        const value = type === 'MX' ? `${priority ?? 0} ${data}` : data;
        return `${name} ${ttl ?? 300} ${type} ${value}`;
      })
      .sort();
  }

  const PAGE = readFileSync(join(PROJECT, 'docs/recipes/dns-update.md'), 'utf8');
  const recipe = (section: string, language: string) =>
    readCodeBlocks(readSection(PAGE, section), language)[0] ?? '';

  itWith('nsupdate', '-V')(
    'nsupdate does what docs/recipes/dns-update.md has it do, over UDP and TCP',
    async () => {
      const script = recipe('nsupdate', 'sh');
      const udp = run('sh', ['-c', script], facts);
      expect([udp.status, udp.stderr]).toEqual([0, '']);
      expect(await records(ZONE)).toContain(`www.${ZONE} 300 A 192.0.2.80`);
      const again = run('sh', ['-c', script.replace('-y', '-v -y')], facts);
      expect([again.status, again.stderr.trim()]).toEqual([2, 'update failed: YXDOMAIN']);
    },
    TIMEOUT_MS,
  );

  itWith('nsupdate', '-V')(
    'nsupdate sends 1,000 updates in a message of almost 65,535 octets; 1,001 are REFUSED',
    async () => {
      const zone = 'long.example.';
      await createZone(zone);
      const { host, port } = platform.nameserver;
      const send = (count: number, text: string) => {
        const adds = Array.from(
          { length: count },
          (_, at) => `update add n${at}.${zone} 60 TXT "${text}"`,
        );
        const lines = [`server ${host} ${port}`, `zone ${zone}`, ...adds, 'send', ''];
        const { name, secret } = key;
        const keyText = `hmac-sha256:${name}:${Buffer.from(secret).toString('base64')}`;
        return run('nsupdate', ['-y', keyText], {}, lines.join('\n'));
      };
      const taken = send(1_000, 'x'.repeat(39));
      expect([taken.status, taken.stderr]).toEqual([0, '']);
      const refused = send(1_001, 'x');
      expect([refused.status, refused.stderr.trim()]).toEqual([2, 'update failed: REFUSED']);
    },
    TIMEOUT_MS,
  );

  itWith(PYTHON, '-c', 'import dns.update')(
    'dnspython does what docs/recipes/dns-update.md has it do',
    async () => {
      const { stdout, stderr } = run(PYTHON, ['-c', recipe('dnspython', 'python')], facts);
      expect([stdout.trim(), stderr]).toEqual(['NOERROR', '']);
      expect(await records(ZONE)).toContain(`python.${ZONE} 300 TXT "from dnspython"`);
    },
    TIMEOUT_MS,
  );

  it(
    'queries signed with an access key get signed answers over UDP and TCP, and queries with a wrong signature do not',
    async () => {
      const ask = (zone: string, by: TsigKey) => {
        const questions = [updateRecord(zone, 'SOA')];
        return signRequest(writeMessage({ id: 7, flags: 0, questions }), by, Date.now() / 1000);
      };
      const wrong = { ...key, secret: Buffer.alloc(30) };
      const unknown = { ...key, name: 'nobody.' };
      for (const send of [sendUdp, sendTcp]) {
        const { message, mac } = ask(ZONE, key);
        const answer = await send(platform.nameserver, message, 10_000);
        expect(rcodeNameOf(answer!, key, mac)).toBe('NOERROR');
        const { tsig, answers, flags } = readMessage(answer!);
        expect([tsig?.error, answers.map(({ type }) => type), flags & 0x0400]).toEqual([
          0,
          [RR_TYPE.SOA],
          0x0400,
        ]);
        for (const [zone, by, error] of [
          [ZONE, wrong, 16],
          [ZONE, unknown, 17],
          ['elsewhere.test.', key, 17],
        ] as const) {
          const refused = ask(zone, by);
          const refusal = await send(platform.nameserver, refused.message, 10_000);
          expect([zone, rcodeNameOf(refusal!, by, refused.mac)]).toEqual([zone, 'NOTAUTH']);
          const { tsig: unsigned, answers: none } = readMessage(refusal!);
          expect([unsigned?.error, unsigned?.mac.length, none]).toEqual([error, 0, []]);
        }
      }
    },
    TIMEOUT_MS,
  );

  it(
    'modified messages change nothing, and valid ones work afterwards',
    async () => {
      const random = seededRandom(faultSeed());
      const before = await records(ZONE);
      const { message } = signUpdate(ZONE, key, {
        authorities: [withData(`mutated.${ZONE}`, 'A', '192.0.2.66', 60)],
      });
      for (let sent = 0; sent < MUTATED; sent += 20) {
        const batch = Array.from({ length: Math.min(20, MUTATED - sent) }, async (_, at) => {
          const mutated = Uint8Array.from(message);
          const changes = 1 + Math.floor(random() * 3);
          for (let i = 0; i < changes; i++) {
            // After id and opcode, so that it remains an update.
            const place = 3 + Math.floor(random() * (mutated.length - 3));
            mutated[place] = (mutated[place] ?? 0) + 1 + Math.floor(random() * 255);
          }
          // The letter case of names in the TSIG is not signed, so a message that differs only in it is the same.
          const isSame = textOf(mutated) === textOf(message);
          if (isSame) return;
          const cut =
            at % 5 === 0 ? mutated.slice(0, Math.floor(random() * mutated.length)) : mutated;
          await sendUdp(platform.nameserver, cut, 50);
        });
        await Promise.all(batch);
      }
      // So many wrong MACs are rejected for the rest of their second.
      await waitFor(async () => {
        const { message: right, mac } = signUpdate(ZONE, key, {
          authorities: [withData(`after.${ZONE}`, 'A', '192.0.2.1', 60)],
        });
        const answer = await sendUdp(platform.nameserver, right, 3_000);
        return answer !== undefined && rcodeNameOf(answer, key, mac) === 'NOERROR';
      }, 30_000);
      const after = await records(ZONE);
      expect(after).toEqual([...before, `after.${ZONE} 60 A 192.0.2.1`].sort());
    },
    5 * TIMEOUT_MS,
  );

  it(
    'each acknowledged update exists once, even if processes were killed in the meantime',
    async () => {
      const random = seededRandom(faultSeed());
      const killed = PLATFORM_PARTS.filter((part) => part !== 'redis-server' || hasRedisServer);
      const acknowledged: string[] = [];
      for (let at = 0; at < UPDATES; at++) {
        if (at % 10 === 5) {
          await killOne(killed[Math.floor(random() * killed.length)] ?? 'dns-api');
        }
        const name = `k${at}.${ZONE}`;
        const update = signUpdate(ZONE, key, {
          answers: [updateRecord(name, 'ANY', none)],
          authorities: [withData(name, 'TXT', `"${at}"`, 60)],
        });
        // The same message is repeated until there is an answer, as a client does.
        await waitFor(async () => {
          const answer = await sendUdp(platform.nameserver, update.message, 3_000);
          const rcode = answer === undefined ? undefined : rcodeNameOf(answer, key, update.mac);
          if (rcode === undefined || rcode === 'SERVFAIL') return false;
          expect([name, rcode]).toEqual([name, 'NOERROR']);
          acknowledged.push(`${name} 60 TXT "${at}"`);
          return true;
        }, 60_000);
      }
      await waitFor(async () => (await fetchStatus()) === 200, 30_000);
      const there = (await records(ZONE)).filter((record) => /^k\d/.test(record));
      expect(there).toEqual(acknowledged.sort());
    },
    10 * TIMEOUT_MS,
  );

  /** Kills a part. It may still be restarting after the last kill. */
  async function killOne(part: PlatformPart): Promise<void> {
    await waitFor(() => {
      try {
        platform.kill(part);
        return true;
      } catch {
        return false;
      }
    }, 30_000);
  }

  async function fetchStatus(): Promise<number> {
    try {
      token = await logIn();
      const url = `http://127.0.0.1:${platform.ports.dns}/v1/domains`;
      return (await fetch(url, { headers: { 'X-Auth-Token': token } })).status;
    } catch {
      await delay(100);
      return 0;
    }
  }

  itWith('named', '-v')(
    'random messages have the answers and the effects that BIND gives them',
    async () => {
      const zone = 'compared.example.';
      await createZone(zone);
      const bind = await PrimaryBind.start(zone, key);
      try {
        const random = seededRandom(faultSeed());
        for (let at = 0; at < COMPARED; at++) {
          const { message, mac } = signUpdate(zone, key, randomUpdate(zone, random));
          const ours = await sendTcp(platform.nameserver, message, 5_000);
          const theirs = await sendTcp(bind.server, message, 5_000);
          expect(ours === undefined || theirs === undefined).toBe(false);
          expect([at, message.toString(), rcodeNameOf(ours!, key, mac)]).toEqual([
            at,
            message.toString(),
            rcodeNameOf(theirs!, key, mac),
          ]);
        }
        expect(await records(zone)).toEqual(bind.records());
      } finally {
        await bind.stop();
      }
    },
    5 * TIMEOUT_MS,
  );
});

const textOf = (octets: Uint8Array) => Buffer.from(octets).toString('latin1').toLowerCase();

type Random = () => number;

/** Returns an update with few names, types and values, so that they often collide. */
function randomUpdate(zone: string, random: Random) {
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
  const several = <T>(most: number, make: () => T) =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, make);
  const name = () => `${pick(['a', 'b', 'c', 'd.e', '*.w'])}.${zone}`;
  const type = () => pick(['A', 'TXT', 'CNAME', 'MX', 'AAAA']);
  const dataOf = (kind: string) =>
    ({
      A: pick(['192.0.2.1', '192.0.2.2', '192.0.2.3']),
      AAAA: pick(['2001:db8::1', '2001:db8::2']),
      TXT: pick(['"x"', '"y" "z"']),
      CNAME: pick(['one.example.net.', 'two.example.net.']),
      MX: pick(['10 mail.example.net.', '20 mail.example.net.']),
    })[kind] ?? '';
  const withRandomData = (ttl: number, at = name(), kind = type()) =>
    withData(at, kind, dataOf(kind), ttl);
  const step = () => {
    const kind = random();
    if (kind < 0.6) return withRandomData(pick([60, 300, 3600]));
    if (kind < 0.75) return { ...withRandomData(0), ...none };
    if (kind < 0.9) return updateRecord(name(), type(), any);
    if (kind < 0.97) return updateRecord(name(), 'ANY', any);
    return pick([
      withData('elsewhere.example.net.', 'A', '192.0.2.1', 60),
      updateRecord(name(), 'AXFR', any),
      updateRecord(name(), 'A', { ...any, ttl: 1 }),
    ]);
  };
  const test = () => {
    const kind = random();
    if (kind < 0.3) return updateRecord(name(), pick(['ANY', 'A', 'TXT']), pick([any, none]));
    return kind < 0.5 ? withRandomData(0) : updateRecord(name(), type(), pick([any, none]));
  };
  const authorities = several(5, step);
  // If a prerequisite fails and an update is invalid, BIND checks the updates first (docs/reference/dns-behaviour.md).
  const isBad = authorities.some(
    (each) => each.type === 252 || (each.class === RR_CLASS.ANY && each.ttl > 0),
  );
  const isOutside = authorities.some((each) => Buffer.from(each.name).includes('elsewhere'));
  return { answers: isBad || isOutside ? [] : several(1, test), authorities };
}
