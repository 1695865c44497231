import { toAsciiDomainName, DnsSyntaxError, type ZoneTextRecord } from '@zonewright/dns-records';
import { createZone, newZoneContent, type UnitOfWork, type ZoneContent } from '@zonewright/zones';
import type { ImportRequest } from './import-form.js';
import { importIntoZone, type ImportResult } from './import-zone.js';
import { parseZoneFile, selectRecords } from './read-zone-file.js';
import { emailOfSoa } from './start-of-authority.js';
import type { SelectedRecords } from './import-zone.js';

/** A zone file that is to become a zone. */
export interface NewZoneFile {
  readonly content: ZoneContent;
  readonly records: SelectedRecords;
}

/**
 * Reads a zone file for a new zone: name and email are what the request says, or else what the file's SOA says.
 *
 * @throws ServiceError `invalid` when that gives no name or email for a domain, or as parseZoneFile does.
 */
export async function readNewZoneFile(
  request: ImportRequest,
  ownServers: readonly string[],
  maxRecords: number,
): Promise<NewZoneFile> {
  const { records, notTaken } = await parseZoneFile(request.text, {
    origin: originOf(request.name),
    maxRecords,
  });
  const soa = records.find(({ type }) => type === 'SOA');
  const values = {
    name: request.name ?? soa?.ownerName,
    email: request.email ?? emailOf(soa),
  };
  const content = newZoneContent({ values, problems: [] });
  const selected = await selectRecords(content, records, ownServers);
  return {
    content,
    records: { taken: selected.taken, notTaken: [...notTaken, ...selected.notTaken] },
  };
}

/** Creates the zone and brings the records into it. */
export async function importNewZone(
  work: UnitOfWork,
  { content, records }: NewZoneFile,
  request: ImportRequest,
): Promise<ImportResult> {
  const zone = await createZone(work, content);
  return await importIntoZone(work, { id: zone.id, ifMatch: undefined }, records, request);
}

/** A name that is none is found out when the zone's members are checked. */
function originOf(name: string | undefined): string {
  try {
    return name === undefined ? '.' : toAsciiDomainName(name);
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) throw error;
    return '.';
  }
}

function emailOf(soa: ZoneTextRecord | undefined): string | undefined {
  return soa === undefined ? undefined : emailOfSoa(soa.data);
}
