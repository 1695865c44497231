import type { Context } from '../context/context.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { ACME_DNS_OPERATIONS } from './acme-dns.js';
import { readBasicKey } from './challenges.js';
import { renderDyndnsError, updateHosts } from './dyndns.js';
import { HTTPREQ_OPERATIONS } from './httpreq.js';
import { relayUpdate } from './relay-update.js';
import { permitTransfer, signTransfer } from './relay-transfer.js';
import {
  answerToFault,
  checkAnswers,
  getTsig,
  isSigned,
  readRelayedQuery,
  readSigned,
} from './relayed-message.js';

/**
 * The time limit of a long update and of the messages of a transfer. The nameserver waits for 10 s (its
 * `LONG_DEADLINE_MS`), and an update that it has abandoned must not be performed later.
 */
const LONG_MESSAGE_MS = 9_500;

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
    answerWithinMs: LONG_MESSAGE_MS,
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
  {
    id: 'permitTransfer',
    name: 'Permit Zone Transfer',
    method: 'POST',
    path: '/internal/v1/transfers',
    access: 'nameserver',
    body: 'json',
    handle: permitTransfer,
  },
  {
    id: 'signTransfer',
    name: 'Sign Zone Transfer',
    method: 'POST',
    path: '/internal/v1/signed-transfers',
    access: 'nameserver',
    body: 'json-batch',
    answerWithinMs: LONG_MESSAGE_MS,
    handle: signTransfer,
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

/**
 * POST /internal/v1/signed-queries: signs a nameserver's response to a query that is signed with an access key (RFC
 * 8945). A key gives no additional rights here: anyone may send these queries. Only queries are accepted, so that a
 * signed response never confirms an update.
 */
async function signQuery(context: Context, request: TenantRequest): Promise<StoredReply> {
  const tsig = getTsig(context);
  const { octets, answer, source } = readRelayedQuery(request.body);
  const message = readSigned(octets);
  if (!isSigned(message)) return reply(message);
  checkAnswers(message, [answer]);
  const signer = await tsig.check({ message: octets, source, tenantId: undefined, answer });
  if (signer.fault === null) return reply(signer.answer);
  return reply(await answerToFault(tsig, { octets, message, fault: signer.fault }));
}

function reply(message: Uint8Array): StoredReply {
  return jsonReply({ message: Buffer.from(message).toString('base64') });
}
