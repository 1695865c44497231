import {
  type Caller,
  importIntoZone,
  importNewZone,
  readForNewZone,
  readForZone,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { exportZoneReply, ZONE_FILE_TYPE } from './export-reply.js';
import { IMPORT_PARAMETERS, NEW_ZONE_PARAMETERS, readImport } from './import-form.js';
import { renderImport } from './render.js';
import { describeParameters } from '../schemas/parameters.js';

export const ZONE_FILE_OPERATIONS: readonly Operation[] = [
  {
    id: 'exportZoneFile',
    name: 'Export a Zone File',
    method: 'GET',
    path: '/v1/domains/{domainId}/zonefile',
    access: 'tenant',
    body: 'none',
    compresses: true,
    isLong: true,
    types: [ZONE_FILE_TYPE, 'text/plain', 'application/json'],
    handle: exportZoneReply,
  },
  {
    id: 'importZoneFile',
    name: 'Import a Zone File',
    method: 'POST',
    path: '/v1/domains/{domainId}/import',
    hasTag: true,
    access: 'tenant',
    body: 'zone-file',
    query: describeParameters(IMPORT_PARAMETERS),
    isLong: true,
    source: 'import',
    reads: 'Import',
    answers: 'ImportResult',
    handle: async (context, request) => {
      const { caller, params, headers, body, query } = request;
      const zone = await context.zones.get(caller, params['domainId'] ?? '');
      const wanted = readImport(body, query);
      const selected = await readForZone(readerOf(context, caller), zone, wanted.text);
      const target = { id: zone.id, ifMatch: headers.ifMatch };
      return await write(context, request, async (work) => {
        const result = await importIntoZone(work, target, selected, wanted);
        return { reply: jsonReply(renderImport(result)), serial: result.zone.serial };
      });
    },
  },
  {
    id: 'importNewDomain',
    name: 'Import a Zone File as a New Domain',
    method: 'POST',
    path: '/v1/domains/import',
    access: 'tenant',
    body: 'zone-file',
    query: describeParameters([...IMPORT_PARAMETERS, ...NEW_ZONE_PARAMETERS]),
    isLong: true,
    source: 'import',
    reads: 'Import',
    answers: 'ImportResult',
    creates: true,
    faults: [409],
    handle: importNewDomain,
  },
];

async function importNewDomain(context: Context, request: TenantRequest): Promise<StoredReply> {
  const wanted = readImport(request.body, request.query);
  const file = await readForNewZone(readerOf(context, request.caller), wanted);
  return await write(context, request, async (work) => {
    const result = await importNewZone(work, file, wanted);
    const location = `${request.baseUrl}/v1/domains/${result.zone.id}`;
    const reply = jsonReply(renderImport(result), { Location: location });
    return { reply, serial: result.zone.serial };
  });
}

function readerOf({ db, settings }: Context, { tenantId }: Caller) {
  return { db, tenantId, rules: settings.rules };
}
