import {
  getZone,
  getZoneShare,
  listZoneShares,
  shareZone,
  unshareZone,
  type ZoneShare,
  type ZoneShareSortKey,
} from '@zonewright/zones';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { type ProjectRequest, readMembers } from './http/request.js';
import { describeList, type ListForm, listPageReply } from './http/list-query.js';
import { createdReply, linkOf, noContentReply } from './http/reply.js';
import { ofV2 } from './http/operation.js';

const ALL = '/zones/{zone_id}/shares';
const ONE = `${ALL}/{zone_share_id}`;
const LIST: ListForm<'target_project_id', ZoneShareSortKey> = {
  filters: ['target_project_id'],
  sortKeys: ['created_at', 'id'],
};

export const SHARE_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'createZoneShare',
    name: 'Share Zone (v2)',
    method: 'POST',
    status: 201,
    path: ALL,
    access: 'tenant',
    body: 'json',
    reads: 'ZoneShareInputV2',
    answers: 'ZoneShareV2',
    creates: true,
    faults: [409],
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const draft = readMembers(request.body, ['target_project_id']);
        const share = await shareZone(work, zoneIdOf(request), draft);
        const rendered = renderShare(request, share);
        return { reply: createdReply(rendered, { Location: rendered.links.self }) };
      }),
  },
  {
    id: 'listZoneShares',
    name: 'List Zone Shares (v2)',
    method: 'GET',
    path: ALL,
    access: 'tenant',
    body: 'none',
    answers: 'ZoneSharesV2',
    query: describeList(LIST),
    handle: async ({ db }, request) =>
      listPageReply(request, {
        member: 'shared_zones',
        form: LIST,
        fetch: async ({ target_project_id: target }, order) => {
          const zone = await getZone(db, request.caller, zoneIdOf(request));
          return await listZoneShares(db, zone.id, target, order);
        },
        render: (share) => renderShare(request, share),
      }),
  },
  {
    id: 'getZoneShare',
    name: 'Get Zone Share (v2)',
    method: 'GET',
    path: ONE,
    access: 'tenant',
    body: 'none',
    answers: 'ZoneShareV2',
    handle: async ({ db }, request) => {
      const share = await getZoneShare(db, request.caller, zoneIdOf(request), shareIdOf(request));
      return jsonReply(renderShare(request, share));
    },
  },
  {
    id: 'deleteZoneShare',
    name: 'Unshare Zone (v2)',
    method: 'DELETE',
    status: 204,
    path: ONE,
    access: 'tenant',
    body: 'none',
    handle: async (context, request) =>
      write(context, request, async (work) => {
        await unshareZone(work, zoneIdOf(request), shareIdOf(request));
        return { reply: noContentReply() };
      }),
  },
]);

/** Only the owner can see shares, so the project is always the caller's. */
function renderShare(request: ProjectRequest, share: ZoneShare) {
  const zone = `zones/${share.zoneId}`;
  return {
    id: share.id,
    zone_id: share.zoneId,
    project_id: request.caller.tenantId,
    target_project_id: share.targetTenantId,
    created_at: share.createdAt,
    updated_at: null,
    links: { ...linkOf(request, `${zone}/shares/${share.id}`), zone: linkOf(request, zone).self },
  };
}

function zoneIdOf({ params }: ProjectRequest): string {
  return params['zone_id'] ?? '';
}

function shareIdOf({ params }: ProjectRequest): string {
  return params['zone_share_id'] ?? '';
}
