import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPCODE, signRequest, type TsigKey, writeMessage } from '@zonewright/dns-records';
import { waitFor } from '@zonewright/testkit';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { RunningPlatform } from '../support/running-platform.js';
import {
  rcodeNameOf,
  sendTcp,
  signUpdate,
  updateRecord,
  withData,
} from '../support/update-client.js';
import { IS_LONG_ATTACK } from './support/attack-length.js';

const TIMEOUT_MS = 300_000;
const FLOOD_MS = IS_LONG_ATTACK ? 60_000 : 4_000;
/** Datagrams per second, from many networks. */
const RATE = IS_LONG_ATTACK ? 3_400 : 400;
const NETWORKS = 120;
const TICK_MS = 20;
const ZONES = 10;
/** Maximum delay. It is asserted only in the long form, which needs a quiet machine. */
const MAY_DELAY_MS = 100;
const zoneOf = (at: number) => `flooded-${at}.example.`;

/** Floods that need no account: updates and queries with unknown keys, and NOTIFY without a key. */
const FLOODS: Readonly<Record<string, (at: number) => Uint8Array>> = {
  'updates with unknown keys': (at) => signUpdate(zoneOf(at % ZONES), strangerOf(at), {}).message,
  'signed queries with unknown keys': (at) => {
    const questions = [updateRecord(zoneOf(at % ZONES), 'SOA')];
    const query = writeMessage({ id: at & 0xffff, flags: 0, questions });
    return signRequest(query, strangerOf(at), Date.now() / 1_000).message;
  },
  'unsigned NOTIFY': (at) => {
    const questions = [updateRecord(zoneOf(at % ZONES), 'SOA')];
    return writeMessage({ id: at & 0xffff, flags: OPCODE.NOTIFY << 11, questions });
  },
};

function strangerOf(at: number): TsigKey {
  return { name: `stranger-${at}.`, algorithm: 'hmac-sha256', secret: Buffer.alloc(32) };
}

describe('floods of messages', () => {
  let platform: RunningPlatform;
  let key: TsigKey;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    platform = await RunningPlatform.prepare();
    await platform.start({ NAMESERVER_FEED_POLL_INTERVAL_MS: '100' });
    const facts = await platform.readDemoEnvironment();
    key = {
      name: `${facts['ZONEWRIGHT_ACCESS_KEY'] ?? ''}.`,
      algorithm: 'hmac-sha256',
      secret: Buffer.from(facts['ZONEWRIGHT_SECRET_KEY'] ?? '', 'base64'),
    };
    await createZones(facts);
    for (let at = 0; at < NETWORKS; at += 1) {
      const socket = createSocket('udp4').bind(0, `127.0.${1 + at}.1`);
      await once(socket, 'listening');
      sockets.push(socket);
    }
  }, TIMEOUT_MS);
  afterAll(async () => {
    for (const socket of sockets) socket.close();
    await platform.remove();
  }, TIMEOUT_MS);

  async function createZones(facts: Readonly<Record<string, string>>): Promise<void> {
    const { ZONEWRIGHT_USERNAME: username, ZONEWRIGHT_PASSWORD: password } = facts;
    const auth = {
      passwordCredentials: { username, password },
      tenantId: facts['ZONEWRIGHT_TENANT_ID'],
    };
    const post = async (url: string, body: object, token = '') => {
      const headers = { 'content-type': 'application/json', 'x-auth-token': token };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
      return await response.json();
    };
    const { access } = (await post(`${facts['ZONEWRIGHT_IDENTITY_URL'] ?? ''}/v2.0/tokens`, {
      auth,
    })) as { access: { token: { id: string } } };
    for (let at = 0; at < ZONES; at += 1) {
      const domain = { name: zoneOf(at), email: 'a@example.com' };
      await post(`http://127.0.0.1:${platform.ports.dns}/v1/domains`, domain, access.token.id);
      await waitFor(async () => (await update(zoneOf(at), 0)).rcode === 'NOERROR', 30_000);
    }
  }

  async function update(zone: string, at: number) {
    const signed = signUpdate(zone, key, {
      authorities: [withData(`n${at}.${zone}`, 'A', '192.0.2.1', 60)],
    });
    const startedAt = performance.now();
    const answer = await sendTcp(platform.nameserver, signed.message, 5_000);
    const ms = performance.now() - startedAt;
    return { rcode: answer && rcodeNameOf(answer, key, signed.mac), ms };
  }

  /** Sends updates as an honest client does, one after the other. */
  async function beHonest(until: number) {
    const answers: Awaited<ReturnType<typeof update>>[] = [];
    for (let at = 0; Date.now() < until; at += 1) {
      answers.push(await update(zoneOf(at % ZONES), at));
      await delay(50);
    }
    return answers;
  }

  async function flood(make: (at: number) => Uint8Array, until: number): Promise<number> {
    const { host, port } = platform.nameserver;
    const startedAt = Date.now();
    let sent = 0;
    while (Date.now() < until) {
      const due = ((Date.now() - startedAt) / 1_000) * RATE;
      for (; sent < due; sent += 1) sockets[sent % NETWORKS]?.send(make(sent), port, host);
      await delay(TICK_MS);
    }
    return sent;
  }

  it.each(Object.keys(FLOODS))(
    '%s: each honest update over TCP succeeds',
    async (kind) => {
      const quiet = await beHonest(Date.now() + FLOOD_MS / 2);
      const until = Date.now() + FLOOD_MS;
      const [sent, answers] = await Promise.all([flood(FLOODS[kind]!, until), beHonest(until)]);
      const times = [quiet, answers].map((each) => p99(each.map(({ ms }) => ms)));
      process.stderr.write(`${kind}: ${sent} sent; p99 ${times.map(Math.round).join(' -> ')} ms\n`);
      expect(sent).toBeGreaterThan(RATE);
      expect(answers.filter(({ rcode }) => rcode !== 'NOERROR')).toEqual([]);
      if (IS_LONG_ATTACK) expect(times[1]! - times[0]!).toBeLessThan(MAY_DELAY_MS);
    },
    TIMEOUT_MS,
  );
});

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}
