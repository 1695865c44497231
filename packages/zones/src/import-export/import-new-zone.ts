import type { Database } from '@zonewright/database';
import { toAsciiDomainName, type ZoneTextRecord } from '@zonewright/dns-records';
import { checkZoneName } from '@zonewright/dns-records/zone-names';
import { invalidRequest } from '@zonewright/service-kit';
import { getLimits } from '../domains/quotas.js';
import { DEFAULT_TTL_SECONDS, newZoneContent } from '../domains/zone-content.js';
import { createZone } from '../domains/zones.js';
import type { ZoneRules } from '../request/rules.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { listServers } from '../rows/nameserver-store.js';
import type { Zone, ZoneContent } from '../rows/zone.js';
import type { ImportRequest } from './import-request.js';
import { importIntoZone, type ImportResult } from './import-zone.js';
import { parseZoneFile, type SelectedRecords, selectRecords } from './read-zone-file.js';

/** Creates a zone and imports the records of a zone file. @throws ServiceError as createZone and importIntoZone do */
export async function importNewZone(
  work: UnitOfWork,
  { content, records }: NewZoneFile,
  request: ImportRequest,
): Promise<ImportResult> {
  const zone = await createZone(work, content);
  return await importIntoZone(work, { id: zone.id, ifMatch: undefined }, records, request);
}

interface Reader {
  readonly db: Database;
  readonly tenantId: string;
  readonly rules: ZoneRules;
}

/** Reads a zone file for an existing zone. @throws ServiceError as parseZoneFile does */
export async function readForZone(
  reader: Reader,
  zone: Zone,
  text: string,
): Promise<SelectedRecords> {
  const parsed = await parseZoneFile(text, {
    origin: zone.name,
    fallbackTtl: zone.ttl,
    // A zone with more records than the current limit may be replaced as a whole.
    maxRecords: Math.max(await maxRecordsOf(reader), zone.recordCount),
  });
  const { taken, notTaken } = await selectRecords(zone, parsed.records, await ownServers(reader));
  return { taken, notTaken: [...parsed.notTaken, ...notTaken] };
}

/** Zone file for a new zone. */
interface NewZoneFile {
  readonly content: ZoneContent;
  readonly records: SelectedRecords;
}

/**
 * Reads a zone file for a new zone. Name and email come from the request, or else from the SOA in the file.
 *
 * @throws ServiceError `invalid` if neither contains a valid name or email, or as parseZoneFile does
 */
export async function readForNewZone(
  reader: Reader,
  { text, name, email }: ImportRequest,
): Promise<NewZoneFile> {
  const maxRecords = await maxRecordsOf(reader);
  const servers = await ownServers(reader);
  const { records, notTaken, invalidSoa } = await parseZoneFile(text, {
    origin: originOf(name),
    fallbackTtl: DEFAULT_TTL_SECONDS,
    maxRecords,
  });
  const soa = records.find(({ type }) => type === 'SOA');
  const owner = soa?.ownerName ?? invalidSoa?.owner;
  const values = { name: name ?? owner, email: email ?? emailOf(soa) };
  if (invalidSoa !== undefined && values.email === undefined) throw causedBy(invalidSoa);
  const content = newZoneContent({ values, problems: [] });
  const selected = await selectRecords(content, records, servers);
  return {
    content,
    records: { taken: selected.taken, notTaken: [...notTaken, ...selected.notTaken] },
  };
}

/** Returns the origin. An invalid name is reported later, when the zone's members are checked. */
function originOf(name: string | undefined): string {
  return name === undefined || checkZoneName(name).length > 0 ? '.' : toAsciiDomainName(name);
}

/** The line is the cause: that the domain has no e-mail address follows from it. */
function causedBy({ line, reason }: { readonly line: number; readonly reason: string }) {
  const message = `line ${line}: ${reason}`;
  return invalidRequest([{ path: `zonefile:${line}`, validator: 'syntax', message }]);
}

function emailOf(soa: ZoneTextRecord | undefined): string | undefined {
  return soa === undefined ? undefined : emailOfSoa(soa.data);
}

/** Returns the maximum number of records in a domain of the tenant. */
async function maxRecordsOf({ db, tenantId, rules }: Reader): Promise<number> {
  return (await getLimits(db, tenantId, rules)).maxDomainRecords;
}

/** Returns the names of this service's nameservers. */
async function ownServers({ db }: Reader): Promise<string[]> {
  return (await listServers(db)).map(({ name }) => name);
}

/**
 * Returns the email address in the data of an SOA: the first label is the local part with escaped dots (RFC 1035 s8).
 */
function emailOfSoa(data: string): string | undefined {
  const rname = data.split(' ')[1] ?? '';
  const [, localPart, domain] = /^((?:\\.|[^.\\])+)\.(.+)\.$/.exec(rname) ?? [];
  if (localPart === undefined || domain === undefined) return undefined;
  return `${localPart.replaceAll(/\\(.)/g, '$1')}@${domain}`;
}
