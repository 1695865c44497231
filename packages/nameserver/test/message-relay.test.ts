import { describe, expect, it } from '@jest/globals';
import {
  answerHeader,
  nameToWire,
  RCODE,
  rcodeOf,
  readMessage,
  RR_CLASS,
  RR_TYPE,
  signRequest,
  TsigAnswerSigner,
  type TsigKey,
  withTsigFault,
  writeMessage,
} from '@zonewright/dns-records';
import { createLogger } from '@zonewright/service-kit';
import { waitFor } from '@zonewright/testkit';
import { MessageRelay } from '../src/relay/message-relay.js';
import type { ReceivedMessage } from '../src/relay/received-message.js';

const APEX = nameToWire('example.com.');
const KEY = { name: 'k.', algorithm: 'hmac-sha256', secret: Buffer.alloc(32) } as const;

let ids = 0;

function update(name = APEX, key: TsigKey = KEY): Uint8Array {
  ids += 1;
  const questions = [{ name, type: RR_TYPE.SOA, class: RR_CLASS.IN }];
  const message = writeMessage({ id: ids & 0xffff, flags: 0x2800, questions });
  return signRequest(message, key, 1_700_000_000 + ids).message;
}

const received = (octets: Uint8Array, members: Partial<ReceivedMessage> = {}): ReceivedMessage => ({
  octets,
  source: '192.0.2.1',
  transport: 'tcp',
  ...members,
});

/** Returns whether the zone is `example.com.` or any zone below `hosted.` */
const isHosted = (apex: Uint8Array) =>
  Buffer.from(apex).equals(APEX) || Buffer.from(apex).includes('hosted');

interface Called {
  readonly path: string;
  readonly body?: unknown;
}

/** Returns a relay to a DNS API whose responses `answer` provides. */
function relayTo(
  answer: (call: Called) => Promise<{ status: number; body: unknown }>,
  options: {
    readonly serial?: () => number;
    readonly isLoaded?: boolean;
  } = {},
) {
  const calls: Called[] = [];
  const together: number[] = [];
  const counted: string[] = [];
  const relay = new MessageRelay({
    client: {
      call: async (call) => {
        const { messages } = call.body as { messages?: object[] };
        if (messages === undefined) {
          calls.push(call);
          return { headers: {}, ...(await answer(call)) };
        }
        together.push(messages.length);
        const ones = messages.map((body) => ({ ...call, body }));
        calls.push(...ones);
        const answered = await Promise.all(ones.map(answer));
        const answers = answered.map(({ status, body }) =>
          status === 200 ? body : { message: null },
        );
        return { headers: {}, status: 200, body: { answers } };
      },
    },
    zoneSerial: (apex) => (isHosted(apex) ? (options.serial?.() ?? 1) : undefined),
    isLoaded: () => options.isLoaded ?? true,
    counters: {
      count: (kind, outcome) => counted.push(`${kind} ${outcome}`),
      time: () => undefined,
    },
    log: createLogger('test', 'silent'),
  });
  return { relay, calls, counted, together };
}

/** Returns a response whose message is a NOERROR. */
const done = (published: object | null = null, members: object = {}) => ({
  status: 200,
  body: { message: Buffer.from('done').toString('base64'), published, ...members },
});

const notify = (name: Uint8Array, source: string) => {
  ids += 1;
  const questions = [{ name, type: RR_TYPE.SOA, class: RR_CLASS.IN }];
  return received(writeMessage({ id: ids & 0xffff, flags: 0x2400, questions }), {
    transport: 'udp',
    source,
  });
};

const hosted = (at: number) => nameToWire(`zone-${at}.hosted.`);

/** Returns the DNS API's response to each message: signed with the key, or with an error of TSIG. */
function answered(body: unknown, error?: 'BADKEY') {
  const octets = Buffer.from((body as { message: string }).message, 'base64');
  const message = readMessage(octets);
  const { questions, tsig } = message;
  const answer = writeMessage({
    ...answerHeader(message, error === undefined ? RCODE.NOERROR : RCODE.NOTAUTH),
    questions,
  });
  const signed =
    error === undefined
      ? new TsigAnswerSigner(KEY, tsig!.mac).sign(answer, 1_700_000_000)
      : withTsigFault(answer, { tsig: tsig!, fault: error, key: undefined }, 1_700_000_000);
  return { message: Buffer.from(signed).toString('base64'), published: null };
}

async function rcodeOfAnswer(relay: MessageRelay, given: ReceivedMessage) {
  const answer = await relay.answer(given);
  return answer === undefined ? undefined : rcodeOf(readMessage(answer));
}

describe('the relay of messages', () => {
  it('forwards signed messages for our zones, with their source', async () => {
    const { relay, calls } = relayTo(() => Promise.resolve(done()));
    const octets = update();
    expect(Buffer.from((await relay.answer(received(octets)))!).toString()).toBe('done');
    const message = Buffer.from(octets).toString('base64');
    expect(calls[0]?.body).toEqual({ message, source: '192.0.2.1', transport: 'tcp' });
  });

  it.each([
    ['no message', update().slice(0, 30), RCODE.FORMERR],
    ['no TSIG', writeMessage({ id: 1, flags: 0x2800 }), RCODE.REFUSED],
    ['an unknown zone', update(nameToWire('example.net.')), RCODE.NOTAUTH],
  ])('answers messages with %s itself', async (_what, octets, rcode) => {
    const { relay, calls } = relayTo(() => Promise.resolve(done()));
    expect(await rcodeOfAnswer(relay, received(octets))).toBe(rcode);
    expect(calls).toEqual([]);
  });

  it('gets signatures for the answers to signed queries, whatever happens to updates', async () => {
    const { relay, calls } = relayTo(() => Promise.resolve(done()));
    const questions = [{ name: APEX, type: RR_TYPE.SOA, class: RR_CLASS.IN }];
    const octets = signRequest(writeMessage({ id: 7, flags: 0, questions }), KEY, 1).message;
    const given = received(octets, { answer: Buffer.from('unsigned') });
    expect(Buffer.from((await relay.answer(given))!).toString()).toBe('done');
    const answer = Buffer.from('unsigned').toString('base64');
    expect(calls[0]).toMatchObject({ path: 'internal/v1/signed-queries', body: { answer } });
  });

  it('forwards NOTIFY, signed or not, many in one call, and counts them', async () => {
    const { relay, calls, counted, together } = relayTo(() => Promise.resolve(done()));
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) => relay.answer(notify(APEX, `192.0.2.${at}`))),
    );
    expect(answers.map(String)).toEqual(answers.map(() => 'done'));
    expect(calls[0]?.path).toBe('internal/v1/notifies');
    expect(together[0]).toBe(40);
    expect(counted.filter((each) => each === 'notify answered')).toHaveLength(40);
  });

  it('stops forwarding for a network with wrong signatures for the rest of a second, but for no others', async () => {
    const wrong = (octets: Uint8Array) => {
      const message = readMessage(octets);
      const refusal = writeMessage(answerHeader(message, RCODE.NOTAUTH));
      const faulty = { tsig: message.tsig!, fault: 'BADSIG', key: undefined } as const;
      return withTsigFault(refusal, faulty, 1_700_000_000);
    };
    const { relay, calls, counted } = relayTo(({ body }) => {
      const { message } = body as { message: string };
      const answer = Buffer.from(wrong(Buffer.from(message, 'base64'))).toString('base64');
      return Promise.resolve({ status: 200, body: { message: answer } });
    });
    const flood = 200;
    for (let sent = 0; sent < flood; sent++) await relay.answer(received(update()));
    // A second may end in the meantime, and another one begin.
    expect(calls.length).toBeGreaterThanOrEqual(20);
    expect(calls.length).toBeLessThan(flood);
    expect(counted.filter((each) => each === 'update dropped')).toHaveLength(flood - calls.length);
    const before = calls.length;
    await relay.answer(received(update(), { source: '198.51.100.1' }));
    expect(calls).toHaveLength(before + 1);
  });

  it('before the zones are read, refuses no name as unknown', async () => {
    const { relay } = relayTo(() => Promise.resolve(done()), { isLoaded: false });
    const given = received(update(nameToWire('example.net.')));
    expect(await rcodeOfAnswer(relay, given)).toBe(RCODE.SERVFAIL);
  });

  it('forwards a repeated message once, and again if it failed', async () => {
    let status = 503;
    const { relay, calls } = relayTo(() => Promise.resolve({ ...done(), status }));
    const given = received(update());
    const both = await Promise.all([rcodeOfAnswer(relay, given), rcodeOfAnswer(relay, given)]);
    expect(both).toEqual([RCODE.SERVFAIL, RCODE.SERVFAIL]);
    expect(calls).toHaveLength(1);
    status = 200;
    await Promise.all([relay.answer(given), relay.answer(given)]);
    await relay.answer(given);
    expect(calls).toHaveLength(2);
  });

  it('forwards messages for one zone together', async () => {
    const { relay, calls, together } = relayTo(({ body }) => {
      const isLast = (body as { source: string }).source === '192.0.2.3';
      return Promise.resolve({ ...done(), status: isLast ? 503 : 200 });
    });
    const answers = await Promise.all(
      [1, 2, 3].map((at) => relay.answer(received(update(), { source: `192.0.2.${at}` }))),
    );
    expect(together).toEqual([3]);
    expect(calls).toHaveLength(3);
    const [first, second, last] = answers.map((octets) => Buffer.from(octets ?? []));
    expect([first, second].map(String)).toEqual(['done', 'done']);
    expect(rcodeOf(readMessage(last!))).toBe(RCODE.SERVFAIL);
  });

  it('answers when this server has the change', async () => {
    let serial = 1;
    const published = { zone: 'example.com.', serial: 2 };
    const { relay } = relayTo(() => Promise.resolve(done(published)), { serial: () => serial });
    let isAnswered = false;
    const answer = relay.answer(received(update())).then(() => (isAnswered = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    serial = 2;
    relay.replaced('example.com.');
    await answer;
  });

  it('forwards sixteen at a time, and holds 64 of one network: more get silence over UDP, SERVFAIL over TCP', async () => {
    const waiting: (() => void)[] = [];
    const { relay, calls } = relayTo(async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return done();
    });
    const many = (transport: 'tcp' | 'udp') =>
      Array.from({ length: 64 }, () => relay.answer(received(update(), { transport })));
    const answers = many('tcp');
    await waitFor(() => calls.length === 16);
    expect(await rcodeOfAnswer(relay, received(update()))).toBe(RCODE.SERVFAIL);
    answers.push(...many('udp'));
    expect(await relay.answer(received(update(), { transport: 'udp' }))).toBeUndefined();
    const other = relay.answer(received(update(), { source: '198.51.100.1' }));
    while (calls.length < 129) {
      for (const resolve of waiting.splice(0)) resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const resolve of waiting.splice(0)) resolve();
    expect((await Promise.all([...answers, other])).map(String)).toHaveLength(129);
  });
});

describe('the relay under a flood', () => {
  it('one zone whose updates hang does not delay others', async () => {
    const { relay, calls } = relayTo(async ({ body }) => {
      const { source } = body as { source: string };
      if (source === '192.0.2.66') await new Promise(() => undefined);
      return { status: 200, body: answered(body) };
    });
    for (let at = 0; at < 64; at += 1)
      void relay.answer(received(update(hosted(0)), { source: '192.0.2.66' }));
    await waitFor(() => calls.length >= 16);
    for (let at = 1; at < 20; at += 1)
      expect(await rcodeOfAnswer(relay, received(update(hosted(at))))).toBe(RCODE.NOERROR);
  });

  it('if all zones of one tenant hang, calls for other tenants remain', async () => {
    let isHanging = false;
    const { relay, calls } = relayTo(async ({ body }) => {
      const { source } = body as { source: string };
      const isHostile = source === '192.0.2.66';
      if (isHostile && isHanging) await new Promise(() => undefined);
      const tenantId = isHostile ? 'hostile' : source;
      return { status: 200, body: { ...answered(body), tenantId } };
    });
    const all = (members: object) =>
      Array.from({ length: 60 }, (_, at) => relay.answer(received(update(hosted(at)), members)));
    await Promise.all(all({ source: '192.0.2.66' }));
    isHanging = true;
    calls.length = 0;
    void Promise.all(all({ source: '192.0.2.66' }));
    await waitFor(() => calls.length >= 16);
    for (let at = 100; at < 120; at += 1) {
      const given = received(update(hosted(at)), { source: `198.51.100.${at}` });
      expect(await rcodeOfAnswer(relay, given)).toBe(RCODE.NOERROR);
    }
    expect(
      calls.filter(({ body }) => (body as { source: string }).source === '192.0.2.66'),
    ).toHaveLength(16);
  });

  it('NOTIFY from unknown sources displaces none of a primary, known or not', async () => {
    const primary = '198.51.100.1';
    const { relay } = relayTo(({ body }) => {
      const { message: text, source } = body as { message: string; source: string };
      const message = readMessage(Buffer.from(text, 'base64'));
      const rcode = source === primary ? RCODE.NOERROR : RCODE.REFUSED;
      const answer = writeMessage({
        ...answerHeader(message, rcode),
        questions: message.questions,
      });
      return Promise.resolve({
        status: 200,
        body: { message: Buffer.from(answer).toString('base64') },
      });
    });
    for (let round = 0; round < 5; round += 1) {
      const flood = Array.from({ length: 900 }, (_, at) =>
        relay.answer(notify(hosted(at), `10.${round}.${at >> 8}.${at & 255}`)),
      );
      // One zone was never mentioned before, and the other is known from the first round.
      expect(await rcodeOfAnswer(relay, notify(hosted(5_000), primary))).toBe(RCODE.NOERROR);
      await Promise.all(flood);
    }
  });

  it.each([
    ['updates', (octets: Uint8Array) => ({ octets })],
    ['signed queries', (octets: Uint8Array) => ({ octets, answer: octets })],
  ])('%s with unknown keys by UDP leave slots for known keys and TCP', async (_what, toGiven) => {
    const stranger = { ...KEY, name: 'stranger.' };
    const { relay, calls } = relayTo(async ({ body }) => {
      const { source } = body as { source: string };
      if (!source.startsWith('10.')) return { status: 200, body: answered(body) };
      await new Promise((resolve) => setImmediate(resolve));
      return { status: 200, body: answered(body, 'BADKEY') };
    });
    const udp = { transport: 'udp' } as const;
    const known = { ...udp, source: '198.51.100.1' };
    expect(await rcodeOfAnswer(relay, received(update(), known))).toBe(RCODE.NOERROR);
    const flood = Array.from({ length: 3_400 }, (_, at) => {
      const source = `10.0.${at % 120}.1`;
      const given = toGiven(update(hosted(at % 50), { ...stranger, name: `k${at}.` }));
      return relay.answer({ ...udp, ...given, source });
    });
    for (let at = 0; at < 22; at += 1) {
      const tcp = received(update(), { source: `203.0.113.${at}` });
      expect(await rcodeOfAnswer(relay, { ...tcp, ...toGiven(tcp.octets) })).toBe(RCODE.NOERROR);
      const again = received(update(), known);
      expect(await rcodeOfAnswer(relay, { ...again, ...toGiven(again.octets) })).toBe(
        RCODE.NOERROR,
      );
    }
    await Promise.all(flood);
    const ofStrangers = calls.filter(({ body }) =>
      (body as { source: string }).source.startsWith('10.'),
    );
    // A second may end in the meantime.
    expect(ofStrangers.length).toBeLessThan(1_000);
  });
});
