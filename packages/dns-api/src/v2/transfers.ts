import { invalidRequest, isUuid, type Problem } from '@zonewright/service-kit';
import {
  type AcceptSortKey,
  acceptZone,
  deleteTransferRequest,
  getAccept,
  getTransfer,
  listAccepts,
  listTransfers,
  requestTransfer,
  revealTransferKey,
  type TransferAccept,
  type TransferSortKey,
  updateTransferRequest,
  type ZoneTransfer,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { Operation } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { write, writeSecret } from '../http/write.js';
import { describeList, type ListForm, listPageReply, textFilterOf } from './http/list-query.js';
import { ofV2 } from './http/operation.js';
import { createdReply, linkOf, noContentReply } from './http/reply.js';
import { type ProjectRequest, readMembers, viewerOf } from './http/request.js';

const REQUESTS = '/zones/tasks/transfer_requests';
const REQUEST = `${REQUESTS}/{transfer_request_id}`;
const WRITABLE = ['target_project_id', 'description'];
const READ_ONLY = [
  ...['id', 'zone_id', 'zone_name', 'project_id', 'status', 'key'],
  ...['created_at', 'updated_at', 'links'],
];

const REQUEST_LIST: ListForm<'status', TransferSortKey> = {
  filters: ['status'],
  sortKeys: ['created_at', 'id', 'updated_at'],
};

export const TRANSFER_REQUEST_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'createTransferRequest',
    name: 'Create Zone Transfer Request (v2)',
    method: 'POST',
    status: 201,
    path: '/zones/{zone_id}/tasks/transfer_requests',
    access: 'tenant',
    body: 'json',
    reads: 'TransferRequestInputV2',
    answers: 'TransferRequestV2',
    creates: true,
    faults: [409],
    handle: createRequest,
  },
  {
    id: 'listTransferRequests',
    name: 'List Zone Transfer Requests (v2)',
    method: 'GET',
    path: REQUESTS,
    access: 'tenant',
    body: 'none',
    answers: 'TransferRequestsV2',
    query: describeList(REQUEST_LIST),
    handle: async ({ db }, request) =>
      listPageReply(request, {
        member: 'transfer_requests',
        form: REQUEST_LIST,
        fetch: ({ status }, order) =>
          listTransfers(db, viewerOf(request), textFilterOf(status), order),
        render: (transfer) => renderTransfer(request, transfer),
      }),
  },
  {
    id: 'getTransferRequest',
    name: 'Get Zone Transfer Request (v2)',
    method: 'GET',
    path: REQUEST,
    access: 'tenant',
    body: 'none',
    answers: 'TransferRequestV2',
    handle: async ({ db, settings }, request) => {
      const transfer = await getTransfer(db, request.caller.tenantId, idOf(request));
      const place = { db, keyring: settings.transferKeys };
      const key = await revealTransferKey(place, viewerOf(request), transfer);
      return jsonReply(renderTransfer(request, transfer, key));
    },
  },
  {
    id: 'updateTransferRequest',
    name: 'Update Zone Transfer Request (v2)',
    method: 'PATCH',
    path: REQUEST,
    access: 'tenant',
    body: 'json',
    reads: 'TransferRequestInputV2',
    answers: 'TransferRequestV2',
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const draft = readMembers(request.body, WRITABLE, READ_ONLY);
        const transfer = await updateTransferRequest(work, idOf(request), draft);
        return { reply: jsonReply(renderTransfer(request, transfer)) };
      }),
  },
  {
    id: 'deleteTransferRequest',
    name: 'Delete Zone Transfer Request (v2)',
    method: 'DELETE',
    status: 204,
    path: REQUEST,
    access: 'tenant',
    body: 'none',
    handle: async (context, request) =>
      write(context, request, async (work) => {
        await deleteTransferRequest(work, idOf(request));
        return { reply: noContentReply() };
      }),
  },
]);

async function createRequest(context: Context, request: ProjectRequest): Promise<StoredReply> {
  return await writeSecret(context, request, async (work) => {
    // The body is optional: some clients send null.
    const draft = readMembers(request.body ?? {}, WRITABLE);
    const zoneId = request.params['zone_id'] ?? '';
    const { transferKeys } = context.settings;
    const { transfer, key } = await requestTransfer(work, transferKeys, { zoneId, draft });
    const rendered = renderTransfer(request, transfer, key);
    return { reply: createdReply(rendered, { Location: rendered.links.self }) };
  });
}

function idOf({ params }: ProjectRequest): string {
  return params['transfer_request_id'] ?? '';
}

const ACCEPTS = '/zones/tasks/transfer_accepts';
const ACCEPT_LIST: ListForm<never, AcceptSortKey> = { filters: [], sortKeys: ['created_at', 'id'] };

export const TRANSFER_ACCEPT_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'createTransferAccept',
    name: 'Accept Zone Transfer (v2)',
    method: 'POST',
    status: 201,
    path: ACCEPTS,
    access: 'tenant',
    body: 'json',
    reads: 'TransferAcceptInputV2',
    answers: 'TransferAcceptV2',
    creates: true,
    faults: [404],
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const brought = readAccept(request.body);
        const { accept, zone } = await acceptZone(work, brought);
        // The key is no longer valid, but clients store it from the response.
        const rendered = renderAccept(request, accept, brought.key);
        const reply = createdReply(rendered, { Location: rendered.links.self });
        return { reply, serial: zone.serial };
      }),
  },
  {
    id: 'listTransferAccepts',
    name: 'List Accepted Zone Transfers (v2)',
    method: 'GET',
    path: ACCEPTS,
    access: 'tenant',
    body: 'none',
    answers: 'TransferAcceptsV2',
    query: describeList(ACCEPT_LIST),
    handle: async ({ db }, request) =>
      listPageReply(request, {
        member: 'transfer_accepts',
        form: ACCEPT_LIST,
        fetch: (_, order) => listAccepts(db, viewerOf(request), order),
        render: (accept) => renderAccept(request, accept),
      }),
  },
  {
    id: 'getTransferAccept',
    name: 'Get Accepted Zone Transfer (v2)',
    method: 'GET',
    path: `${ACCEPTS}/{transfer_accept_id}`,
    access: 'tenant',
    body: 'none',
    answers: 'TransferAcceptV2',
    handle: async ({ db }, request) => {
      const id = request.params['transfer_accept_id'] ?? '';
      return jsonReply(renderAccept(request, await getAccept(db, request.caller.tenantId, id)));
    },
  },
]);

function readAccept(body: unknown): { readonly transferId: string; readonly key: string } {
  const { values, problems } = readMembers(body, ['zone_transfer_request_id', 'key']);
  const { zone_transfer_request_id: transferId, key } = values;
  const all: Problem[] = [...problems];
  if (typeof transferId !== 'string' || !isUuid(transferId)) {
    const message = 'zone_transfer_request_id must be the id of a transfer request, a UUID.';
    all.push({ path: 'zone_transfer_request_id', validator: 'format', message });
  }
  if (typeof key !== 'string') {
    all.push({
      path: 'key',
      validator: 'type',
      message: 'key must be the key of the transfer request.',
    });
  }
  if (all.length > 0) throw invalidRequest(all);
  return { transferId: transferId as string, key: key as string };
}

/** Renders a transfer request. Its project is shown to the requester and to an operator for all projects. */
function renderTransfer(request: ProjectRequest, transfer: ZoneTransfer, key?: string) {
  const isOwn = request.isForAllProjects || transfer.tenantId === request.caller.tenantId;
  return {
    id: transfer.id,
    zone_id: transfer.zoneId,
    zone_name: transfer.displayZoneName,
    description: transfer.description,
    status: transfer.status,
    project_id: isOwn ? transfer.tenantId : null,
    target_project_id: transfer.targetTenantId,
    key: key ?? null,
    created_at: transfer.createdAt,
    updated_at: transfer.updatedAt,
    links: linkOf(request, `zones/tasks/transfer_requests/${transfer.id}`),
  };
}

/** Renders an accepted transfer, with the key that the new owner presented. */
function renderAccept(request: ProjectRequest, accept: TransferAccept, key?: string) {
  return {
    id: accept.id,
    zone_id: accept.zoneId,
    zone_transfer_request_id: accept.transferId,
    project_id: accept.tenantId,
    status: 'COMPLETE',
    key: key ?? null,
    created_at: accept.createdAt,
    updated_at: null,
    links: {
      ...linkOf(request, `zones/tasks/transfer_accepts/${accept.id}`),
      zone: linkOf(request, `zones/${accept.zoneId}`).self,
    },
  };
}
