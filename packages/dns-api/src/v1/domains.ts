import {
  changedZoneContent,
  createZone,
  deleteZone,
  newZoneContent,
  updateZoneContent,
  type Zone,
  type ZoneContent,
  zoneEtag,
} from '@zonewright/zones';
import { checkMembers } from '../http/members.js';
import type { Operation } from '../http/operation.js';
import { describeSort, DOMAIN_SORT_KEYS, FLAG, PAGE, TEXT } from '../http/parameters.js';
import { emptyReply, jsonReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { listZonesReply } from './list-domains.js';
import { renderZone, zoneWritten } from './render-domain.js';

const COLLECTION = '/v1/domains';
const ONE = '/v1/domains/{domainId}';

export const DOMAIN_OPERATIONS: readonly Operation[] = [
  {
    id: 'createDomain',
    name: 'Create Domain',
    method: 'POST',
    path: COLLECTION,
    access: 'tenant',
    body: 'json',
    reads: 'NewDomain',
    answers: 'Domain',
    creates: true,
    faults: [409],
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const zone = await createZone(work, readNewZone(request.body));
        const reply = jsonReply(renderZone(zone), {
          ETag: zoneEtag(zone),
          Location: `${request.baseUrl}${COLLECTION}/${zone.id}`,
        });
        return { reply, serial: zone.serial };
      }),
  },
  {
    id: 'getDomain',
    name: 'Get Domain',
    method: 'GET',
    path: ONE,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    answers: 'Domain',
    handle: async ({ zones }, { caller, params }) => {
      const zone = await zones.get(caller, params['domainId'] ?? '');
      return jsonReply(renderZone(zone), { ETag: zoneEtag(zone) });
    },
  },
  {
    id: 'updateDomain',
    name: 'Update Domain',
    method: 'PUT',
    path: ONE,
    hasTag: true,
    access: 'tenant',
    body: 'json',
    reads: 'DomainUpdate',
    answers: 'Domain',
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const { params, headers, body } = request;
        const target = { id: params['domainId'] ?? '', ifMatch: headers.ifMatch };
        const zone = await updateZoneContent(work, target, (stored) =>
          readZoneUpdate(body, stored),
        );
        return zoneWritten(zone);
      }),
  },
  {
    id: 'deleteDomain',
    name: 'Delete Domain',
    method: 'DELETE',
    path: ONE,
    hasTag: true,
    access: 'tenant',
    body: 'none',
    isLong: true,
    handle: async (context, request) =>
      write(context, request, async (work) => {
        const { params, headers } = request;
        const target = { id: params['domainId'] ?? '', ifMatch: headers.ifMatch };
        return { reply: emptyReply(), serial: await deleteZone(work, target) };
      }),
  },
  {
    id: 'listDomains',
    name: 'List Domains',
    method: 'GET',
    path: COLLECTION,
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    compresses: true,
    answers: 'Domains',
    query: {
      ...PAGE,
      name: TEXT,
      q: TEXT,
      sort: describeSort(DOMAIN_SORT_KEYS),
      deleted: FLAG,
      extended: FLAG,
      total: FLAG,
    },
    handle: listZonesReply,
  },
];

/** Writable members (DNS API s4, Create and Update Domain). */
const WRITABLE = ['name', 'ttl', 'email', 'description'];
/** Read-only members of a domain. An update may contain them; they are ignored. */
const READ_ONLY = ['id', 'serial', 'created_at', 'updated_at'];

/** Reads the body of Create Domain. @throws ServiceError `invalid` with all problems. */
function readNewZone(body: unknown): ZoneContent {
  return newZoneContent(checkMembers(body, WRITABLE));
}

/**
 * Reads the body of Update Domain. Missing members are not changed. Renaming is rejected.
 *
 * @throws ServiceError `invalid` with all problems
 */
function readZoneUpdate(body: unknown, zone: Zone): ZoneContent {
  return changedZoneContent(checkMembers(body, [...WRITABLE, ...READ_ONLY]), zone);
}
