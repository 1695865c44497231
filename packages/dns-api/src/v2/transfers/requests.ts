import {
  updateTransferRequest,
  getTransfer,
  listTransfers,
  requestTransfer,
  revealTransferKey,
  type TransferSortKey,
  deleteTransferRequest,
} from '@zonewright/zones';
import type { Context } from '../../context/context.js';
import type { Operation } from '../../http/operation.js';
import { jsonReply, type StoredReply } from '../../http/reply.js';
import { write } from '../../http/write.js';
import { readMembers } from '../http/body.js';
import { listPageReply } from '../http/list-page.js';
import { type ListForm, textFilterOf } from '../http/list-query.js';
import { ofV2 } from '../http/operation.js';
import type { ProjectRequest } from '../http/project-request.js';
import { createdReply, noContentReply } from '../http/reply.js';
import { writeSecret } from '../../http/write-secret.js';
import { describeList } from '../openapi/list-parameters.js';
import { renderTransfer } from './render.js';

const ALL = '/zones/tasks/transfer_requests';
const ONE = `${ALL}/{transferRequestId}`;
const WRITABLE = ['target_project_id', 'description'];
const READ_ONLY = [
  ...['id', 'zone_id', 'zone_name', 'project_id', 'status', 'key'],
  ...['created_at', 'updated_at', 'links'],
];

const LIST: ListForm<'status', TransferSortKey> = {
  filters: ['status'],
  sortKeys: ['created_at', 'id', 'updated_at'],
};

export const TRANSFER_REQUEST_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'createTransferRequest',
    name: 'Create Zone Transfer Request (v2)',
    method: 'POST',
    status: 201,
    path: '/zones/{zoneId}/tasks/transfer_requests',
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
    path: ALL,
    access: 'tenant',
    body: 'none',
    answers: 'TransferRequestsV2',
    query: describeList(LIST),
    handle: async ({ db }, request) =>
      listPageReply(request, {
        member: 'transfer_requests',
        form: LIST,
        fetch: ({ status }, order) =>
          listTransfers(db, request.caller.tenantId, textFilterOf(status), order),
        render: (transfer) => renderTransfer(request, transfer),
      }),
  },
  {
    id: 'getTransferRequest',
    name: 'Get Zone Transfer Request (v2)',
    method: 'GET',
    path: ONE,
    access: 'tenant',
    body: 'none',
    answers: 'TransferRequestV2',
    handle: async ({ db, settings }, request) => {
      const { tenantId } = request.caller;
      const transfer = await getTransfer(db, tenantId, idOf(request));
      const key = await revealTransferKey(
        { db, keyring: settings.transferKeys },
        tenantId,
        transfer,
      );
      return jsonReply(renderTransfer(request, transfer, key));
    },
  },
  {
    id: 'updateTransferRequest',
    name: 'Update Zone Transfer Request (v2)',
    method: 'PATCH',
    path: ONE,
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
    path: ONE,
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
    // Nothing need be said: some clients send null.
    const draft = readMembers(request.body ?? {}, WRITABLE);
    const zoneId = request.params['zoneId'] ?? '';
    const { transferKeys } = context.settings;
    const { transfer, key } = await requestTransfer(work, transferKeys, { zoneId, draft });
    const rendered = renderTransfer(request, transfer, key);
    return { reply: createdReply(rendered, { Location: rendered.links.self }) };
  });
}

function idOf({ params }: ProjectRequest): string {
  return params['transferRequestId'] ?? '';
}
