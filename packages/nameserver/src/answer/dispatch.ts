import { OPCODE, RR_CLASS, RR_TYPE } from '@zonewright/dns-records';
import { FLAG, RCODE } from '../wire/protocol.js';
import { answerFromZones } from './answer-from-zones.js';
import { answerChaos } from './chaos.js';
import { fail } from './fail.js';
import { OUTCOME } from './outcome.js';
import { type QueryContext, TRANSPORT } from './query-context.js';
import { refuseZoneOperation } from './zone-operations.js';

type Operation = (context: QueryContext) => void;

/** Operation for each opcode. Opcodes without an entry are answered NOTIMP. */
const OPERATION_BY_OPCODE: Readonly<Record<number, Operation | undefined>> = {
  [OPCODE.QUERY]: answerQuestion,
  [OPCODE.NOTIFY]: refuseZoneOperation,
  [OPCODE.UPDATE]: refuseZoneOperation,
};

/** Types that are not looked up. */
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

/** Does what the query's opcode asks for. */
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

/** Class ANY is answered from class IN, the only one with zones, but never with authority (RFC 1034 s3.7.1). */
function answerAnyClass(context: QueryContext): void {
  answerInternet(context);
  context.flags &= ~FLAG.AA;
}

/**
 * Over UDP a peer learns the serial, and comes by TCP if it is a new one (RFC 1995 s4). Over TCP what is refused here is asked
 * of the transfers, if it is signed (tcp-answer.ts).
 */
function answerIncremental(context: QueryContext): void {
  refuseZoneOperation(context);
  const { outcome, signed, transport, qtype } = context;
  if (outcome !== OUTCOME.REFUSED || signed === null || transport !== TRANSPORT.UDP) return;
  context.qtype = RR_TYPE.SOA;
  answerFromZones(context);
  context.qtype = qtype;
}
