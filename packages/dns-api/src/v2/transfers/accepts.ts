import { invalidRequest, isUuid, type Problem } from '@zonewright/service-kit';
import { type AcceptSortKey, acceptZone, getAccept, listAccepts } from '@zonewright/zones';
import type { Operation } from '../../http/operation.js';
import { jsonReply } from '../../http/reply.js';
import { write } from '../../http/write.js';
import { readMembers } from '../http/body.js';
import { listPageReply } from '../http/list-page.js';
import type { ListForm } from '../http/list-query.js';
import { ofV2 } from '../http/operation.js';
import { createdReply } from '../http/reply.js';
import { describeList } from '../openapi/list-parameters.js';
import { renderAccept } from './render.js';

const ALL = '/zones/tasks/transfer_accepts';
const LIST: ListForm<never, AcceptSortKey> = { filters: [], sortKeys: ['created_at', 'id'] };

export const TRANSFER_ACCEPT_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'createTransferAccept',
    name: 'Accept Zone Transfer (v2)',
    method: 'POST',
    status: 201,
    path: ALL,
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
        // It opens nothing any more, and clients keep what they are answered.
        const rendered = renderAccept(request, accept, brought.key);
        const reply = createdReply(rendered, { Location: rendered.links.self });
        return { reply, serial: zone.serial };
      }),
  },
  {
    id: 'listTransferAccepts',
    name: 'List Accepted Zone Transfers (v2)',
    method: 'GET',
    path: ALL,
    access: 'tenant',
    body: 'none',
    answers: 'TransferAcceptsV2',
    query: describeList(LIST),
    handle: async ({ db }, request) =>
      listPageReply(request, {
        member: 'transfer_accepts',
        form: LIST,
        fetch: (_, order) => listAccepts(db, request.caller.tenantId, order),
        render: (accept) => renderAccept(request, accept),
      }),
  },
  {
    id: 'getTransferAccept',
    name: 'Get Accepted Zone Transfer (v2)',
    method: 'GET',
    path: `${ALL}/{transferAcceptId}`,
    access: 'tenant',
    body: 'none',
    answers: 'TransferAcceptV2',
    handle: async ({ db }, request) => {
      const id = request.params['transferAcceptId'] ?? '';
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
    all.push({ path: 'key', validator: 'type', message: 'key must be that of the request.' });
  }
  if (all.length > 0) throw invalidRequest(all);
  return { transferId: transferId as string, key: key as string };
}
