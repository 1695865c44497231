import { afterEach, describe, expect, it } from '@jest/globals';
import {
  answerHeader,
  nameToWire,
  RCODE,
  rcodeOf,
  readMessage,
  rdataToWire,
  RR_TYPE,
  TsigAnswerSigner,
  type TsigKey,
  writeMessage,
} from '@zonewright/dns-records';
import { createLogger, readSettings, systemClock } from '@zonewright/service-kit';
import { readExtendedError, waitFor } from '@zonewright/testkit';
import { handleQuery } from '../src/answer/handle-query.js';
import { compileZone } from '../src/compile/compile-zone.js';
import { createTransports } from '../src/create-transports.js';
import { ImageWriter } from '../src/image/image-writer.js';
import { IMAGE_STATE } from '../src/image/layout.js';
import { runToEnd } from '../src/image/steps.js';
import { NAMESERVER_SETTINGS } from '../src/index.js';
import { MessageRelay } from '../src/relay/message-relay.js';
import { createTransferCounters } from '../src/stats/transfer-counters.js';
import { createTransportCounters } from '../src/stats/transport-counters.js';
import { DifferenceLog } from '../src/transfer/difference-log.js';
import { KeyTransfers } from '../src/transfer/key-transfers.js';
import { startTransports } from '../src/transport/start-transports.js';
import { askSigned, buildTransferQuery, transfer } from './support/peer.js';
import { TcpClient } from './support/tcp-client.js';

const ZONE = 'small.example.';
const KEY: TsigKey = { name: 'key.', algorithm: 'hmac-sha256', secret: Buffer.alloc(32, 1) };
const log = createLogger('test', 'silent');

interface Call {
  readonly path: string;
  readonly body: {
    readonly message: string;
    readonly answer?: string;
    readonly answers?: string[];
  };
}

type Answer = (call: Call) => Promise<{ readonly status: number; readonly body?: object }>;

const stops = new Set<() => Promise<unknown>>();
afterEach(async () => {
  await Promise.all([...stops].map((stop) => stop()));
  stops.clear();
});

const octetsOf = (base64: string) => Buffer.from(base64, 'base64');
const base64 = (octets: Uint8Array) => Buffer.from(octets).toString('base64');

/** Answers as the DNS API does, for the key. It permits every transfer. */
const asApi: Answer = ({ path, body }) => {
  const message = readMessage(octetsOf(body.message));
  const signer = new TsigAnswerSigner(KEY, message.tsig!.mac);
  const sign = (octets: Uint8Array) => signer.sign(octets, Date.now() / 1_000);
  if (path.endsWith('signed-transfers')) {
    const answers = (body.answers ?? []).map(octetsOf);
    const records = answers.map((each) => base64(sign(each).subarray(each.length)));
    return Promise.resolve({ status: 200, body: { records } });
  }
  const { questions } = message;
  const permit = writeMessage({ ...answerHeader(message, RCODE.NOERROR), questions });
  const answer = body.answer === undefined ? permit : octetsOf(body.answer);
  const tenantId = message.questions[0]!.name.length.toString();
  return Promise.resolve({ status: 200, body: { message: base64(sign(answer)), tenantId } });
};

interface Content {
  readonly zone?: string;
  readonly serial?: number;
  /** Number of records beside SOA and NS. */
  readonly records?: number;
  /** Octets of each TXT record; A records if it is not set. */
  readonly octets?: number;
  readonly isWithheld?: boolean;
}

function compile({ zone = ZONE, serial = 1, records = 3, octets, isWithheld = false }: Content) {
  const apex = nameToWire(zone);
  const record = (owner: Uint8Array, type: 'SOA' | 'NS' | 'A' | 'TXT', rdata: Uint8Array) => ({
    ...{ owner, type: RR_TYPE[type], ttl: 300, rdata },
  });
  const soa = rdataToWire('SOA', `ns.${zone} admin.${zone} ${serial} 1 1 1 1`, null);
  const strings = Buffer.from(`\xff${'x'.repeat(255)}`.repeat((octets ?? 256) / 256), 'latin1');
  const one = (at: number) => {
    const owner = nameToWire(`n${at}.${zone}`);
    if (octets !== undefined) return record(owner, 'TXT', strings);
    return record(owner, 'A', rdataToWire('A', '192.0.2.1', null));
  };
  const content = [
    record(apex, 'SOA', soa),
    record(apex, 'NS', rdataToWire('NS', 'ns.example.', null)),
    ...Array.from({ length: records }, (_, at) => one(at)),
  ];
  return compileZone({ apex, serial, records: isWithheld ? [] : content, isWithheld });
}

async function startServer(contents: readonly Content[], answer: Answer = asApi) {
  const image = ImageWriter.create(64 * 1_048_576);
  for (const content of contents) image.put(compile(content));
  image.setState(IMAGE_STATE.CURRENT);
  const differences = new DifferenceLog();
  const counters = createTransferCounters();
  const calls: Call[] = [];
  const relay = new MessageRelay({
    client: {
      call: async (call) => {
        calls.push(call as Call);
        return { headers: {}, body: {}, ...(await answer(call as Call)) };
      },
    },
    zoneSerial: (apex) => image.zoneSerial(apex),
    isLoaded: () => true,
    counters: { count: () => undefined, time: () => undefined },
    log,
  });
  const transfers = new KeyTransfers({
    ...{ image, differences, relay, counters, clock: systemClock, log },
  });
  const { tcp, udp } = createTransports({
    settings: readSettings(NAMESERVER_SETTINGS, {
      DATABASE_URL: 'postgres://none.invalid/none',
      NAMESERVER_HOST: '127.0.0.1',
      NAMESERVER_UDP_TRANSPORT: 'dgram',
    }),
    ...{ image, handleQuery, listAddresses: undefined, clock: systemClock, log },
    counters: createTransportCounters(),
    answerRelayed: relay.answer,
    answerTransferByKey: (request) => transfers.answer(request),
  });
  const port = await startTransports(tcp, udp, 0);
  stops.add(() => Promise.all([tcp.stop(), udp.stop()]));
  return { ...{ host: '127.0.0.1', port, image, differences, counters, calls, transfers } };
}

type Server = Awaited<ReturnType<typeof startServer>>;

const ask = (server: Server, query: object = {}, zone = ZONE) =>
  transfer(server, zone, { key: KEY, hasEdns: true, ...query });

async function reasonOf(server: Server, query: object = {}, zone = ZONE) {
  const { rcode, messages } = await ask(server, query, zone).catch(() =>
    unsignedAnswer(server, zone),
  );
  const name = Object.entries(RCODE).find(([, code]) => code === rcode)?.[0];
  return `${name} ${readExtendedError(messages[0]!.additionals)}`;
}

/** Returns an answer without a signature, which SERVFAIL may be. */
async function unsignedAnswer(server: Server, zone: string) {
  const client = await TcpClient.connect(server);
  client.send(buildTransferQuery(zone, { key: KEY, hasEdns: true }).message);
  const [octets] = await client.waitForMessages(1, 30_000);
  client.socket.destroy();
  const message = readMessage(octets!);
  return { rcode: rcodeOf(message), messages: [message] };
}

function change(server: Server, content: Content): void {
  const apex = nameToWire(ZONE);
  const block = compile(content);
  runToEnd(server.differences.record(apex, server.image.zoneBlock(apex), block));
  server.image.put(block);
}

describe('transfers by access key', () => {
  it('RFC 5936 s2.2: AXFR is the whole zone, each message signed, after the DNS API permitted it', async () => {
    const server = await startServer([{ octets: 25_600, records: 20 }]);
    const { records, messages } = await ask(server);
    expect(records).toHaveLength(20 + 1 + 2);
    expect(messages.length).toBeGreaterThan(8);
    expect(server.calls.map(({ path }) => path)).toEqual([
      'internal/v1/transfers',
      'internal/v1/signed-transfers',
    ]);
    expect(server.counters).toMatchObject({ done: { axfr: 1, ixfr: 0 }, refused: 0, cut: 0 });
    expect(server.transfers.running).toBe(0);
  });

  it('RFC 1995 s2, s4: IXFR has the changes since the serial, or only the SOA record', async () => {
    const server = await startServer([{ serial: 8 }]);
    expect((await ask(server, { from: 8 })).records).toEqual([`${ZONE} 300 6 serial 8`]);
    change(server, { serial: 9, records: 4 });
    const { records } = await ask(server, { from: 8 });
    expect(records.map((text) => text.replace(`${ZONE} 300 `, ''))).toEqual([
      ...['6 serial 9', '6 serial 8', '6 serial 9'],
      ...['n3.1 c0000201', '6 serial 9'],
    ]);
    // Without the changes the whole zone is the answer.
    expect((await ask(server, { from: 7 })).records).toHaveLength(1 + 1 + 4 + 1);
    expect(server.counters.done).toEqual({ axfr: 1, ixfr: 2 });
  });

  it('RFC 1995 s4: IXFR over UDP has the SOA record; RFC 5936 s4.2: AXFR is refused', async () => {
    const server = await startServer([{}]);
    const { answer, fault } = await askSigned(server, ZONE, { key: KEY, from: 1 });
    expect([fault, answer.answers.map(({ type }) => type)]).toEqual([undefined, [RR_TYPE.SOA]]);
    const refused = await askSigned(server, ZONE, { key: KEY, hasEdns: true });
    expect([refused.fault, rcodeOf(refused.answer)]).toEqual([undefined, RCODE.REFUSED]);
    expect(readExtendedError(refused.answer.additionals)).toBe('21 Use TCP for AXFR.');
    expect(new Set(server.calls.map(({ path }) => path))).toEqual(
      new Set(['internal/v1/signed-queries']),
    );
  });

  it('D-NS-37: up to 10,000 records and 3,000,000 bytes; a larger zone is refused, by IXFR as well', async () => {
    const [many, more, long] = ['many.example.', 'more.example.', 'long.example.'];
    const server = await startServer([
      { zone: many, records: 9_998 },
      { zone: more, records: 9_999 },
      { zone: long, records: 118, octets: 25_600 },
    ]);
    expect((await ask(server, {}, many)).records).toHaveLength(10_001);
    const reason = /^REFUSED 0 The zone has more than 10000 records; create a transfer key/;
    expect(await reasonOf(server, {}, more)).toMatch(reason);
    expect(await reasonOf(server, { from: 1 }, more)).toMatch(reason);
    expect(await reasonOf(server, {}, long)).toMatch(
      /^REFUSED 0 The transfer has more than 3000000/,
    );
    expect(server.counters).toMatchObject({ done: { axfr: 1, ixfr: 0 }, refused: 3 });
  });

  it('a zone without current data: SERVFAIL; a name that is no zone of this server: BADKEY, unasked', async () => {
    const server = await startServer([{}, { zone: 'expired.example.', isWithheld: true }]);
    expect(await reasonOf(server, {}, 'expired.example.')).toMatch(/^SERVFAIL 14 The zone has no/);
    const before = server.calls.length;
    for (const name of ['elsewhere.test.', `n1.${ZONE}`]) {
      const { rcode, messages } = await ask(server, {}, name);
      expect([rcode, messages[0]?.tsig?.error]).toEqual([RCODE.NOTAUTH, 17]);
    }
    expect(server.calls).toHaveLength(before);
  });

  it.each([
    ['the permission', 'internal/v1/transfers'],
    ['the signatures', 'internal/v1/signed-transfers'],
  ])('without %s of the DNS API: SERVFAIL with the reason', async (_what, lost) => {
    const server = await startServer([{}], async (call) =>
      call.path === lost ? { status: 503 } : await asApi(call),
    );
    expect(await reasonOf(server)).toBe(
      'SERVFAIL 14 Access keys cannot be checked at the moment; try again.',
    );
    expect(server.transfers.running).toBe(0);
  });

  it('each copy of a message is asked about, since one message is good for one transfer', async () => {
    const server = await startServer([{}]);
    const { message } = buildTransferQuery(ZONE, { key: KEY });
    const client = await TcpClient.connect(server);
    client.send(message, message);
    await client.waitForMessages(2, 30_000);
    client.socket.destroy();
    expect(server.calls.filter(({ path }) => path === 'internal/v1/transfers')).toHaveLength(2);
  });

  it('a tenant whose transfers hang leaves those of others alone', async () => {
    const hostile = 'hostile-zone.example.';
    const server = await startServer([{}, { zone: hostile }], async (call) => {
      const { questions } = readMessage(octetsOf(call.body.message));
      const isHostile = questions[0]!.name.length === nameToWire(hostile).length;
      if (isHostile && call.path.endsWith('signed-transfers')) await new Promise(() => undefined);
      return await asApi(call);
    });
    const clients: TcpClient[] = [];
    for (let at = 0; at < 30; at += 1) {
      const client = await TcpClient.connect(server);
      client.send(buildTransferQuery(hostile, { key: KEY }).message);
      clients.push(client);
    }
    await waitFor(() => server.calls.some(({ path }) => path.endsWith('signed-transfers')));
    expect((await ask(server)).rcode).toBe(0);
    expect(server.transfers.running).toBeLessThanOrEqual(4);
    for (const { socket } of clients) socket.destroy();
  });
});
