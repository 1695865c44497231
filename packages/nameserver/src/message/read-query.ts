import { RR_TYPE } from '@zonewright/dns-records';
import { readOpt } from '../wire/edns.js';
import { additionalCount, answerCount, authorityCount, questionCount } from '../wire/header.js';
import { type LookupName, readLookupName } from '../wire/lookup-name.js';
import { readUint16 } from '../wire/octets.js';
import { HEADER_OCTETS } from '../wire/protocol.js';
import { MALFORMED, skipFixedAndRdata, skipName, skipQuestion } from '../wire/skip-record.js';
import type { QueryContext } from './query-context.js';
import { isTsigWellFormed } from './tsig.js';

/**
 * Reads question, EDNS and TSIG of a query that has a header. Returns false if the message is malformed. Fields read
 * before the error stay in the context, so that the FORMERR response can carry question and OPT.
 */
export function readQuery(context: QueryContext): boolean {
  const { input, inputStart } = context;
  const end = inputStart + context.inputLength;
  let at = readQuestions(context, inputStart + HEADER_OCTETS, end);
  const others = answerCount(input, inputStart) + authorityCount(input, inputStart);
  for (let i = 0; i < others && at !== MALFORMED; i++) at = skipRecord(input, at, end);
  for (let left = additionalCount(input, inputStart); left > 0 && at !== MALFORMED; left--) {
    at = readAdditional(context, at, end, left === 1);
  }
  return at === end;
}

/**
 * Reads the questions. A question takes at least five octets, so a false count ends the loop at the end of the message.
 */
function readQuestions(context: QueryContext, start: number, end: number): number {
  const { input, inputStart } = context;
  const questions = questionCount(input, inputStart);
  if (questions !== 1) {
    let at = start;
    for (let i = 0; i < questions && at !== MALFORMED; i++) at = skipQuestion(input, at, end);
    return at;
  }
  const next = readQuestion(context.searchName, input, start, end);
  if (next === MALFORMED) return MALFORMED;
  context.qtype = readUint16(input, next - 4);
  context.qclass = readUint16(input, next - 2);
  context.questionEnd = next - inputStart;
  return next;
}

function skipRecord(message: Uint8Array, start: number, end: number): number {
  const fixed = skipName(message, start, end);
  return fixed === MALFORMED ? MALFORMED : skipFixedAndRdata(message, fixed, end);
}

function readAdditional(
  context: QueryContext,
  start: number,
  end: number,
  isLast: boolean,
): number {
  const { input, edns } = context;
  const fixed = skipName(input, start, end);
  const next = fixed === MALFORMED ? MALFORMED : skipFixedAndRdata(input, fixed, end);
  if (next === MALFORMED) return MALFORMED;
  switch (readUint16(input, fixed)) {
    case RR_TYPE.OPT:
      readOpt(edns, input, fixed, next);
      // The owner must be the root (RFC 6891 s6.1.2).
      if (fixed !== start + 1) edns.isMalformed = true;
      break;
    case RR_TYPE.TSIG:
      // A TSIG record that is not the last is FORMERR (RFC 8945 s5.1).
      if (!isLast || !isTsigWellFormed(context, start, next)) return MALFORMED;
      context.tsigStart = start;
      break;
  }
  return next;
}

/** Octets of type and class after the name (RFC 1035 s4.1.2). */
const FIXED_OCTETS = 4;

/**
 * Reads the name in the question and returns the offset after it, where type and class follow. Returns MALFORMED for
 * a compressed name, too: no earlier name exists to point to.
 */
function readQuestion(name: LookupName, query: Uint8Array, start: number, end: number): number {
  const fixed = readLookupName(name, query, start, end);
  return fixed === MALFORMED || fixed + FIXED_OCTETS > end ? MALFORMED : fixed + FIXED_OCTETS;
}
