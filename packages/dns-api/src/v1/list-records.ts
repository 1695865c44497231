import type { Database } from '@zonewright/database';
import { BASIC_TYPE_NAMES, isRecordTypeName, type SupportedTypes } from '@zonewright/dns-records';
import { invalidRequest } from '@zonewright/service-kit';
import {
  addEffectiveTtls,
  type Caller,
  countRecords,
  findPageEnd,
  findPastRecord,
  findRecord,
  listRecords,
  mayFind,
  type RecordFields,
  type RecordFilter,
  type SortOrder,
  type Viewer,
  type Zone,
} from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { isNotModified, notModifiedReply } from '../http/kept-answer.js';
import { readFlag } from '../http/members.js';
import type { CacheKey, TenantRequest } from '../http/operation.js';
import { listReply, markerProblem, type Page, readPage, totalHeader } from '../http/page.js';
import {
  canonicalFilterName,
  readParameter,
  readSearchText,
  readSort,
  RECORD_SORT_KEYS,
} from '../http/parameters.js';
import { type ApiReply, renderedJsonReply } from '../http/reply.js';
import { chooseEncoding, type Encoding, encodingHeaders } from '../limits/compression.js';
import {
  compressedKey,
  findCompressed,
  type ListedForm,
  listEtag,
  listKey,
  type ListQuery,
  type RenderedList,
} from '../limits/rendered-lists.js';
import { renderListedRecord, renderRecord } from './record-form.js';

const WHOLE_LIST: Page = { limit: undefined, marker: undefined };
const EFFECTIVE_TTL = 'effective_ttl';

/** A zone, and the user who lists its records. */
interface ViewedZone {
  readonly viewer: Viewer;
  readonly zone: Zone;
}

interface AskedList extends ListQuery {
  /** Whether each record has its effective TTL. Old clients reject unknown members and do not request it. */
  readonly isEffective: boolean;
  readonly isCounted: boolean;
  readonly order: SortOrder<(typeof RECORD_SORT_KEYS)[number]> | undefined;
  readonly etag: string;
}

type ListedRecord = RecordFields & { readonly effectiveTtl?: number };

/** List Records in a Domain (DNS API s4), oldest first. */
export async function listRecordsReply(
  context: Context,
  request: TenantRequest,
): Promise<ApiReply> {
  const { caller, params, query, headers } = request;
  const asked = {
    page: readPage(query),
    filter: readFilter(query, supportedTypes(context, query)),
    form: listedForm(context, headers.userAgent),
    isEffective: readFlag(query, EFFECTIVE_TTL),
    isCounted: readFlag(query, 'total'),
    order: readSort(query, RECORD_SORT_KEYS),
  };
  const zone = await context.zones.get(caller, params['domainId'] ?? '');
  // The link to the next page contains the requested host.
  const host = asked.page.limit === undefined ? '' : request.baseUrl;
  const key = listKey(zone, asked) + host;
  const { isEffective, isCounted, filter, order } = asked;
  const etag = listEtag(
    zone,
    JSON.stringify([key, isEffective, isCounted, filter.q, order, caller.key?.id]),
  );
  if (isNotModified(request.header('if-none-match'), etag)) return notModifiedReply(etag);
  const viewed = { viewer: caller, zone };
  const read = () => readList(context, request, viewed, { ...asked, etag });
  // Only whole lists are cached. Restricted callers see a part of them.
  const isKept = !isEffective && !isCounted && filter.q === undefined && order === undefined;
  if (!isKept || caller.key !== undefined) return await read();
  return await keepList(context, viewed, {
    key,
    encoding: chooseEncoding(request.header('accept-encoding')),
    read,
  });
}

/** Returns a cached list, or renders and caches it. */
async function keepList(
  { lists, compression, zones }: Context,
  { viewer, zone }: { readonly viewer: Viewer; readonly zone: Zone },
  {
    key,
    encoding,
    read,
  }: {
    readonly key: string;
    readonly encoding: Encoding | undefined;
    readonly read: () => Promise<ApiReply>;
  },
): Promise<ApiReply> {
  const kept = findCompressed(lists, key, encoding);
  if (kept !== undefined) return renderedJsonReply(kept.body, kept.headers);
  const reply = await read();
  // A long list is streamed, and not cached.
  if (typeof reply.body !== 'string') return reply;
  const list = { body: Buffer.from(reply.body, 'utf8'), headers: reply.headers };
  const body = encoding && (await compression.compress(list.body, encoding));
  const sent =
    encoding && body ? { body, headers: { ...list.headers, ...encodingHeaders(encoding) } } : list;
  // The rows were read after the zone. They belong to its serial only if it is still the same.
  const { serial } = await zones.get(viewer, zone.id);
  if (serial === zone.serial) {
    lists.keep(key, list);
    if (sent !== list) lists.keep(compressedKey(key, encoding), sent);
  }
  return renderedJsonReply(sent.body, sent.headers);
}

/** Returns the cached list of all records of a zone, if the zone has not changed since. */
export async function findCachedList(
  context: Context,
  caller: Caller,
  { zoneId, userAgent, encoding }: CacheKey,
): Promise<RenderedList | undefined> {
  const zone = await context.zones.get(caller, zoneId);
  const form = listedForm(context, userAgent);
  const filter = noFilter(context.settings.http.v1Types);
  return findCompressed(context.lists, listKey(zone, { page: WHOLE_LIST, filter, form }), encoding);
}

/**
 * Lists of records contain tenant_id and version (DNS API s2). Every release of python-designateclient rejects these
 * members; the original service stopped sending them in 2012-12 (D-ZONE-6). Releases up to 1.1.0 have another
 * User-Agent.
 */
function listedForm({ settings }: Context, userAgent: string | undefined): ListedForm {
  const isRefused = userAgent?.startsWith('python-designateclient') === true;
  return settings.http.listsShowTenant && !isRefused ? 'with tenant' : 'as by itself';
}

/** Returns the record of the marker if it was deleted after its page. @throws ServiceError `invalid` */
async function findPastMarker(
  db: Database,
  { viewer, zone }: ViewedZone,
  { marker }: Page,
): Promise<PastRecord | undefined> {
  if (marker === undefined) return undefined;
  const record = await findRecord(db, zone.id, marker);
  const past = record === undefined ? await findPastRecord(db, zone.id, marker) : undefined;
  const found = record ?? past;
  if (found !== undefined && mayFind(viewer, zone, found)) return past;
  throw invalidRequest([markerProblem(marker)]);
}

type PastRecord = NonNullable<Awaited<ReturnType<typeof findPastRecord>>>;

async function readList(
  { db }: Context,
  request: TenantRequest,
  viewed: ViewedZone,
  asked: AskedList,
): Promise<ApiReply> {
  const { zone } = viewed;
  const { page, filter, form, isEffective, isCounted, order, etag } = asked;
  const deleted = await findPastMarker(db, viewed, page);
  const orderedAs = (part: { marker: string | undefined; limit: number }) => ({
    ...{ ...part, order },
    past: part.marker === page.marker ? deleted : undefined,
  });
  const total = isCounted ? totalHeader(await countRecords(db, viewed, filter)) : {};
  return await listReply<ListedRecord>(
    request,
    {
      member: 'records',
      fetch: async (part) => {
        const { items, isCut } = await listRecords(db, viewed, filter, orderedAs(part));
        return { items: isEffective ? await addEffectiveTtls(db, zone, items) : items, isCut };
      },
      render: (record) => renderIn(form, zone, record, filter.hasFlags),
      findEnd: (part) => findPageEnd(db, viewed, filter, orderedAs(part)),
      headers: { ETag: etag, ...total },
    },
    page,
  );
}

function renderIn(
  form: ListedForm,
  { tenantId }: Zone,
  record: ListedRecord,
  hasFlags: boolean | undefined,
) {
  const rendered =
    form === 'with tenant'
      ? renderListedRecord(record, tenantId, hasFlags)
      : renderRecord(record, hasFlags);
  const { effectiveTtl } = record;
  return effectiveTtl === undefined ? rendered : { ...rendered, effective_ttl: effectiveTtl };
}

function readFilter(query: URLSearchParams, known: SupportedTypes): RecordFilter {
  const type = readParameter(query, 'type')?.toUpperCase();
  if (type !== undefined && !isRecordTypeName(type, known)) {
    const message = `type ${JSON.stringify(type)} is not supported; ${rightTypes(known)}.`;
    throw invalidRequest([{ path: 'type', validator: 'enum', message }]);
  }
  return {
    ...noFilter(known),
    name: canonicalFilterName(readParameter(query, 'name')),
    type,
    data: readParameter(query, 'data'),
    tag: readParameter(query, 'tag'),
    hasFlags: readFlag(query, 'extended') || query.has('tag'),
    q: readSearchText(query),
  };
}

function rightTypes(known: SupportedTypes): string {
  return known === 'basic'
    ? `write one of ${BASIC_TYPE_NAMES.join(', ')}`
    : 'write the name of a record type, such as CAA, or TYPE and its number';
}

/** Selects all records that the client supports. */
function noFilter(known: SupportedTypes): RecordFilter {
  return { name: undefined, type: undefined, types: listedTypes(known), data: undefined };
}

/** Query parameter of clients that support all types. */
const ALL_TYPES = 'all_types';

/**
 * Returns the record types that the client supports. Clients of the original service support seven (DNS API s2), and
 * some refuse any other. Clients that send `all_types` get all types and may write them.
 */
export function supportedTypes({ settings }: Context, query: URLSearchParams): SupportedTypes {
  if (!query.has(ALL_TYPES)) return settings.http.v1Types;
  return readFlag(query, ALL_TYPES) ? 'all' : 'basic';
}

/** Returns the types that a list is limited to. Undefined if there is no limit. */
function listedTypes(known: SupportedTypes): readonly string[] | undefined {
  return known === 'basic' ? BASIC_TYPE_NAMES : undefined;
}
