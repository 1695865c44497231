import { Readable } from 'node:stream';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import {
  type Caller,
  COLUMNS,
  describeFile,
  exportZone,
  type FileDescription,
  importIntoZone,
  type ImportMode,
  importNewZone,
  type ImportRequest,
  type ImportResult,
  readForNewZone,
  readForZone,
  REQUIRED_COLUMNS,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { checkFlag, checkMembers, readFlag } from '../http/members.js';
import { type Operation, payerOf, type TenantRequest } from '../http/operation.js';
import { describeParameters } from '../http/parameters.js';
import { type ApiReply, jsonReply, type StoredReply } from '../http/reply.js';
import { charge, write } from '../http/write.js';
import { renderDifference, renderOutcome } from './record-form.js';
import { renderZone } from './render-domain.js';

/** Media type of zone files (RFC 4027). */
export const ZONE_FILE_TYPE = 'text/dns';

/** Query parameters of an import whose body is the file itself. */
const IMPORT_PARAMETERS = ['mode', 'on_error', 'confirm', 'columns'] as const;
const NEW_ZONE_PARAMETERS = ['name', 'email'] as const;

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
      const selected = await readForZone(readerOf(context, caller), zone, wanted);
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
  {
    id: 'readImportFile',
    name: 'Read a File to Import',
    method: 'POST',
    path: '/v1/domains/import/read',
    access: 'tenant',
    body: 'zone-file',
    query: describeParameters(['name', 'columns']),
    isLong: true,
    onlyReads: true,
    faults: [429],
    reads: 'FileToRead',
    answers: 'ReadFile',
    handle: readImportFile,
  },
];

/**
 * Reads a file as an import does, and stores nothing. It uses as much of the tenant's budget as an import, because
 * the work is the same.
 */
async function readImportFile(context: Context, request: TenantRequest): Promise<ApiReply> {
  const { caller, body, query } = request;
  context.writes.check(payerOf(request));
  const isText = typeof body === 'string';
  const { values, problems } = isText
    ? { values: fromQuery(body, query), problems: [] }
    : checkMembers(body, ['zonefile', 'name', 'columns']);
  const { zonefile, name, columns } = values;
  const all = [
    ...problems,
    ...(isText ? [] : checkOnlyInBody(query)),
    ...checkText('zonefile', zonefile, true),
    ...checkText('name', name, false),
    ...checkColumns(columns),
  ];
  if (all.length > 0) throw invalidRequest(all);
  const text = zonefile as string;
  charge(context, request, text.length);
  const wanted = { text, name: name as string | undefined, columns: columns as Columns };
  return jsonReply(renderFile(await describeFile(readerOf(context, caller), wanted)));
}

function renderFile(file: FileDescription) {
  const { form, columns, domain, email, records } = file;
  return {
    ...{ form, columns: columns ?? null, domain: domain ?? null, email: email ?? null },
    records: records.map(({ line, content }) => {
      const { name, type, ttl, data, priority, description, flags } = content;
      return { line, name, type, ttl, data, priority, description, tags: flags?.tags ?? [] };
    }),
    record_count: file.recordCount,
    not_taken: file.notTaken,
    not_taken_count: file.notTakenCount,
    notes: file.notes,
  };
}

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

/** Number of lines that are sent at a time. */
const LINES_PER_PIECE = 500;

/** Exports a domain as a zone file. A long file is streamed. */
export async function exportZoneReply(
  { db }: Context,
  { caller, params }: TenantRequest,
): Promise<ApiReply> {
  const lines = await exportZone(db, caller, params['domainId'] ?? '');
  const head = { status: 200, headers: { 'Content-Type': ZONE_FILE_TYPE } };
  return lines.length <= LINES_PER_PIECE
    ? { ...head, body: lines.join('') }
    : { ...head, body: Readable.from(joined(lines)) };
}

function* joined(lines: readonly string[]): Generator<string> {
  for (let from = 0; from < lines.length; from += LINES_PER_PIECE) {
    yield lines.slice(from, from + LINES_PER_PIECE).join('');
  }
}

/**
 * Reads an import: a zone file as the body with parameters in the query, or JSON with everything in it.
 *
 * @throws ServiceError `invalid` with all problems
 */
function readImport(body: unknown, query: URLSearchParams): ImportRequest {
  const { values, problems } =
    typeof body === 'string'
      ? { values: fromQuery(body, query), problems: [] }
      : checkMembers(body, ['zonefile', ...IMPORT_PARAMETERS, ...NEW_ZONE_PARAMETERS]);
  const { zonefile, mode = 'merge', confirm = false, name, email, columns } = values;
  // If the file replaces all records, importing only a part of it would delete the rest.
  const { on_error: onError = mode === 'replace' ? 'refuse' : 'skip' } = values;
  const all = [
    ...problems,
    ...(typeof body === 'string' ? [] : checkOnlyInBody(query)),
    ...checkText('zonefile', zonefile, true),
    ...checkText('name', name, false),
    ...checkText('email', email, false),
    ...checkColumns(columns),
    ...checkFlag('confirm', confirm),
    ...checkChoice('mode', mode, ['merge', 'replace']),
    ...checkChoice('on_error', onError, ['refuse', 'skip']),
  ];
  if (all.length > 0) throw invalidRequest(all);
  return {
    text: zonefile as string,
    mode: mode as ImportMode,
    onError: onError as 'refuse' | 'skip',
    confirm: confirm as boolean,
    name: name as string | undefined,
    email: email as string | undefined,
    columns: columns as Columns,
  };
}

function fromQuery(zonefile: string, query: URLSearchParams): Readonly<Record<string, unknown>> {
  return {
    zonefile,
    mode: query.get('mode') ?? undefined,
    on_error: query.get('on_error') ?? undefined,
    confirm: readFlag(query, 'confirm'),
    name: query.get('name') ?? undefined,
    email: query.get('email') ?? undefined,
    columns: query.get('columns')?.split(','),
  };
}

type Columns = ImportRequest['columns'];
const MAX_COLUMNS = 50;

function checkColumns(value: unknown): Problem[] {
  if (value === undefined) return [];
  const columns: unknown[] = Array.isArray(value) ? value : [];
  const used = columns.filter((column) => column !== '-');
  const isRight =
    columns.length <= MAX_COLUMNS &&
    columns.every((column) => COLUMNS.some((each) => each === column)) &&
    new Set(used).size === used.length &&
    REQUIRED_COLUMNS.every((column) => columns.includes(column));
  if (isRight) return [];
  const message = `columns must list the contents of at most ${MAX_COLUMNS} columns in their order: ${COLUMNS.join(', ')}. Each is allowed once, - often; ${REQUIRED_COLUMNS.join(', ')} are required.`;
  return [{ path: 'columns', validator: 'enum', message }];
}

function checkText(path: string, value: unknown, isRequired: boolean): Problem[] {
  if (typeof value === 'string' || (value === undefined && !isRequired)) return [];
  const validator = value === undefined ? 'required' : 'type';
  return [{ path, validator, message: `${path} must be a string.` }];
}

function checkChoice(path: string, value: unknown, choices: readonly string[]): Problem[] {
  if (choices.includes(value as string)) return [];
  return [{ path, validator: 'enum', message: `${path} must be ${choices.join(' or ')}.` }];
}

/** Rejects parameters beside a JSON body: the query would be a second place for them, and it is not read. */
function checkOnlyInBody(query: URLSearchParams): Problem[] {
  return [...IMPORT_PARAMETERS, ...NEW_ZONE_PARAMETERS]
    .filter((name) => query.has(name))
    .map((path) => ({
      path,
      validator: 'disallowed',
      message: `${path} must be in the JSON body, next to zonefile.`,
    }));
}

/**
 * Renders the response to an import: number of changes, skipped lines with reasons and, for a dry run, the difference.
 */
function renderImport(result: ImportResult) {
  const { zone, changes, refusal } = result;
  return {
    ...renderOutcome(refusal),
    domain: renderZone(zone),
    created: changes.filter(({ before }) => before === undefined).length,
    updated: changes.filter(({ before, after }) => before !== undefined && after !== undefined)
      .length,
    deleted: changes.filter(({ after }) => after === undefined).length,
    unchanged: result.unchanged,
    not_taken: result.notTaken,
    not_taken_count: result.notTakenCount,
    form: result.form,
    notes: result.notes,
    ...(refusal === undefined ? {} : { difference: renderDifference(changes, zone.tenantId) }),
  };
}
