import { findSearchPosition, searchRecords, searchZones } from '@zonewright/zones';
import { invalidRequest, type Problem } from '@zonewright/service-kit';
import { isRecordTypeName } from '@zonewright/dns-records';
import type { Context } from '../context/context.js';
import { renderZone } from './render-domain.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { readFlag } from '../http/members.js';
import { markerProblem, nextLink, readPage } from '../http/page.js';
import { FLAG, PAGE, readParameter, readSearchText, TEXT } from '../http/parameters.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { renderListedRecord } from './record-form.js';

const DEFAULT_LIMIT = 100;

export const SEARCH_OPERATIONS: readonly Operation[] = [
  {
    id: 'search',
    name: 'Search All Domains',
    method: 'GET',
    path: '/v1/search',
    access: 'tenant',
    body: 'none',
    isLong: true,
    compresses: true,
    answers: 'Found',
    query: { ...PAGE, q: TEXT, type: TEXT, tag: TEXT, extended: FLAG },
    handle: searchReply,
  },
];

/**
 * Returns results in the next domains of the tenant. The first response also contains the domains whose name matches.
 */
async function searchReply({ db }: Context, request: TenantRequest): Promise<StoredReply> {
  const { caller, query } = request;
  const { tenantId } = caller;
  const { limit = DEFAULT_LIMIT, marker } = readPage(query);
  const search = readSearch(query);
  const after = marker === undefined ? undefined : await findSearchPosition(db, tenantId, marker);
  if (marker !== undefined && after === undefined) throw invalidRequest([markerProblem(marker)]);
  const { text, type, tag, hasFlags } = search;
  const isOfAll = marker === undefined && type === undefined && tag === undefined;
  const domains =
    isOfAll && text !== undefined ? await searchZones(db, tenantId, { text, limit }) : [];
  const { records, next } = await searchRecords(db, tenantId, search, { after, limit });
  return jsonReply(
    {
      domains: domains.map(renderZone),
      records: records.map((record) => ({
        ...renderListedRecord(record, tenantId, hasFlags),
        domain_name: record.displayZoneName,
      })),
    },
    next === undefined ? {} : { Link: nextLink(request, next) },
  );
}

function readSearch(query: URLSearchParams) {
  const text = readSearchText(query);
  const tag = readParameter(query, 'tag');
  const hasFlags = readFlag(query, 'extended') || tag !== undefined;
  const type = readParameter(query, 'type')?.toUpperCase();
  const problems: Problem[] = [];
  if (type !== undefined && !isRecordTypeName(type, 'all')) {
    const message = 'type must be the name of a record type.';
    problems.push({ path: 'type', validator: 'enum', message });
  }
  if (text === undefined && tag === undefined) {
    const message = 'A search needs the parameter q (text to find) or tag.';
    problems.unshift({ path: 'q', validator: 'required', message });
  }
  if (problems.length > 0) throw invalidRequest(problems);
  return { text, type, tag, hasFlags };
}
