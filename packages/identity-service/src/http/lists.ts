import { invalidRequest, type NameFilter } from '@zonewright/accounts';
import type { Schema } from '@zonewright/http-api';
import { readParameter } from './parameters.js';
import type { ApiRequest, ApiResponse } from './route.js';

/** Items of a page at most: a list is one answer, and others wait while it is written. */
const MAX_ITEMS = 500;

/** Of every list. */
export const PAGE_PARAMETERS: Readonly<Record<string, Schema>> = {
  limit: { type: 'integer', minimum: 1, default: MAX_ITEMS },
  marker: { type: 'string' },
};

interface Page {
  /** The marker. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Keystone's limit and marker; a larger limit than ours is ours. @throws ServiceError (invalid) */
function readPage({ query }: ApiRequest): Page {
  const text = readParameter(query, 'limit') ?? String(MAX_ITEMS);
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalidRequest('limit must be an integer from 1 on');
  return { after: readParameter(query, 'marker'), limit: Math.min(Number(text), MAX_ITEMS) };
}

/** A parameter that is true or false. @throws ServiceError (invalid) */
export function readFlag(query: URLSearchParams, name: string): boolean | undefined {
  const text = readParameter(query, name)?.toLowerCase();
  if (text === undefined) return undefined;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw invalidRequest(`${name} must be true or false`);
}

/** Keystone's inexact filters of names, each with what stands before and behind the text in LIKE. */
const INEXACT = [
  ['contains', '%', '%'],
  ['startswith', '', '%'],
  ['endswith', '%', ''],
] as const;

/** Of lists of what has names. */
export const NAME_PARAMETERS: Readonly<Record<string, Schema>> = Object.fromEntries(
  ['name', ...INEXACT.flatMap(([kind]) => [`name__${kind}`, `name__i${kind}`])].map((name) => [
    name,
    { type: 'string' },
  ]),
);

/** `name`, and `name__contains` with the like; the i of `name__icontains` says that case is no matter. */
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
  /** Of the list in the answer. */
  readonly member: string;
  /** Reads items from a page on. */
  readonly find: (page: Page) => Promise<readonly T[]>;
  readonly render: (item: T) => object;
  /** What a page behind this item begins after. */
  readonly markerOf: (item: T) => string;
}

/** A page of a list. Where it is cut, `links.next` leads on, and `truncated` says so to whoever reads one page alone. */
export async function answerList<T>(
  request: ApiRequest,
  listing: Listing<T>,
): Promise<ApiResponse> {
  const page = readPage(request);
  // One more than is shown tells whether the list goes on.
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

/** A list that is whole. */
export function answerWhole(
  request: ApiRequest,
  { member, items }: { readonly member: string; readonly items: readonly object[] },
): ApiResponse {
  const links = { self: urlOf(request), previous: null, next: null };
  return answer(200, { [member]: items, links });
}

/** A body that there is in JSON alone. */
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

/** Which members of a change were given: for the audit log, which holds none of the values. */
export function namesOf(change: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(change).filter((name) => change[name] !== undefined);
}
