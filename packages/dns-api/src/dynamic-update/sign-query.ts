import { OPCODE, opcodeOf, readHeader } from '@zonewright/dns-records';
import { invalidRequest, ServiceError } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';
import type { TenantRequest } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { readRelayedQuery } from './relayed-message.js';
import { answerToFault, isSigned, readSigned } from './signed-message.js';

const HEADER_OCTETS = 12;
const RESPONSE = 0x8000;

/**
 * POST /internal/v1/signed-queries: signs a nameserver's answer to a query that is signed with an access key (RFC 8945). Every
 * valid key may ask what anyone may ask. It answers only queries, so that a signed answer never says that an update was done.
 */
export async function signQuery({ tsig }: Context, request: TenantRequest): Promise<StoredReply> {
  if (tsig === undefined) throw new ServiceError('unavailable', 'No identity service.');
  const { octets, answer, source } = readRelayedQuery(request.body);
  const message = readSigned(octets);
  if (!isSigned(message)) return reply(message);
  if (opcodeOf(message) !== OPCODE.QUERY || !isAnswerTo(message.id, answer)) {
    const sentence = 'These octets are not a query and its response.';
    throw invalidRequest([{ path: '', validator: 'type', message: sentence }]);
  }
  const signer = await tsig.check({ message: octets, source, tenantId: undefined, answer });
  if (signer.fault === null) return reply(signer.answer);
  return reply(await answerToFault(tsig, octets, message, signer.fault));
}

function isAnswerTo(id: number, answer: Uint8Array): boolean {
  if (answer.length < HEADER_OCTETS) return false;
  const header = readHeader(answer);
  return header.id === id && (header.flags & RESPONSE) !== 0 && opcodeOf(header) === OPCODE.QUERY;
}

function reply(message: Uint8Array): StoredReply {
  return jsonReply({ message: Buffer.from(message).toString('base64') });
}
