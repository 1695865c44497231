import { nameToWire, rdataToWire, typeNumber } from '@zonewright/dns-records';
import { describe, expect, it } from '@jest/globals';
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { buildQuery } from '../conformance/support/query.js';
import type { ZoneContent } from '../src/compile/zone-tree.js';
import { decodePlainly, type PlainMessage } from './support/codec.js';
import { InProcessServer } from './support/in-process-server.js';
import { plainAnswer, type PlainAnswer, type PlainRecord, type PlainZone } from './plain-answer.js';

/**
 * The number of sets of zones; `npm run test:faults` uses 4,000, which are 100,000 questions, each over UDP and TCP.
 */
const ZONE_SETS = Number(process.env['ANSWERED_ZONE_SETS'] ?? 1_000);
const QUESTIONS_OF_EACH = 25;

/**
 * A small set of labels, so that questions and targets match existing names; one label is long, so that answers are
 * long, too.
 */
const LABELS = ['a', 'b', 'a', 'b', '*', 'long'.repeat(15)];
const APEXES = ['', 'a', 'b', 'a.b', 'b.a.b'];
const QTYPES = ['A', 'NS', 'CNAME', 'SOA', 'MX', 'TXT', 'AAAA', 'SRV', 'DS', 'ANY', 'TYPE65280'];
const TTLS = [0, 60, 300, 2_147_483_647];

const label = fc.constantFrom(...LABELS);
const name = fc.array(label, { maxLength: 4, size: 'max' }).map((labels) => labels.join('.'));

/** A record whose apex is not chosen yet. */
interface RelativeRecord {
  readonly labels: readonly string[];
  readonly type: string;
  readonly ttl: number;
  readonly data: string;
}

function record(type: string, data: fc.Arbitrary<string>): fc.Arbitrary<RelativeRecord> {
  return fc.record({
    labels: fc.array(label, { maxLength: 2, size: 'max' }),
    type: fc.constant(type),
    ttl: fc.constantFrom(...TTLS),
    data,
  });
}

const records = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: record('A', fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3')) },
    { weight: 2, arbitrary: record('AAAA', fc.constantFrom('2001:db8::1', '2001:db8::2')) },
    { weight: 4, arbitrary: record('NS', name) },
    { weight: 3, arbitrary: record('CNAME', name) },
    {
      weight: 2,
      arbitrary: record(
        'MX',
        name.map((target) => `10 ${target}`),
      ),
    },
    {
      weight: 1,
      arbitrary: record(
        'SRV',
        name.map((target) => `1 2 3 ${target}`),
      ),
    },
    {
      weight: 4,
      arbitrary: record(
        'TXT',
        fc.constantFrom('x', 'v'.repeat(150), 'y'.repeat(200), 'z'.repeat(250)),
      ),
    },
  ),
  // Without `size`, fast-check prefers short lists, about which few questions can be asked.
  { minLength: 12, maxLength: 40, size: 'max' },
);

const zoneSet = fc
  .uniqueArray(fc.constantFrom(...APEXES), { minLength: 1, maxLength: 4 })
  .chain((apexes) => fc.tuple(...apexes.map((apex) => records.map((own) => toZone(apex, own)))));

const questionAbout = fc.record({
  name,
  type: fc.constantFrom(...QTYPES),
  payloadOctets: fc.option(fc.integer({ min: 512, max: 1232 }), { nil: undefined }),
  /** Most questions are about an existing name: that of the n-th record, modulo their number. */
  existing: fc.option(fc.nat(), { freq: 4, nil: undefined }),
  isTypeOfExisting: fc.boolean(),
});

function toZone(apex: string, own: readonly RelativeRecord[]): PlainZone {
  const under = (labels: readonly string[]): string =>
    [...labels, apex].filter((part) => part !== '').join('.');
  const all: PlainRecord[] = [
    {
      owner: apex,
      type: 'SOA',
      ttl: 600,
      data: `${under(['ns'])} ${under(['admin'])} 1 2 3 4 300`,
    },
    { owner: apex, type: 'NS', ttl: 600, data: under(['a']) },
    ...own.map(({ labels, ...rest }) => ({ owner: under(labels), ...rest })),
  ];
  return { apex, records: withoutCnameConflicts(all) };
}

/**
 * Removes records beside a CNAME, which must be alone at its name (RFC 2181, section 10.1), as the DNS API ensures. The
 * first record decides.
 */
function withoutCnameConflicts(all: readonly PlainRecord[]): PlainRecord[] {
  const isAlias = (record: PlainRecord): boolean => record.type === 'CNAME';
  return all.filter((record) => {
    const first = all.find(({ owner }) => owner === record.owner);
    return first === record || (first !== undefined && !isAlias(first) && !isAlias(record));
  });
}

function toContent({ apex, records: all }: PlainZone): ZoneContent {
  return {
    apex: nameToWire(`${apex}.`),
    serial: 1,
    records: all.map(({ owner, type, ttl, data }) => ({
      owner: nameToWire(`${owner}.`),
      type: typeNumber(type) ?? 0,
      ttl,
      rdata: toRdata(type, data),
    })),
  };
}

function toRdata(type: string, data: string): Uint8Array {
  const words = data.split(' ');
  const target = `${words.at(-1) ?? ''}.`;
  switch (type) {
    case 'NS':
    case 'CNAME':
      return rdataToWire(type, target, null);
    case 'MX':
      return rdataToWire(type, target, Number(words[0]));
    case 'SRV':
      return rdataToWire(type, `${words.slice(1, -1).join(' ')} ${target}`, Number(words[0]));
    case 'SOA':
      return rdataToWire(
        type,
        `${words[0] ?? ''}. ${words[1] ?? ''}. ${words.slice(2).join(' ')}`,
        null,
      );
    default:
      return rdataToWire(type, data, null);
  }
}

function toLine({ owner, ttl, type, data }: PlainRecord): string {
  return `${owner} ${ttl} ${type} ${data}`.toLowerCase();
}

function toLines(all: readonly PlainRecord[]): string[] {
  return all.map(toLine).toSorted();
}

/** Requires equal answers if the message has room for everything. */
function assertSame(actual: PlainMessage, expected: PlainAnswer): void {
  assert.deepStrictEqual(actual, {
    rcode: expected.rcode,
    isAuthoritative: expected.isAuthoritative,
    isTruncated: false,
    answers: toLines(expected.answers),
    authorities: toLines(expected.authorities),
    additionals: toLines([...expected.glue, ...expected.addresses]),
  });
}

/**
 * Checks answers that do not fit: they contain only whole RRsets, TC is set exactly if a required one is missing, and
 * none is missing unnecessarily.
 */
function assertFitted(actual: PlainMessage, expected: PlainAnswer, room: number): void {
  const answers = compareSection(actual.answers, expected.answers);
  const authorities = compareSection(actual.authorities, expected.authorities);
  const glue = expected.glue.map(toLine);
  const additionals = compareSection(actual.additionals, [...expected.glue, ...expected.addresses]);
  const isGlue = (rrset: readonly PlainRecord[]): boolean =>
    rrset.some((each) => glue.includes(toLine(each)));
  const required = [...answers, ...authorities, ...additionals.filter(isGlue)];

  assert.equal(actual.rcode, expected.rcode);
  assert.equal(actual.isAuthoritative, expected.isAuthoritative);
  assert.equal(actual.isTruncated, required.length > 0);
  // The first missing RRset must be too large to fit; later ones may be smaller.
  const [first] = [...required, ...additionals];
  assert(
    first === undefined || longestForm(first) > room,
    'An RRset is missing that would have fitted.',
  );
}

/** Returns the missing RRsets; throws an error for a part of one, or for an unexpected record. */
function compareSection(
  actual: readonly string[],
  expected: readonly PlainRecord[],
): (readonly PlainRecord[])[] {
  const allowed = expected.map(toLine);
  assert(
    actual.every((line) => allowed.includes(line)),
    'A record is there that should not be.',
  );
  const isPresent = (each: PlainRecord): boolean => actual.includes(toLine(each));
  return rrsetsOf(expected).filter((rrset) => {
    const present = rrset.filter(isPresent).length;
    assert(present === 0 || present === rrset.length, 'An RRset is there in part.');
    return present === 0;
  });
}

function rrsetsOf(all: readonly PlainRecord[]): PlainRecord[][] {
  const byKey = new Map<string, PlainRecord[]>();
  for (const each of all) {
    const key = `${each.owner} ${each.type}`;
    byKey.set(key, [...(byKey.get(key) ?? []), each]);
  }
  return [...byKey.values()];
}

/** Returns an upper limit for the octets of an RRset without compression. */
function longestForm(rrset: readonly PlainRecord[]): number {
  return rrset.reduce((octets, { owner, data }) => octets + owner.length + data.length + 40, 0);
}

describe('the fast answer and the plain one', () => {
  it(`are the same for ${ZONE_SETS * QUESTIONS_OF_EACH} questions to random zones`, () => {
    const questions = fc.array(questionAbout, {
      minLength: QUESTIONS_OF_EACH,
      maxLength: QUESTIONS_OF_EACH,
    });
    const property = fc.property(zoneSet, questions, (zones, asked) => {
      const server = new InProcessServer(zones.map(toContent), {}, 1 << 16);
      for (const each of asked) compare(server, zones, each);
    });
    expect(() => {
      fc.assert(property, { numRuns: ZONE_SETS });
    }).not.toThrow();
  }, 120_000);
});

interface Question {
  readonly name: string;
  readonly type: string;
  readonly payloadOctets: number | undefined;
  readonly existing: number | undefined;
  readonly isTypeOfExisting: boolean;
}

function toAsked(zones: readonly PlainZone[], question: Question): { name: string; type: string } {
  const all = zones.flatMap((zone) => zone.records);
  const found = all[(question.existing ?? NaN) % all.length];
  if (found === undefined) return question;
  return { name: found.owner, type: question.isTypeOfExisting ? found.type : question.type };
}

function compare(server: InProcessServer, zones: readonly PlainZone[], question: Question): void {
  const { payloadOctets } = question;
  const asked = toAsked(zones, question);
  const edns = payloadOctets === undefined ? undefined : { payloadOctets };
  const query = buildQuery({ question: `${asked.name.toUpperCase()}. ${asked.type}`, edns });

  const overTcp = server.answer('TCP', query) ?? Buffer.alloc(0);
  const expectedOverTcp = plainAnswer(zones, asked, true);
  assertSame(decodePlainly(overTcp), expectedOverTcp);

  const overUdp = server.answer('UDP', query) ?? Buffer.alloc(0);
  const limit = payloadOctets ?? 512;
  assert(overUdp.length <= limit, 'The response is longer than it may be.');
  assertFitted(decodePlainly(overUdp), plainAnswer(zones, asked, false), limit - overUdp.length);
}
