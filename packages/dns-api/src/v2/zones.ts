import {
  createSecondaryZone,
  createZone,
  deleteZone,
  DNSSEC_ATTRIBUTE,
  findListedZone,
  getZoneApex,
  moveToPrimaries,
  refreshSecondary,
  updateZoneContent,
  zoneNotFound,
} from '@zonewright/zones';
import { ServiceError } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';
import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { secondaryRules } from '../v1/secondaries.js';
import { ofV2 } from './http/operation.js';
import type { ProjectRequest } from './http/request.js';
import { acceptedReply, writeV2 } from './http/reply.js';
import { describeList } from './http/list-query.js';
import {
  followDnssecAttribute,
  readDnssecAttribute,
  renderListedZone,
  renderZone,
} from './render-zone.js';
import { getListedZone, listZonesReply, ZONE_LIST, zoneIdOf } from './list-zones.js';
import { readNewMasters, readNewZone, readZoneUpdate } from './zone-form.js';

const ONE = '/zones/{zone_id}';

export const ZONE_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'createZone',
    name: 'Create Zone (v2)',
    method: 'POST',
    path: '/zones',
    access: 'tenant',
    body: 'json',
    reads: 'NewZoneV2',
    answers: 'ZoneV2',
    creates: true,
    status: 202,
    faults: [409],
    handle: async (context, request) =>
      writeV2(context, request, async (work) => {
        const { content, primaries } = readNewZone(request.body);
        const { attributes = {} } = content;
        const { id, serial } =
          primaries === undefined
            ? await createZone(work, { ...content, attributes })
            : await createSecondaryZone(work, secondaryRules(context), content, primaries);
        const wantsDnssec = attributes[DNSSEC_ATTRIBUTE] === 'true';
        await followDnssecAttribute(context, work, { id }, wantsDnssec);
        const zone = await findListedZone(work.trx, work.caller, id);
        if (zone === undefined) throw zoneNotFound();
        const body = renderZone(request, { ...zone, serial, attributes }, 'PENDING');
        return { reply: acceptedReply(body, { Location: body.links.self }), serial: zone.serial };
      }),
  },
  {
    id: 'listZones',
    name: 'List Zones (v2)',
    method: 'GET',
    path: '/zones',
    access: 'tenant',
    restricted: 'by-rules',
    body: 'none',
    compresses: true,
    answers: 'ZonesV2',
    query: describeList(ZONE_LIST),
    handle: listZonesReply,
  },
  {
    id: 'getZone',
    name: 'Show Zone (v2)',
    method: 'GET',
    path: ONE,
    access: 'tenant',
    restricted: 'by-rules',
    isShared: true,
    body: 'none',
    answers: 'ZoneV2',
    handle: async (context, request) => jsonReply(await renderAsItIs(context, context.db, request)),
  },
  {
    id: 'updateZone',
    name: 'Update Zone (v2)',
    method: 'PATCH',
    path: ONE,
    access: 'tenant',
    body: 'json',
    reads: 'ZoneUpdateV2',
    answers: 'ZoneV2',
    status: 202,
    handle: async (context, request) =>
      writeV2(context, request, async (work) => {
        const target = { id: zoneIdOf(request), ifMatch: undefined };
        const listed = await getListedZone(work.trx, request);
        const isSecondary = listed.secondary !== undefined;
        const primaries = isSecondary ? readNewMasters(request.body) : undefined;
        let versionBefore = 0;
        const zone = await updateZoneContent(work, target, (stored) => {
          versionBefore = stored.version;
          return readZoneUpdate(request.body, stored, isSecondary);
        });
        if (primaries !== undefined) {
          await moveToPrimaries(work, secondaryRules(context), target.id, primaries);
        }
        const isSigningChanged = await followDnssecAttribute(
          context,
          work,
          listed,
          readDnssecAttribute(request.body),
        );
        const isChanged = isSigningChanged || zone.version !== versionBefore;
        const body = isChanged
          ? renderZone(request, await getListedZone(work.trx, request), 'PENDING')
          : await renderAsItIs(context, work.trx, request);
        return { reply: acceptedReply(body), serial: zone.serial };
      }),
  },
  {
    id: 'deleteZone',
    name: 'Delete Zone (v2)',
    method: 'DELETE',
    path: ONE,
    access: 'tenant',
    body: 'none',
    answers: 'ZoneV2',
    status: 202,
    isLong: true,
    handle: async (context, request) =>
      writeV2(context, request, async (work) => {
        const target = { id: zoneIdOf(request), ifMatch: undefined };
        const zone = await getListedZone(work.trx, request);
        const serial = await deleteZone(work, target);
        const body = renderZone(request, { ...zone, serial }, 'PENDING', 'DELETE');
        return { reply: acceptedReply(body), serial };
      }),
  },
  {
    id: 'transferZoneIn',
    name: 'Transfer Zone In (v2)',
    method: 'POST',
    path: `${ONE}/tasks/xfr`,
    access: 'tenant',
    body: 'none',
    answers: 'AcceptedV2',
    status: 202,
    handle: async (context, request) =>
      writeV2(context, request, async (work) => {
        const { secondary } = await getListedZone(work.trx, request);
        if (secondary === undefined) {
          throw new ServiceError(
            'forbidden',
            'Only SECONDARY zones are transferred in. Change the recordsets of this zone, or import a zone file.',
          );
        }
        await refreshSecondary(work, zoneIdOf(request));
        return { reply: acceptedReply({}) };
      }),
  },
  {
    id: 'listZoneNameservers',
    name: 'Show the Nameservers of a Zone (v2)',
    method: 'GET',
    path: `${ONE}/nameservers`,
    access: 'tenant',
    restricted: 'by-rules',
    isShared: true,
    body: 'none',
    answers: 'ZoneNameserversV2',
    handle: async (context, request) => {
      const zone = await getListedZone(context.db, request);
      const servers = (await getZoneApex(context.db, zone.id))?.servers ?? [];
      return jsonReply({
        nameservers: servers.map((hostname, at) => ({ hostname, priority: at + 1 })),
      });
    },
  },
]);

/** Renders the zone with the status of its last change. */
async function renderAsItIs({ publication }: Context, db: Context['db'], request: ProjectRequest) {
  const zone = await getListedZone(db, request);
  // Read the statuses first: changes that a nameserver reports as applied were committed earlier.
  return renderListedZone(request, await publication.statuses.read(), zone);
}
