import type { Context } from '../context.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { findLimits } from '../limits/limits-store.js';
import { Undo } from '../transactions/undo.js';
import { exportZoneReply, ZONE_FILE_TYPE } from './export-zone.js';
import { readImport } from './import-form.js';
import { importNewZone, readNewZoneFile } from './import-new-zone.js';
import { importIntoZone } from './import-zone.js';
import { parseZoneFile, selectRecords } from './read-zone-file.js';
import { renderImport } from './render.js';

export const ZONE_FILE_OPERATIONS: readonly Operation[] = [
  {
    name: 'Export a Zone File',
    method: 'get',
    path: '/v1/domains/:domainId/zonefile',
    access: 'tenant',
    body: 'none',
    isLong: true,
    answers: [ZONE_FILE_TYPE, 'text/plain', 'application/json'],
    handle: exportZoneReply,
  },
  {
    name: 'Import a Zone File',
    method: 'post',
    path: '/v1/domains/:domainId/import',
    access: 'tenant',
    body: 'zone-file',
    isLong: true,
    handle: async (context, request) => {
      const { caller, params, body, query } = request;
      const zone = await context.zones.get(caller.tenantId, params['domainId'] ?? '');
      const wanted = readImport(body, query);
      const { maxDomainRecords } = await findLimits(
        context.db,
        caller.tenantId,
        context.settings.rules,
      );
      const parsed = await parseZoneFile(wanted.text, {
        origin: zone.name,
        // Of a zone that has more than its tenant's limit today, all may be replaced.
        maxRecords: Math.max(maxDomainRecords, zone.recordCount),
      });
      const { taken, notTaken } = await selectRecords(zone, parsed.records);
      const selected = { taken, notTaken: [...parsed.notTaken, ...notTaken] };
      return await write(context, request, async (work) =>
        jsonReply(renderImport(await importIntoZone(work, zone.id, selected, wanted))),
      );
    },
  },
  {
    name: 'Import a Zone File as a New Domain',
    method: 'post',
    path: '/v1/domains/import',
    access: 'tenant',
    body: 'zone-file',
    isLong: true,
    handle: importNewDomain,
  },
];

async function importNewDomain(context: Context, request: TenantRequest): Promise<StoredReply> {
  const wanted = readImport(request.body, request.query);
  const { db, settings } = context;
  const { maxDomainRecords } = await findLimits(db, request.caller.tenantId, settings.rules);
  const file = await readNewZoneFile(wanted, maxDomainRecords);
  try {
    return await write(context, request, async (work) => {
      const result = await importNewZone(work, file, wanted);
      const location = `${request.baseUrl}/v1/domains/${result.zone.id}`;
      const reply = jsonReply(renderImport(result), wanted.isDryRun ? {} : { Location: location });
      if (wanted.isDryRun) throw new Undo(reply);
      return reply;
    });
  } catch (error) {
    if (error instanceof Undo) return error.result as StoredReply;
    throw error;
  }
}
