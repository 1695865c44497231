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

function update(name = APEX): Uint8Array {
  ids += 1;
  const questions = [{ name, type: RR_TYPE.SOA, class: RR_CLASS.IN }];
  const message = writeMessage({ id: ids, flags: 0x2800, questions });
  return signRequest(message, KEY, 1_700_000_000).message;
}

const received = (octets: Uint8Array, members: Partial<ReceivedMessage> = {}): ReceivedMessage => ({
  octets,
  source: '192.0.2.1',
  transport: 'tcp',
  ...members,
});

interface Called {
  readonly path: string;
  readonly body?: unknown;
}

/** A relay to a DNS API that answers as `answer` says; `isOld`: it takes one message at a time. */
function relayTo(
  answer: (call: Called) => Promise<{ status: number; body: unknown }>,
  options: {
    readonly serial?: () => number;
    readonly isLoaded?: boolean;
    readonly isOld?: boolean;
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
        if (options.isOld === true) return { headers: {}, status: 400, body: {} };
        const ones = messages.map((body) => ({ ...call, body }));
        calls.push(...ones);
        const answered = await Promise.all(ones.map(answer));
        const answers = answered.map(({ status, body }) =>
          status === 200 ? body : { message: null },
        );
        return { headers: {}, status: 200, body: { answers } };
      },
    },
    zoneSerial: (apex) => (Buffer.from(apex).equals(APEX) ? (options.serial?.() ?? 1) : undefined),
    isLoaded: () => options.isLoaded ?? true,
    counters: {
      count: (kind, outcome) => counted.push(`${kind} ${outcome}`),
      time: () => undefined,
    },
    log: createLogger('test', 'silent'),
  });
  return { relay, calls, counted, together };
}

const done = (published: object | null = null) => ({
  status: 200,
  body: { message: Buffer.from('done').toString('base64'), published },
});

async function rcodeOfAnswer(relay: MessageRelay, given: ReceivedMessage) {
  const answer = await relay.answer(given);
  return answer === undefined ? undefined : rcodeOf(readMessage(answer));
}

describe('the relay of messages', () => {
  it('hands on what is signed and for a zone of ours, with where it came from', async () => {
    const { relay, calls } = relayTo(() => Promise.resolve(done()));
    const octets = update();
    expect(Buffer.from((await relay.answer(received(octets)))!).toString()).toBe('done');
    const message = Buffer.from(octets).toString('base64');
    expect(calls[0]?.body).toEqual({ message, source: '192.0.2.1', transport: 'tcp' });
  });

  it.each([
    ['no message', update().slice(0, 30), RCODE.FORMERR],
    ['no TSIG', writeMessage({ id: 1, flags: 0x2800 }), RCODE.REFUSED],
    ['no zone of ours', update(nameToWire('example.net.')), RCODE.NOTAUTH],
  ])('answers what has %s by itself', async (_what, octets, rcode) => {
    const { relay, calls } = relayTo(() => Promise.resolve(done()));
    expect(await rcodeOfAnswer(relay, received(octets))).toBe(rcode);
    expect(calls).toEqual([]);
  });

  it('has answers to signed queries signed, whatever becomes of updates', async () => {
    const { relay, calls } = relayTo(() => Promise.resolve(done()));
    const questions = [{ name: APEX, type: RR_TYPE.SOA, class: RR_CLASS.IN }];
    const octets = signRequest(writeMessage({ id: 7, flags: 0, questions }), KEY, 1).message;
    const given = received(octets, { answer: Buffer.from('unsigned') });
    expect(Buffer.from((await relay.answer(given))!).toString()).toBe('done');
    const answer = Buffer.from('unsigned').toString('base64');
    expect(calls[0]).toMatchObject({ path: 'internal/v1/signed-queries', body: { answer } });
  });

  it('hands NOTIFY on, signed or not, but not more than fifty in a second, and counts them', async () => {
    const { relay, calls, counted } = relayTo(() => Promise.resolve(done()));
    const questions = [{ name: APEX, type: RR_TYPE.SOA, class: RR_CLASS.IN }];
    const notify = (id: number) =>
      received(writeMessage({ id, flags: 0x2400, questions }), { transport: 'udp' });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => relay.answer(notify(at))),
    );
    // The second may end meanwhile.
    expect(calls.length).toBeGreaterThanOrEqual(50);
    expect(calls.length).toBeLessThanOrEqual(100);
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(calls.length);
    expect(calls[0]?.path).toBe('internal/v1/notifies');
    expect(counted.filter((each) => each === 'notify answered')).toHaveLength(calls.length);
    expect(counted).toContain('notify dropped');
  });

  it('hands on no more of a network whose signatures are wrong, for the rest of a second, and all of others', async () => {
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
    // A second may end meanwhile, and another one begin.
    expect(calls.length).toBeGreaterThanOrEqual(20);
    expect(calls.length).toBeLessThan(flood);
    expect(counted.filter((each) => each === 'update dropped')).toHaveLength(flood - calls.length);
    const before = calls.length;
    await relay.answer(received(update(), { source: '198.51.100.1' }));
    expect(calls).toHaveLength(before + 1);
  });

  it('before the zones are read no name is said not to be one of them', async () => {
    const { relay } = relayTo(() => Promise.resolve(done()), { isLoaded: false });
    const given = received(update(nameToWire('example.net.')));
    expect(await rcodeOfAnswer(relay, given)).toBe(RCODE.SERVFAIL);
  });

  it('relays a message once that comes twice, and again when it could not be done', async () => {
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

  it.each([false, true])(
    'hands messages for one zone over together, if it can (%s: not)',
    async (isOld) => {
      let status = 200;
      const { relay, calls, together } = relayTo(
        ({ body }) => {
          const isLast = (body as { source: string }).source === '192.0.2.3';
          return Promise.resolve({ ...done(), status: isLast ? status : 200 });
        },
        { isOld },
      );
      status = 503;
      const answers = await Promise.all(
        [1, 2, 3].map((at) => relay.answer(received(update(), { source: `192.0.2.${at}` }))),
      );
      expect(together).toEqual([3]);
      expect(calls).toHaveLength(3);
      const [first, second, last] = answers.map((octets) => Buffer.from(octets ?? []));
      expect([first, second].map(String)).toEqual(
        isOld ? [expect.any(String), expect.any(String)] : ['done', 'done'],
      );
      expect(rcodeOf(readMessage(last!))).toBe(RCODE.SERVFAIL);
    },
  );

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

  it('takes sixteen at a time, and of one network no more than 64: silence over UDP, SERVFAIL over TCP', async () => {
    const waiting: (() => void)[] = [];
    const { relay, calls } = relayTo(async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return done();
    });
    const answers = Array.from({ length: 64 }, () => relay.answer(received(update())));
    await waitFor(() => calls.length === 16);
    expect(await relay.answer(received(update(), { transport: 'udp' }))).toBeUndefined();
    expect(await rcodeOfAnswer(relay, received(update()))).toBe(RCODE.SERVFAIL);
    const other = relay.answer(received(update(), { source: '198.51.100.1' }));
    while (calls.length < 65) {
      for (const resolve of waiting.splice(0)) resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const resolve of waiting.splice(0)) resolve();
    expect((await Promise.all([...answers, other])).map(String)).toHaveLength(65);
  });
});
