import { headerFlags } from '../wire/header.js';
import { copyOctets, readUint16 } from '../wire/octets.js';
import { FLAG, HEADER_OCTETS, PLAIN_UDP_OCTETS, TCP_OCTETS } from '../wire/protocol.js';
import { optOctets, writeOpt } from './opt-record.js';
import type { Outcome } from './outcome.js';
import { NO_EXTENDED_ERROR, type QueryContext, TRANSPORT } from './query-context.js';
import { beginResponse, noteQuestion, SECTION } from './response-writer.js';
import { writeTsigError } from './tsig.js';

const OPCODE_BITS = 0x7800;
const RCODE_BITS = 0x000f;

/** Sets outcome and RCODE of the query. The last call wins. */
export function conclude(context: QueryContext, outcome: Outcome, rcode: number): void {
  context.outcome = outcome;
  context.rcode = rcode;
}

/** Sets TC because required data did not fit (RFC 2181 s9). */
export function setTruncated(context: QueryContext): void {
  context.flags |= FLAG.TC;
  context.isTruncated = true;
}

/** Writes no records from now on, however short they are (RFC 2181 s9). */
export function closeSections({ response }: QueryContext): void {
  response.limit = response.end;
}

/** Copies the question octet for octet and limits the following sections to the response size. */
export function openResponse(context: QueryContext): void {
  const { response, questionEnd, searchName } = context;
  beginResponse(response, context.output, context.outputStart);
  const { input, inputStart } = context;
  const questionOctets = questionEnd - HEADER_OCTETS;
  const to = context.outputStart + HEADER_OCTETS;
  copyOctets(context.output, to, input, inputStart + HEADER_OCTETS, questionOctets);
  response.end = questionEnd;
  if (questionOctets > 0) {
    noteQuestion(response, searchName);
  }
  response.limit = sizeLimit(context) - optOctets(context);
}

/** Starts a response that does not repeat the question. */
export function dropQuestion(context: QueryContext): void {
  context.questionEnd = HEADER_OCTETS;
  context.response.end = HEADER_OCTETS;
}

/**
 * Returns the size limit: without EDNS that of RFC 1035 s2.3.4, with EDNS the size that both client and server accept
 * (RFC 6891 s6.2.3).
 */
export function sizeLimit(context: QueryContext): number {
  return Math.min(context.outputCapacity, transportLimit(context));
}

function transportLimit({ transport, edns, settings }: QueryContext): number {
  if (transport === TRANSPORT.TCP) return TCP_OCTETS;
  if (!edns.isPresent) return PLAIN_UDP_OCTETS;
  return Math.min(edns.payloadOctets, settings.maxUdpPayloadOctets);
}

/** Writes OPT and header. Returns the length of the message. */
export function closeResponse(context: QueryContext): number {
  const { response } = context;
  response.limit = sizeLimit(context);
  if (context.edns.isPresent) writeOpt(context);
  writeTsigError(context);
  writeHeader(context);
  return response.end;
}

function writeHeader(context: QueryContext): void {
  const { outputStart, input, inputStart, response, flags } = context;
  const { view, counts } = response;
  // RD is copied (RFC 1035 s4.1.1). RA, Z, AD and CD are 0, since this server neither resolves nor validates (RFC 4035
  // s3.1.6).
  const copied = headerFlags(input, inputStart) & (OPCODE_BITS | FLAG.RD);
  const id = readUint16(input, inputStart);
  const questions = context.questionEnd > HEADER_OCTETS ? 1 : 0;
  const bits = FLAG.QR | copied | flags | (context.rcode & RCODE_BITS);
  view.setInt32(outputStart, (id << 16) | bits);
  view.setInt32(outputStart + 4, (questions << 16) | (counts[SECTION.ANSWER] ?? 0));
  const authorities = counts[SECTION.AUTHORITY] ?? 0;
  view.setInt32(outputStart + 8, (authorities << 16) | (counts[SECTION.ADDITIONAL] ?? 0));
}

/** Writes a response without data. The EDE info code gives the operator of the client the reason (RFC 8914). */
export function fail(
  context: QueryContext,
  outcome: Outcome,
  rcode: number,
  extendedError: number = NO_EXTENDED_ERROR,
): void {
  conclude(context, outcome, rcode);
  context.extendedError = extendedError;
}
