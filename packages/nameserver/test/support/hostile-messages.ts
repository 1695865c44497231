import { nameToWire, RR_CLASS, RR_TYPE } from '@zonewright/dns-records';

import {
  buildMessage,
  buildOpt,
  buildQuery,
  buildQuestion,
  buildRecord,
} from '../../conformance/support/query.js';

/** A random generator (xorshift32) with the same numbers in each run. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a number from 0 to `limit`, exclusive. */
  below(limit: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % limit;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  }

  octets(length: number): Buffer {
    const octets = Buffer.alloc(length);
    for (let i = 0; i < length; i++) octets[i] = this.below(256);
    return octets;
  }
}

const COOKIE = { code: 10, data: Buffer.alloc(24, 7) };
const NSID = { code: 3, data: Buffer.alloc(0) };
const TSIG_RDATA = Buffer.concat([
  nameToWire('hmac-sha256.'),
  Buffer.from('00006750c0de012c0020', 'hex'),
  Buffer.alloc(32),
  Buffer.from('123400000000', 'hex'),
]);

/** Queries as normal clients send them; the hostile messages are derived from them. */
const GOOD_QUERIES: readonly Buffer[] = [
  buildQuery({ question: 'www.corp.test. A' }),
  buildQuery({ question: 'alias2.corp.test. AAAA', flags: 0x0100, edns: {} }),
  buildQuery({ question: 'a.b.c.d.wild.corp.test. TXT', edns: { isDnssecOk: true } }),
  buildQuery({ question: 'host.delegated.corp.test. A', edns: { options: [NSID, COOKIE] } }),
  buildQuery({ question: 'corp.test. MX', edns: { payloadOctets: 4096, options: [COOKIE] } }),
  buildQuery({
    question: 'corp.test. ANY',
    edns: { options: [{ code: 11, data: Buffer.alloc(0) }] },
  }),
  buildQuery({ question: 'id.server. CH TXT' }),
  buildQuery({ question: 'corp.test. SOA', opcode: 4 }),
  buildMessage({
    questions: [buildQuestion('corp.test. SOA')],
    additionals: [
      buildOpt({}),
      buildRecord('key.test.', RR_TYPE.TSIG, RR_CLASS.ANY, 0, TSIG_RDATA),
    ],
  }),
];

type Maker = (dice: Dice) => Buffer;

const MAKERS: readonly Maker[] = [
  randomOctets,
  cutQuery,
  flippedQuery,
  flippedQuery,
  splicedQuery,
  absurdCounts,
  badQuestionName,
  pointerInAdditional,
  junkInOpt,
  junkInTsig,
];

/** Returns a message that no server should receive. */
export function makeHostileMessage(dice: Dice): Buffer {
  return dice.pick(MAKERS)(dice);
}

/** Yields each normal query, truncated at each octet. */
export function* allTruncations(): Generator<Buffer> {
  for (const query of GOOD_QUERIES) {
    for (let length = 0; length < query.length; length++) yield query.subarray(0, length);
  }
}

function randomOctets(dice: Dice): Buffer {
  return dice.octets(dice.below(200));
}

function cutQuery(dice: Dice): Buffer {
  const query = dice.pick(GOOD_QUERIES);
  return query.subarray(0, dice.below(query.length));
}

/** Returns a query in which some octets are changed. */
function flippedQuery(dice: Dice): Buffer {
  const query = Buffer.from(dice.pick(GOOD_QUERIES));
  for (let left = 1 + dice.below(4); left > 0; left--)
    query[dice.below(query.length)] = dice.below(256);
  return query;
}

/** Returns the beginning of one query joined to the end of another. */
function splicedQuery(dice: Dice): Buffer {
  const [one, other] = [dice.pick(GOOD_QUERIES), dice.pick(GOOD_QUERIES)];
  return Buffer.concat([
    one.subarray(0, dice.below(one.length)),
    other.subarray(dice.below(other.length)),
  ]);
}

function absurdCounts(dice: Dice): Buffer {
  const query = Buffer.from(dice.pick(GOOD_QUERIES));
  for (let at = 4; at < 12; at += 2) query.writeUInt16BE(dice.pick([0, 1, 2, 255, 65_535]), at);
  return query;
}

/**
 * Returns a name with labels that are too long or invalid, or a name that is too long, or pointers to themselves,
 * forwards or past the end.
 */
function badQuestionName(dice: Dice): Buffer {
  const label = Buffer.concat([Buffer.from([63]), Buffer.alloc(63, 0x61)]);
  const name = dice.pick<Buffer>([
    Buffer.from([0xc0, 12]),
    Buffer.from([0xc0, 14, 0xc0, 12]),
    Buffer.from([0xff, 0xff]),
    Buffer.from([1, 0x61, 0xc0, 12]),
    Buffer.from([0x40 + dice.below(0x80), 0x61, 0]),
    Buffer.concat([label, label, label, label, Buffer.from([0])]),
    Buffer.concat([Buffer.alloc(254, Buffer.from([1, 0x61])), Buffer.from([0])]),
    Buffer.concat([Buffer.alloc(256, Buffer.from([1, 0x61])), Buffer.from([0])]),
  ]);
  return buildMessage({ questions: [Buffer.concat([name, Buffer.from([0, 1, 0, 1])])] });
}

function pointerInAdditional(dice: Dice): Buffer {
  const owner = Buffer.from([0xc0 + dice.below(0x40), dice.below(256)]);
  const fixed = Buffer.from([0, dice.pick([1, 41, 250]), 0, 1, 0, 0, 0, 0, 0, dice.below(3)]);
  return buildMessage({
    questions: [buildQuestion('www.corp.test. A')],
    additionals: [Buffer.concat([owner, fixed])],
  });
}

function junkInOpt(dice: Dice): Buffer {
  const rdata = dice.octets(dice.below(60));
  // Sometimes the option is a known one, with a length that may be right.
  if (rdata.length > 4) rdata.writeUInt32BE(dice.pick([3, 10, 11, 15]) * 0x10000 + dice.below(64));
  const ttl = dice.below(2) * 0x10000 + dice.below(0x10000);
  const opt = buildRecord('.', RR_TYPE.OPT, dice.below(65_536), ttl, rdata);
  const additionals = Array.from({ length: 1 + dice.below(3) }, () => opt);
  return buildMessage({ questions: [buildQuestion('www.corp.test. A')], additionals });
}

function junkInTsig(dice: Dice): Buffer {
  const rdata = Buffer.from(TSIG_RDATA.subarray(0, dice.below(TSIG_RDATA.length + 1)));
  if (rdata.length > 0) rdata[dice.below(rdata.length)] = dice.below(256);
  const tsig = buildRecord('key.test.', RR_TYPE.TSIG, RR_CLASS.ANY, 0, rdata);
  return buildMessage({ questions: [buildQuestion('www.corp.test. A')], additionals: [tsig] });
}
