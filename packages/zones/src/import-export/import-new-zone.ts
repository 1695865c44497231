import type { Database } from '@zonewright/database';
import { toAsciiDomainName } from '@zonewright/dns-records';
import { checkZoneName } from '@zonewright/dns-records/zone-names';
import { invalidRequest } from '@zonewright/service-kit';
import { getLimits } from '../domains/quotas.js';
import { DEFAULT_TTL_SECONDS, newZoneContent } from '../domains/zone-content.js';
import { createZone } from '../domains/zones.js';
import type { ZoneRules } from '../request/rules.js';
import type { UnitOfWork } from '../request/unit-of-work.js';
import { listServers } from '../rows/nameserver-store.js';
import type { Zone, ZoneContent } from '../rows/zone.js';
import type { FileForm } from './form-entry.js';
import {
  type FileText,
  type ImportRequest,
  showFirstLines,
  type SkippedLineText,
} from './import-request.js';
import { type FileRecords, importIntoZone, type ImportResult } from './import-zone.js';
import { readFile, type ReadFile } from './read-file.js';
import { type FileRecord, selectRecords } from './read-zone-file.js';

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

/** Reads a file for an existing zone. @throws ServiceError as readFile does */
export async function readForZone(
  reader: Reader,
  zone: Zone,
  { text, columns }: Omit<FileText, 'name'>,
): Promise<FileRecords> {
  const file = await readFile(text, {
    columns,
    domain: zone.name,
    fallbackTtl: zone.ttl,
    // A zone with more records than the current limit may be replaced as a whole.
    maxRecords: Math.max(await maxRecordsOf(reader), zone.recordCount),
  });
  return await selectFrom(reader, zone, file);
}

interface NewZoneFile {
  readonly content: ZoneContent;
  readonly records: FileRecords;
}

/**
 * Reads a file for a new zone. Name and email come from the request, or else from the file.
 *
 * @throws ServiceError `invalid` if neither contains a valid name or email, or as readFile does
 */
export async function readForNewZone(reader: Reader, request: ImportRequest): Promise<NewZoneFile> {
  const { name, email } = request;
  const file = await readNew(reader, request);
  const values = { name: name ?? file.domain, email: email ?? emailOf(file) };
  if (file.invalidSoa !== undefined && values.email === undefined) throw causedBy(file.invalidSoa);
  const content = newZoneContent({ values, problems: [] });
  return { content, records: await selectFrom(reader, content, file) };
}

/** The content of a file before anything is imported. */
export interface FileDescription {
  readonly form: FileForm;
  /** The columns of a table, as they were read. */
  readonly columns: ReadFile['columns'];
  /** Undefined if neither the request nor the file names it. No record is selected in that case. */
  readonly domain: string | undefined;
  /** The address from the SOA of the file. */
  readonly email: string | undefined;
  /** The first records, up to a limit. */
  readonly records: readonly FileRecord[];
  readonly recordCount: number;
  readonly notTaken: readonly SkippedLineText[];
  readonly notTakenCount: number;
  readonly notes: readonly SkippedLineText[];
}

/** The limit of records in the description; a list with more of them is an export. */
const MAX_RECORDS_SHOWN = 1_000;

/** Reads a file and changes nothing. @throws ServiceError as readFile does, or for a name that no domain can have */
export async function describeFile(reader: Reader, given: FileText): Promise<FileDescription> {
  const { text, name } = given;
  const problems = name === undefined ? [] : checkZoneName(name);
  if (problems.length > 0) throw invalidRequest(problems);
  const file = await readNew(reader, given);
  const { domain, form, columns } = file;
  const zone = domain === undefined ? undefined : { name: domain, ttl: DEFAULT_TTL_SECONDS };
  const selected = zone === undefined ? undefined : await selectFrom(reader, zone, file);
  const { taken = [], notTaken = file.notTaken, notes = [] } = selected ?? {};
  return {
    ...{ form, columns, domain, email: emailOf(file) },
    records: taken.slice(0, MAX_RECORDS_SHOWN),
    recordCount: selected === undefined ? file.records.length : taken.length,
    notTaken: await showFirstLines(text, notTaken),
    notTakenCount: notTaken.length,
    notes: await showFirstLines(text, notes),
  };
}

async function readNew(reader: Reader, { text, name, columns }: FileText): Promise<ReadFile> {
  return await readFile(text, {
    columns,
    domain: domainOf(name),
    fallbackTtl: DEFAULT_TTL_SECONDS,
    maxRecords: await maxRecordsOf(reader),
  });
}

async function selectFrom(
  reader: Reader,
  zone: Pick<Zone, 'name' | 'ttl'>,
  file: ReadFile,
): Promise<FileRecords> {
  const selected = await selectRecords(zone, file.records, await ownServers(reader));
  const { notTaken } = selected;
  return { ...selected, form: file.form, notTaken: [...file.notTaken, ...notTaken] };
}

/** Returns the name of the domain. An invalid name is reported later, when the members of the zone are checked. */
function domainOf(name: string | undefined): string | undefined {
  const isName = name !== undefined && checkZoneName(name).length === 0;
  return isName ? toAsciiDomainName(name) : undefined;
}

/** Returns the problem of an invalid line that would have given the domain its email address. */
function causedBy({ line, reason }: { readonly line: number; readonly reason: string }) {
  const message = `line ${line}: ${reason}`;
  return invalidRequest([{ path: `zonefile:${line}`, validator: 'syntax', message }]);
}

function emailOf({ records }: ReadFile): string | undefined {
  const soa = records.find(({ type }) => type === 'SOA');
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
