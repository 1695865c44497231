import { createZone } from '../domains/create-zone.js';
import type { UnitOfWork } from '../transactions/unit-of-work.js';
import type { ImportRequest } from './import-request.js';
import { importIntoZone, type ImportResult } from './import-zone.js';
import type { NewZoneFile } from './read-for-zone.js';

/** Creates a zone and brings the records of a zone file into it. @throws ServiceError as createZone and importIntoZone do. */
export async function importNewZone(
  work: UnitOfWork,
  { content, records }: NewZoneFile,
  request: ImportRequest,
): Promise<ImportResult> {
  const zone = await createZone(work, content);
  return await importIntoZone(work, { id: zone.id, ifMatch: undefined }, records, request);
}
