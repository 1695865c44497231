import {
  getSecondary,
  refreshSecondary,
  removePrimaries,
  type Secondary,
  setPrimaries,
  type TransferState,
  transferStateOf,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { checkMembers } from '../http/members.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { emptyReply, jsonReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { answerNotify } from '../protocols/answer-notify.js';

const PATH = '/v1/domains/{domainId}/primaries';
const WRITABLE = ['primaries', 'key'];
/** Read-only members. A write may contain them; they are ignored. */
const READ_ONLY = [
  'state',
  'serial',
  'transferred_at',
  'refreshed_at',
  'next_at',
  'failures',
  'problem',
  'reason',
  'action',
];

export const SECONDARY_OPERATIONS: readonly Operation[] = [
  {
    id: 'setPrimaries',
    name: 'Set Primaries of a Domain',
    method: 'PUT',
    path: PATH,
    access: 'tenant',
    body: 'json',
    reads: 'NewPrimaries',
    answers: 'Primaries',
    faults: [409],
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const { values, problems } = checkMembers(request.body, [...WRITABLE, ...READ_ONLY]);
        const draft = { values, problems };
        const rules = secondaryRules(context);
        const { secondary, serial } = await setPrimaries(work, rules, idOf(request), draft);
        return { reply: jsonReply(renderSecondary(secondary)), serial };
      }),
  },
  {
    id: 'getPrimaries',
    name: 'Show Primaries of a Domain',
    method: 'GET',
    path: PATH,
    access: 'tenant',
    body: 'none',
    answers: 'Primaries',
    handle: async ({ db, zones }, request) => {
      const zone = await zones.get(request.caller, idOf(request));
      return jsonReply(renderSecondary(await getSecondary(db, zone)));
    },
  },
  {
    id: 'deletePrimaries',
    name: 'Delete Primaries of a Domain',
    method: 'DELETE',
    path: PATH,
    access: 'tenant',
    body: 'none',
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const serial = await removePrimaries(work, idOf(request));
        return { reply: emptyReply(), serial };
      }),
  },
  {
    id: 'refreshDomain',
    name: 'Ask the Primaries of a Domain',
    method: 'POST',
    path: `${PATH}/refresh`,
    access: 'tenant',
    body: 'none',
    handle: async (context, request) =>
      write(context, request, async (work) => {
        await refreshSecondary(work, idOf(request));
        return { reply: emptyReply() };
      }),
  },
];

/** Operations for messages that nameservers relay (ADR 0040). */
export const NOTIFY_OPERATIONS: readonly Operation[] = [
  {
    id: 'relayNotify',
    name: 'Relay NOTIFY',
    method: 'POST',
    path: '/internal/v1/notifies',
    access: 'nameserver',
    body: 'json',
    handle: answerNotify,
  },
];

function renderSecondary(secondary: Secondary) {
  const { reason, action } = transferStateOf(secondary);
  return {
    primaries: secondary.primaries,
    key: secondary.key,
    state: secondary.state,
    serial: secondary.serial,
    transferred_at: secondary.transferredAt,
    refreshed_at: secondary.refreshedAt,
    next_at: secondary.nextAt,
    failures: secondary.failures,
    problem: secondary.problem,
    reason,
    action,
  };
}

/** Renders the state of transfers from the primaries; null if the domain has none. */
export function renderTransferState(state: TransferState | undefined) {
  if (state === undefined) return null;
  const { content, reason, problem, action, refreshedAt } = state;
  return { content, reason, problem, action, refreshed_at: refreshedAt };
}

function idOf({ params }: TenantRequest): string {
  return params['domainId'] ?? '';
}

/** Returns the rules for the primaries of all tenants. */
export function secondaryRules({ settings }: Context) {
  return { keyring: settings.transferKeys, mayBePrivate: settings.secondaries.mayBePrivate };
}
