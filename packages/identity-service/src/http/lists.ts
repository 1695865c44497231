import { invalidRequest, type NameFilter } from '@zonewright/accounts';
import type { Schema } from '@zonewright/http-api';
import { readParameter } from './parameters.js';
import type { ApiRequest, ApiResponse } from './route.js';

/** Maximum number of items on a page: a list is one response, and other requests wait while it is written. */
const MAX_ITEMS = 500;

/** Query parameters of every list. */
export const PAGE_PARAMETERS: Readonly<Record<string, Schema>> = {
  limit: { type: 'integer', minimum: 1, default: MAX_ITEMS },
  marker: { type: 'string' },
};

interface Page {
  /** Marker of the previous page. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Reads Keystone's limit and marker. A limit above the maximum is reduced to it. @throws ServiceError (invalid) */
function readPage({ query }: ApiRequest): Page {
  const text = readParameter(query, 'limit') ?? String(MAX_ITEMS);
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalidRequest('limit must be a positive integer');
  return { after: readParameter(query, 'marker'), limit: Math.min(Number(text), MAX_ITEMS) };
}

/** Reads a Boolean parameter. @throws ServiceError (invalid) */
export function readFlag(query: URLSearchParams, name: string): boolean | undefined {
  const text = readParameter(query, name)?.toLowerCase();
  if (text === undefined) return undefined;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw invalidRequest(`${name} must be true or false`);
}

/** Keystone's inexact filters of names, each with the text before and after its pattern for LIKE. */
const INEXACT = [
  ['contains', '%', '%'],
  ['startswith', '', '%'],
  ['endswith', '%', ''],
] as const;

/** Query parameters of lists of named objects. */
export const NAME_PARAMETERS: Readonly<Record<string, Schema>> = Object.fromEntries(
  ['name', ...INEXACT.flatMap(([kind]) => [`name__${kind}`, `name__i${kind}`])].map((name) => [
    name,
    { type: 'string' },
  ]),
);

/** Reads `name`, `name__contains` and similar filters. `name__icontains` ignores case. */
export function readNames(query: URLSearchParams): NameFilter {
  const patterns = (prefix: string) =>
    INEXACT.flatMap(([kind, before, behind]) => {
      const text = readParameter(query, `name__${prefix}${kind}`);
      return text === undefined
        ? []
        : [`${before}${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}${behind}`];
    });
  return { name: readParameter(query, 'name'), like: patterns(''), ilike: patterns('i') };
}

interface Listing<T> {
  /** Name of the list in the response. */
  readonly member: string;
  /** Reads the items of a page. */
  readonly find: (page: Page) => Promise<readonly T[]>;
  readonly render: (item: T) => object;
  /** Marker of the page after this item. */
  readonly markerOf: (item: T) => string;
}

/**
 * Returns a page of a list. If there are further items, `links.next` contains the URL of the next page, and `truncated`
 * is true.
 */
export async function answerList<T>(
  request: ApiRequest,
  listing: Listing<T>,
): Promise<ApiResponse> {
  const page = readPage(request);
  // One more item than the page holds shows whether there is another page.
  const found = await listing.find({ ...page, limit: page.limit + 1 });
  const items = found.slice(0, page.limit);
  const last = found.length > page.limit ? items.at(-1) : undefined;
  const next = last === undefined ? null : urlOf(request, { marker: listing.markerOf(last) });
  return answer(200, {
    [listing.member]: items.map(listing.render),
    links: { self: urlOf(request), previous: null, next },
    ...(next === null ? {} : { truncated: true }),
  });
}

/** Returns a complete list. */
export function answerWhole(
  request: ApiRequest,
  { member, items }: { readonly member: string; readonly items: readonly (object | string)[] },
): ApiResponse {
  const links = { self: urlOf(request), previous: null, next: null };
  return answer(200, { [member]: items, links });
}

/** Returns a JSON body, for operations without XML. */
export function answer(status: number, body: object): ApiResponse {
  return { status, body: { toJson: () => JSON.stringify(body) } };
}

function urlOf(
  { baseUrl, path, query }: ApiRequest,
  change: Readonly<Record<string, string>> = {},
): string {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) parameters.set(name, value);
  const text = parameters.toString();
  return `${baseUrl}${path}${text === '' ? '' : `?${text}`}`;
}

/** Returns the names of the changed members for the audit log, which contains no values. */
export function namesOf(change: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(change).filter((name) => change[name] !== undefined);
}
