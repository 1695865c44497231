import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchangeTcp, exchangeUdp, type NameserverAddress } from '@zonewright/testkit';

import { decodeMessage, type Message } from './message.js';
import { buildQuery, type EdnsSpec, type QuerySpec } from './query.js';
import { sendTwoOverTcp, sendTwoOverUdp } from './send-two.js';
import { isOtherServer, type RunningServer, startServer, type UdpName } from './server.js';

/** A question and its complete answer. */
export interface AnswerCase {
  /** The rule and its source, as in `RFC 2308 s2.2: ...`. */
  readonly rule: string;
  /** The name and type, `www.example. A`, or with a class, `id.server. CH TXT`. */
  readonly question: string;
  readonly rcode: string;
  /** The flags of the response: `aa`, `aa tc`, or none. RD is not set in the query. */
  readonly flags: string;
  /** The records as in a zone file, one on each line, in any order; an omitted section is empty. */
  readonly answer?: string;
  readonly authority?: string;
  readonly additional?: string;
}

export type TransportName = UdpName | 'TCP';

/**
 * Our server answers with both of its UDP transports: in batches, where the system supports them, and by node:dgram.
 */
export const UDP_TRANSPORTS: readonly UdpName[] = isOtherServer ? ['UDP'] : ['UDP', 'UDP by dgram'];

export const TRANSPORTS: readonly TransportName[] = [...UDP_TRANSPORTS, 'TCP'];

export const ID_OF_HONEST_QUERY = 0xbeef;

const EDNS_CHOICES: readonly (readonly [string, EdnsSpec | undefined])[] = [
  ['without EDNS', undefined],
  ['with EDNS', {}],
];

/** Each way to send one query (title, transport, EDNS), for describe.each. */
export const QUERY_FORMS = TRANSPORTS.flatMap((transport) =>
  EDNS_CHOICES.map(([title, edns]) => [`${transport} ${title}`, transport, edns] as const),
);

/** The time limit of one answer. An answer takes far less, but on a busy machine a test may have to wait. */
const ANSWER_DEADLINE_MS = 8_000;

/** The ways to send messages to the server under test. */
export interface ServerUnderTest {
  readonly ask: (transport: TransportName, spec: QuerySpec) => Promise<Message>;
  /** Sends octets that the test has written itself. */
  readonly exchange: (transport: TransportName, query: Uint8Array) => Promise<Message>;
  /** Sends octets that must not be answered, then a query; returns the first answer that arrives. */
  readonly askAfter: (transport: TransportName, silenced: Uint8Array) => Promise<Message>;
  /**
   * Returns how many answers with this rcode the server has counted; NaN for another server, whose counters are
   * unknown.
   */
  readonly countOf: (transport: TransportName, rcodeNumber: number) => number;
}

/** Starts the server under test for the tests of a file. */
export function useServer(): ServerUnderTest {
  let server: RunningServer | undefined;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server?.stop();
  });
  function address(transport: TransportName): NameserverAddress {
    if (server === undefined) throw new Error('The server is not running.');
    return transport === 'UDP by dgram' ? server.dgramAddress : server.address;
  }
  const exchange: ServerUnderTest['exchange'] = async (transport, query) => {
    const send = transport === 'TCP' ? exchangeTcp : exchangeUdp;
    return decodeMessage(await send(address(transport), query, ANSWER_DEADLINE_MS));
  };
  return {
    countOf: (transport, rcodeNumber) => {
      const { counters, dgramCounters } = server ?? {};
      const counted = transport === 'UDP by dgram' ? dgramCounters : counters;
      const { queries } = (transport === 'TCP' ? counted?.tcp : counted?.udp) ?? {};
      return queries?.byRcode[rcodeNumber] ?? NaN;
    },
    exchange,
    ask: (transport, spec) => exchange(transport, buildQuery(spec)),
    askAfter: async (transport, silenced) => {
      const query = buildQuery({ question: 'www.corp.test. A', id: ID_OF_HONEST_QUERY });
      const send = transport === 'TCP' ? sendTwoOverTcp : sendTwoOverUdp;
      return decodeMessage(await send(address(transport), silenced, query));
    },
  };
}

/** Tests cases that each server may decide for itself; they are skipped for another server. */
export function describeOurAnswers(title: string, cases: readonly AnswerCase[]): void {
  describeEach(isOtherServer ? describe.skip : describe, title, cases);
}

/** Tests each case over UDP and TCP, with and without EDNS. */
export function describeAnswers(title: string, cases: readonly AnswerCase[]): void {
  describeEach(describe, title, cases);
}

function describeEach(
  describeAll: typeof describe | typeof describe.skip,
  title: string,
  cases: readonly AnswerCase[],
): void {
  describeAll(title, () => {
    const { ask, countOf } = useServer();
    describe.each(cases)('$rule ($question)', (expected) => {
      describe.each(TRANSPORTS)('over %s', (transport) => {
        it.each(EDNS_CHOICES)('%s', async (_, edns) => {
          const response = await ask(transport, { question: expected.question, edns });
          expectAnswer(response, expected);
          expect(response.opt === undefined).toBe(edns === undefined);
          const counted = countOf(transport, response.rcodeNumber);
          await ask(transport, { question: expected.question, edns });
          expect(countOf(transport, response.rcodeNumber)).toBe(counted + 1);
        });
      });
    });
  });
}

/** Compares all sections, without OPT. */
export function expectAnswer(response: Message, expected: Omit<AnswerCase, 'rule'>): void {
  const { authorities, additionals } = isOtherServer
    ? withoutOptionalRecords(response, expected)
    : response;
  expect({
    questions: response.questions,
    rcode: response.rcode,
    flags: response.flags,
    answer: response.answers.toSorted(),
    authority: authorities.toSorted(),
    additional: additionals.toSorted(),
  }).toEqual({
    questions: [expected.question],
    rcode: expected.rcode,
    flags: expected.flags,
    answer: toLines(expected.answer),
    authority: toLines(expected.authority),
    additional: toLines(expected.additional),
  });
}

/**
 * Removes records that other servers may add. RFC 1034, section 4.3.2, allows them to add the zone's NS records and
 * their addresses; expected records must still be present.
 */
function withoutOptionalRecords(
  { answers, authorities, additionals }: Message,
  expected: Omit<AnswerCase, 'rule'>,
): Pick<Message, 'authorities' | 'additionals'> {
  const isOptional = (line: string): boolean => / IN (NS|A|AAAA) /.test(line);
  const isExpected = (line: string): boolean =>
    [...toLines(expected.authority), ...toLines(expected.additional)].includes(line);
  const keep = (line: string): boolean => isExpected(line) || !isOptional(line);
  if (answers.length === 0) return { authorities, additionals };
  return { authorities: authorities.filter(keep), additionals: additionals.filter(keep) };
}

/** Returns the records of a text in the form of decodeMessage(). */
function toLines(text = ''): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().replaceAll(/ +/g, ' '))
    .filter((line) => line !== '')
    .toSorted();
}
