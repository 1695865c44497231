import { OPCODE, RR_CLASS, RR_TYPE } from '@zonewright/dns-records';
import { findEnclosingZone, NOT_FOUND } from '../image/directory.js';
import { apexLength } from '../image/zone-block.js';
import { OUTCOME } from '../message/outcome.js';
import { type QueryContext, TRANSPORT } from '../message/query-context.js';
import { writeChaosTxt } from '../message/response-writer.js';
import { conclude, fail, setTruncated } from '../message/response.js';
import { FLAG, RCODE } from '../wire/protocol.js';
import { answerFromZones } from './answer-from-zones.js';

type Operation = (context: QueryContext) => void;

/** Operation for each opcode. Opcodes without an entry are answered NOTIMP. */
const OPERATION_BY_OPCODE: Readonly<Record<number, Operation | undefined>> = {
  [OPCODE.QUERY]: answerQuestion,
  [OPCODE.NOTIFY]: refuseZoneOperation,
  [OPCODE.UPDATE]: refuseZoneOperation,
};

/** Types that are never looked up. */
const OPERATION_BY_QTYPE: Readonly<Record<number, Operation | undefined>> = {
  [RR_TYPE.AXFR]: refuseZoneOperation,
  [RR_TYPE.IXFR]: answerIncremental,
};

const OPERATION_BY_QCLASS: Readonly<Record<number, Operation | undefined>> = {
  [RR_CLASS.IN]: answerInternet,
  [RR_CLASS.CH]: answerChaos,
  [RR_CLASS.ANY]: answerAnyClass,
};

export function isImplemented(opcode: number): boolean {
  return OPERATION_BY_OPCODE[opcode] !== undefined;
}

/** Performs the operation of the query's opcode. */
export function dispatch(context: QueryContext): void {
  OPERATION_BY_OPCODE[context.opcode]?.(context);
}

function answerQuestion(context: QueryContext): void {
  const operation = OPERATION_BY_QCLASS[context.qclass];
  if (operation === undefined) fail(context, OUTCOME.REFUSED, RCODE.REFUSED);
  else operation(context);
}

function answerInternet(context: QueryContext): void {
  const operation = OPERATION_BY_QTYPE[context.qtype] ?? answerFromZones;
  operation(context);
}

/** Answers class ANY from class IN, the only class with zones, but never with authority (RFC 1034 s3.7.1). */
function answerAnyClass(context: QueryContext): void {
  answerInternet(context);
  context.flags &= ~FLAG.AA;
}

/**
 * Answers an IXFR query. Over UDP the owner of a key gets the SOA and uses TCP if the serial is new (RFC 1995 s4). Over
 * TCP, signed queries that are refused here are passed to the transfers (tcp-answer.ts).
 */
function answerIncremental(context: QueryContext): void {
  refuseZoneOperation(context);
  const { outcome, signed, awaitsSignature, transport, qtype } = context;
  const isSigned = signed !== null || awaitsSignature;
  if (outcome !== OUTCOME.REFUSED || !isSigned || transport !== TRANSPORT.UDP) return;
  context.qtype = RR_TYPE.SOA;
  answerFromZones(context);
  context.qtype = qtype;
}

/**
 * Refuses operations on a whole zone that are not offered here: transfers (RFC 5936 s2.2.1), NOTIFY (RFC 1996) and
 * UPDATE (RFC 2136 s3.1). Answers REFUSED for a zone of ours, and NOTAUTH for any other name.
 */
function refuseZoneOperation(context: QueryContext): void {
  const zone = findEnclosingZone(context.image, context.searchName, 0);
  if (zone !== NOT_FOUND && apexLength(context.image, zone) === context.searchName.length) {
    fail(context, OUTCOME.REFUSED, RCODE.REFUSED);
  } else {
    fail(context, OUTCOME.NOTAUTH, RCODE.NOTAUTH);
  }
}

/** Answers version.bind, id.server and similar names (RFC 4892 s3). Other names of class CHAOS are refused. */
function answerChaos(context: QueryContext): void {
  const { response, searchName, qtype } = context;
  const rdata = context.chaosTexts.find(searchName);
  if (rdata === null || (qtype !== RR_TYPE.TXT && qtype !== RR_TYPE.ANY)) {
    fail(context, OUTCOME.REFUSED, RCODE.REFUSED);
    return;
  }
  conclude(context, OUTCOME.ANSWER, RCODE.NOERROR);
  if (!writeChaosTxt(response, searchName, rdata)) setTruncated(context);
}
