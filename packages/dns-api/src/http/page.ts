import { invalidRequest, isUuid, mapInSlices, type Problem } from '@zonewright/service-kit';
import type { Chunk } from '@zonewright/zones';
import type { ApiRequest } from './operation.js';
import { type ApiReply, jsonTextReply, streamedJsonReply } from './reply.js';

/** Part of a list; the whole list if both members are undefined (D-ZONE). */
export interface Page {
  readonly limit: number | undefined;
  /** Id of the last item of the previous page. */
  readonly marker: string | undefined;
}

const MAX_LIMIT = 1_000;
/** Number of rows that are read at a time for a whole list. */
const CHUNK_ROWS = 1_000;

/** Reads `limit` and `marker`. @throws ServiceError `invalid` with the problems of both. */
export function readPage(query: URLSearchParams): Page {
  const limit = query.get('limit') ?? undefined;
  const marker = query.get('marker') ?? undefined;
  const problems: Problem[] = [];
  if (limit !== undefined && !isLimit(limit)) {
    problems.push({
      path: 'limit',
      validator: 'type',
      message: `limit is ${JSON.stringify(limit)}; write an integer from 1 to ${MAX_LIMIT}.`,
    });
  }
  if (marker !== undefined && !isUuid(marker)) problems.push(markerProblem(marker));
  if (problems.length > 0) throw invalidRequest(problems);
  return { limit: limit === undefined ? undefined : Number(limit), marker };
}

/** Returns the header with the total number of items, for requests with `total=true`. */
export function totalHeader(count: number): Readonly<Record<string, string>> {
  return { 'X-Total-Count': String(count) };
}

/** Returns the problem of a marker that is not in the list. */
export function markerProblem(marker: string): Problem {
  return {
    path: 'marker',
    validator: 'marker',
    message: `marker ${JSON.stringify(marker)} is not in this list; write the id of the last item of the previous page.`,
  };
}

/** Source of the rows of a list. */
export interface ListSource<T extends { readonly id: string }> {
  /** Name of the only member of the response: `domains` or `records`. */
  readonly member: string;
  /** Returns up to `limit` items after `marker`; fewer if large items would take too much memory. */
  readonly fetch: (page: { marker: string | undefined; limit: number }) => Promise<Chunk<T>>;
  readonly render: (item: T) => unknown;
  /** Finds the id of the last item of a full page if its items are too large to be read at once. */
  readonly findEnd?: (page: {
    marker: string | undefined;
    limit: number;
  }) => Promise<string | undefined>;
  /** Additional headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

type PageRequest = Pick<ApiRequest, 'baseUrl' | 'target' | 'query'>;

/** Returns the link to the page after `marker` (RFC 8288). */
export function nextLink({ baseUrl, target, query }: PageRequest, marker: string): string {
  const next = new URLSearchParams(query);
  next.set('marker', marker);
  return `<${baseUrl}${target.split('?')[0] ?? ''}?${next.toString()}>; rel="next"`;
}

/**
 * Returns a page of a list, or the whole list. A long list is read and sent in chunks, each with its own query: memory
 * stays small and no connection is held for a slow client. The order never changes, so rows that are not written in the
 * meantime appear exactly once.
 */
export async function listReply<T extends { readonly id: string }>(
  request: PageRequest,
  source: ListSource<T>,
  page: Page,
): Promise<ApiReply> {
  const first = await fetchChunk(source, page.marker, page.limit);
  const end = await findEnd(source, page, first);
  const headers = {
    ...source.headers,
    ...(end === undefined ? {} : { Link: nextLink(request, end) }),
  };
  if (first.rest === undefined) {
    const texts = await renderItems(source, first.items);
    return jsonTextReply(`{${JSON.stringify(source.member)}:[${texts}]}`, headers);
  }
  return streamedJsonReply(streamList(source, first), headers);
}

/** Finds the last item of a full page, if there may be another page. */
async function findEnd<T extends { readonly id: string }>(
  source: ListSource<T>,
  { limit, marker }: Page,
  { items, rest }: ReadChunk<T>,
): Promise<string | undefined> {
  if (limit === undefined) return undefined;
  if (rest !== undefined) return await source.findEnd?.({ marker, limit });
  return items.length === limit ? items.at(-1)?.id : undefined;
}

/** A chunk, and the marker for the next one. The marker is undefined after the last chunk. */
interface ReadChunk<T> {
  readonly items: readonly T[];
  readonly rest: { readonly marker: string; readonly limit: number | undefined } | undefined;
}

async function fetchChunk<T extends { readonly id: string }>(
  source: ListSource<T>,
  marker: string | undefined,
  limit: number | undefined,
): Promise<ReadChunk<T>> {
  const { items, isCut } = await source.fetch({ marker, limit: limit ?? CHUNK_ROWS });
  const last = items.at(-1);
  const isDone = limit === undefined ? !isCut && items.length < CHUNK_ROWS : !isCut;
  if (last === undefined || isDone) return { items, rest: undefined };
  const rest = limit === undefined ? undefined : limit - items.length;
  return { items, rest: { marker: last.id, limit: rest } };
}

async function renderItems<T extends { readonly id: string }>(
  { render }: ListSource<T>,
  items: readonly T[],
): Promise<string> {
  return (await mapInSlices(items, (item) => JSON.stringify(render(item)))).join(',');
}

async function* streamList<T extends { readonly id: string }>(
  source: ListSource<T>,
  first: ReadChunk<T>,
): AsyncIterable<string> {
  let opening = `{${JSON.stringify(source.member)}:[`;
  for (let chunk = first; ;) {
    if (chunk.items.length > 0) {
      yield opening + (await renderItems(source, chunk.items));
      opening = ',';
    }
    if (chunk.rest === undefined) break;
    chunk = await fetchChunk(source, chunk.rest.marker, chunk.rest.limit);
  }
  yield ']}';
}

function isLimit(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_LIMIT;
}
