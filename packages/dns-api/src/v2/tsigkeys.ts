import {
  changeTsigKey,
  createTsigKey,
  getTsigKey,
  listTsigKeys,
  removeTsigKey,
  type TsigKey,
  type TsigKeySortKey,
  type UnitOfWork,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { write, writeSecret } from '../http/write.js';
import { type ProjectRequest, readMembers } from './http/request.js';
import { describeList, type ListForm, listPageReply, textFilterOf } from './http/list-query.js';
import { createdReply, linkOf, noContentReply } from './http/reply.js';
import { ofV2 } from './http/operation.js';
import { POOL_ID } from './pools.js';

const ALL = '/tsigkeys';
const ONE = `${ALL}/{tsigkey_id}`;
const WRITABLE = ['name', 'algorithm', 'secret', 'scope', 'resource_id'];
const READ_ONLY = ['id', 'created_at', 'updated_at', 'links'];

const LIST: ListForm<'name' | 'algorithm' | 'scope', TsigKeySortKey> = {
  filters: ['name', 'algorithm', 'scope'],
  sortKeys: ['created_at', 'id', 'updated_at', 'name'],
};

export const TSIG_KEY_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'createTsigKey',
    name: 'Create TSIG Key (v2)',
    method: 'POST',
    status: 201,
    path: ALL,
    access: 'cloud-admin',
    body: 'json',
    reads: 'TsigKeyInputV2',
    answers: 'TsigKeyV2',
    creates: true,
    faults: [409],
    handle: async (context, request) =>
      writeSecret(context, request, async (work) => {
        const draft = readMembers(request.body, WRITABLE);
        const key = await createTsigKey(placeOf(context, work), draft);
        const rendered = renderTsigKey(request, key, draft.values['secret']);
        return { reply: createdReply(rendered, { Location: rendered.links.self }) };
      }),
  },
  {
    id: 'listTsigKeys',
    name: 'List TSIG Keys (v2)',
    method: 'GET',
    path: ALL,
    access: 'cloud-admin',
    body: 'none',
    answers: 'TsigKeysV2',
    query: describeList(LIST),
    handle: async ({ db }, request) =>
      listPageReply(request, {
        member: 'tsigkeys',
        form: LIST,
        fetch: ({ name, algorithm, scope }, order) =>
          listTsigKeys(
            db,
            {
              name: textFilterOf(name),
              algorithm: textFilterOf(algorithm),
              scope: textFilterOf(scope),
            },
            order,
          ),
        render: (key) => renderTsigKey(request, key),
      }),
  },
  {
    id: 'getTsigKey',
    name: 'Get TSIG Key (v2)',
    method: 'GET',
    path: ONE,
    access: 'cloud-admin',
    body: 'none',
    answers: 'TsigKeyV2',
    handle: async ({ db }, request) =>
      jsonReply(renderTsigKey(request, await getTsigKey(db, idOf(request)))),
  },
  {
    id: 'updateTsigKey',
    name: 'Update TSIG Key (v2)',
    method: 'PATCH',
    path: ONE,
    access: 'cloud-admin',
    body: 'json',
    reads: 'TsigKeyInputV2',
    answers: 'TsigKeyV2',
    faults: [409],
    handle: async (context, request) =>
      writeSecret(context, request, async (work) => {
        const draft = readMembers(request.body, WRITABLE, READ_ONLY);
        const key = await changeTsigKey(placeOf(context, work), idOf(request), draft);
        return { reply: jsonReply(renderTsigKey(request, key, draft.values['secret'])) };
      }),
  },
  {
    id: 'deleteTsigKey',
    name: 'Delete TSIG Key (v2)',
    method: 'DELETE',
    status: 204,
    path: ONE,
    access: 'cloud-admin',
    body: 'none',
    handle: async (context, request) =>
      write(context, request, async ({ trx }) => {
        await removeTsigKey(trx, idOf(request));
        return { reply: noContentReply() };
      }),
  },
]);

function placeOf({ settings }: Context, { trx }: UnitOfWork) {
  return { trx, keyring: settings.transferKeys, poolId: POOL_ID };
}

/**
 * Renders a TSIG key. The secret is only in the response to the request that sent it: this service cannot decrypt it.
 */
function renderTsigKey(request: ProjectRequest, key: TsigKey, secret?: unknown) {
  return {
    id: key.id,
    name: key.name,
    algorithm: key.algorithm,
    secret: secret ?? null,
    scope: key.scope,
    resource_id: key.resourceId,
    created_at: key.createdAt,
    updated_at: key.updatedAt,
    links: linkOf(request, `tsigkeys/${key.id}`),
  };
}

function idOf({ params }: ProjectRequest): string {
  return params['tsigkey_id'] ?? '';
}
