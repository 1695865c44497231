import { OPCODE, opcodeOf, readHeader } from '@zonewright/dns-records';
import { invalidRequest, ServiceError } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { ACME_DNS_OPERATIONS } from './acme-dns.js';
import { readBasicKey } from './challenges.js';
import { renderDyndnsError, updateHosts } from './dyndns.js';
import { HTTPREQ_OPERATIONS } from './httpreq.js';
import { relayUpdate } from './relay-update.js';
import { answerToFault, isSigned, readRelayedQuery, readSigned } from './relayed-message.js';

/**
 * The time limit of a long update. The nameserver waits for 10 s (its `LONG_DEADLINE_MS`), and an update that it has
 * abandoned must not be performed later.
 */
const LONG_UPDATE_MS = 9_500;

/** Messages that nameservers relay (ADR 0033). */
export const UPDATE_OPERATIONS: readonly Operation[] = [
  {
    id: 'relayUpdate',
    name: 'Relay Dynamic Update',
    method: 'POST',
    path: '/internal/v1/updates',
    access: 'nameserver',
    body: 'json',
    source: 'dynamic-update',
    handle: relayUpdate,
  },
  {
    id: 'relayLongUpdate',
    name: 'Relay Long Dynamic Update',
    method: 'POST',
    path: '/internal/v1/long-updates',
    access: 'nameserver',
    body: 'json',
    source: 'dynamic-update',
    answerWithinMs: LONG_UPDATE_MS,
    handle: relayUpdate,
  },
  {
    id: 'signQuery',
    name: 'Sign Answer to Signed Query',
    method: 'POST',
    path: '/internal/v1/signed-queries',
    access: 'nameserver',
    body: 'json',
    handle: signQuery,
  },
];

/** Protocols that other projects define and document (ADR 0031). */
export const INTEGRATION_OPERATIONS: readonly Operation[] = [
  {
    id: 'dyndnsUpdate',
    name: 'Update Hosts (dyndns2)',
    method: 'GET',
    path: '/nic/update',
    access: 'key',
    restricted: 'by-rules',
    readKey: readBasicKey,
    body: 'none',
    types: ['text/plain'],
    writes: true,
    source: 'dyndns',
    renderError: renderDyndnsError,
    handle: updateHosts,
  },
  ...ACME_DNS_OPERATIONS,
  ...HTTPREQ_OPERATIONS,
];

const HEADER_OCTETS = 12;
const RESPONSE = 0x8000;

/**
 * POST /internal/v1/signed-queries: signs a nameserver's response to a query that is signed with an access key (RFC
 * 8945). A key gives no additional rights here: anyone may send these queries. Only queries are accepted, so that a
 * signed response never confirms an update.
 */
async function signQuery({ tsig }: Context, request: TenantRequest): Promise<StoredReply> {
  if (tsig === undefined) throw new ServiceError('unavailable', 'No identity service.');
  const { octets, answer, source } = readRelayedQuery(request.body);
  const message = readSigned(octets);
  if (!isSigned(message)) return reply(message);
  if (opcodeOf(message) !== OPCODE.QUERY || !isAnswerTo(message.id, answer)) {
    const sentence = 'The body is not a query and its response.';
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
