import { invalidRequest } from '@zonewright/service-kit';
import {
  addFailedImport,
  addImport,
  importNewZone,
  type ImportRequest,
  isFaultOfFile,
  readForNewZone,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { readFlag } from '../http/members.js';
import type { Operation } from '../http/operation.js';
import { DRY_RUN } from '../http/read-query.js';
import type { StoredReply } from '../http/reply.js';
import { write } from '../http/write.js';
import { ofV2 } from './http/operation.js';
import { acceptedReply } from './http/reply.js';
import type { ProjectRequest } from './http/request.js';
import { asAccepted, renderImport, taskOperations } from './tasks.js';

export const IMPORT_OPERATIONS: readonly Operation[] = ofV2([
  {
    id: 'createZoneImport',
    name: 'Create Zone Import (v2)',
    method: 'POST',
    status: 202,
    path: '/zones/tasks/imports',
    access: 'tenant',
    body: 'zone-file',
    isLong: true,
    source: 'import',
    answers: 'ZoneImportV2',
    creates: true,
    handle: createImport,
  },
  ...taskOperations('import', renderImport),
]);

/**
 * Creates an import. If the file has errors, the import shows them, as in Designate, and no part of the file is stored.
 */
async function createImport(context: Context, request: ProjectRequest): Promise<StoredReply> {
  const { tenantId } = request.caller;
  const owner = { tenantId, most: context.settings.retention.maxZoneTasks };
  const wanted = readImportedFile(request.body);
  try {
    const reader = { db: context.db, tenantId, rules: context.settings.rules };
    const file = await readForNewZone(reader, wanted);
    return await write(context, request, async (work) => {
      const { zone } = await importNewZone(work, file, wanted);
      const task = await addImport(work.trx, owner, zone);
      return { reply: importReply(renderImport(request, task)), serial: zone.serial };
    });
  } catch (error) {
    // A dry run returns the errors directly.
    if (!isFaultOfFile(error) || readFlag(request.query, DRY_RUN)) throw error;
    return await write(context, request, async ({ trx }) => {
      const task = await addFailedImport(trx, owner, error);
      return { reply: importReply(renderImport(request, task)) };
    });
  }
}

function importReply(rendered: ReturnType<typeof renderImport>) {
  const { links, ...task } = rendered;
  const location = links.self;
  return acceptedReply(
    { ...asAccepted(task), message: null, zone_id: null, links: { self: location } },
    { Location: location },
  );
}

/**
 * Reads an import: the body is a zone file, which is imported completely or not at all. Name and email come from its
 * SOA record.
 */
function readImportedFile(body: unknown): ImportRequest {
  if (typeof body === 'string') {
    return {
      text: body,
      mode: 'merge',
      onError: 'refuse',
      confirm: false,
      name: undefined,
      email: undefined,
      columns: undefined,
    };
  }
  const message = 'The body must be a zone file, with the Content-Type text/dns.';
  throw invalidRequest([{ path: '', validator: 'type', message }]);
}
