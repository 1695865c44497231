import type { Schema } from '@zonewright/http-api';
import { invalidRequest, isUuid, type Problem, ServiceError } from '@zonewright/service-kit';
import {
  type ListedPage,
  type ListOrder,
  readTextFilter,
  type TextFilter,
} from '@zonewright/zones';
import { TEXT } from '../../http/parameters.js';
import type { StoredReply } from '../../http/reply.js';
import { listReply } from './reply.js';
import type { ProjectRequest } from './request.js';

/** Filters and sort keys of a list. */
export interface ListForm<F extends string, K extends string> {
  readonly filters: readonly F[];
  /** The first key is the default order. */
  readonly sortKeys: readonly [K, ...K[]];
}

/** Page, filters and order of a list. */
export interface ListQuery<F extends string, K extends string> {
  readonly limit: number;
  /** Id of the last item of the previous page. */
  readonly marker: string | undefined;
  /** Place of that item in the list, as `links.next` has it. */
  readonly position: string | undefined;
  readonly sortKey: K;
  readonly isDescending: boolean;
  readonly filters: Readonly<Partial<Record<F, string>>>;
}

export const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 100;
const PAGING = ['limit', 'marker', 'position', 'sort_key', 'sort_dir'];

/**
 * Reads the query of a list: paging, order and filters. A limit above the maximum is reduced to it, since the response links to the next
 * page. An unknown parameter is refused, since a misspelt filter would return everything.
 *
 * @throws ServiceError `invalid` with all problems.
 */
export function readListQuery<F extends string, K extends string>(
  query: URLSearchParams,
  { filters, sortKeys }: ListForm<F, K>,
): ListQuery<F, K> {
  const { limit, marker, position, ...others } = readOnce(query);
  const { sort_key: sortKey, sort_dir: direction, ...given } = others;
  const problems = [
    ...checkNames(Object.keys(given), filters),
    ...checkLimit(limit),
    ...checkChoice('sort_key', sortKey, sortKeys),
    ...checkChoice('sort_dir', direction?.toLowerCase(), ['asc', 'desc']),
    ...checkEmpty(given),
    ...checkPosition(position),
  ];
  if (marker !== undefined && !isUuid(marker)) problems.push(malformedMarker(marker));
  if (problems.length > 0) throw wrongQuery(problems);
  return {
    limit: limit === undefined ? DEFAULT_LIMIT : toLimit(limit),
    marker: marker?.toLowerCase(),
    position,
    sortKey: (sortKey ?? sortKeys[0]) as K,
    isDescending: direction?.toLowerCase() === 'desc',
    filters: given as ListQuery<F, K>['filters'],
  };
}

/** Error types of Designate by parameter. All others are a `bad_request`. */
const TYPES: Readonly<Record<string, string>> = {
  limit: 'invalid_limit',
  marker: 'invalid_marker',
  sort_key: 'invalid_sort_key',
  sort_dir: 'invalid_sort_dir',
};

/** The type is that of the first problem. */
function wrongQuery(problems: readonly Problem[]): ServiceError {
  const { message, details } = invalidRequest(problems);
  const type = TYPES[problems[0]?.path ?? ''] ?? 'bad_request';
  return new ServiceError('invalid', message, { details: { ...(details as object), type } });
}

function checkPosition(position: string | undefined): Problem[] {
  if (position === undefined || /^\P{C}{1,1024}$/u.test(position)) return [];
  const message = 'position is not from a link to the next page; leave it out.';
  return [{ path: 'position', validator: 'format', message }];
}

function malformedMarker(marker: string): Problem {
  const message = `marker is ${JSON.stringify(marker)}; write the id of the last item of the previous page, a UUID.`;
  return { path: 'marker', validator: 'format', message };
}

/** Returns the error for a marker that is not in its list. */
export function unknownMarker(marker: string): ServiceError {
  const message = `marker ${JSON.stringify(marker)} is not in this list; write the id of the last item of the previous page.`;
  const problems = [{ path: 'marker', validator: 'marker', message }];
  return new ServiceError('invalid', message, { details: { problems, type: 'marker_not_found' } });
}

/** Returns the filter for a member. `*` matches any text. */
export function textFilterOf(text: string | undefined): TextFilter | undefined {
  return text === undefined ? undefined : readTextFilter(text);
}

/** @throws ServiceError `invalid` for a filter that is not a number */
export function numberFilterOf(path: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  const message = `${path} is ${JSON.stringify(text)}; write a number.`;
  throw wrongQuery([{ path, validator: 'type', message }]);
}

function readOnce(query: URLSearchParams): Record<string, string | undefined> {
  const given: Record<string, string> = {};
  for (const [name, value] of query) {
    if (given[name] !== undefined) {
      const message = `${JSON.stringify(name)} is given twice. Give it once.`;
      throw wrongQuery([{ path: name, validator: 'unique', message }]);
    }
    given[name] = value;
  }
  return given;
}

function checkNames(names: readonly string[], known: readonly string[]): Problem[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: name,
      validator: 'additionalProperties',
      message: `${JSON.stringify(name)} is not a parameter of this list. Parameters: ${[...PAGING, ...known].join(', ')}.`,
    }));
}

function checkEmpty(given: Readonly<Record<string, string | undefined>>): Problem[] {
  return Object.entries(given)
    .filter(([, value]) => value === '')
    .map(([path]) => ({
      path,
      validator: 'required',
      message: `${path} is empty; give it a value or leave it out.`,
    }));
}

function checkLimit(limit: string | undefined): Problem[] {
  if (limit === undefined || limit === 'max' || /^0*[1-9]\d{0,8}$/.test(limit)) return [];
  const message = `limit is ${JSON.stringify(limit)}; write an integer from 1 to ${MAX_LIMIT}, or max.`;
  return [{ path: 'limit', validator: 'type', message }];
}

function toLimit(limit: string): number {
  return limit === 'max' ? MAX_LIMIT : Math.min(Number(limit), MAX_LIMIT);
}

function checkChoice(
  path: string,
  text: string | undefined,
  choices: readonly string[],
): Problem[] {
  if (text === undefined || choices.includes(text)) return [];
  const message = `${path} is ${JSON.stringify(text)}; write one of ${choices.join(', ')}.`;
  return [{ path, validator: 'enum', message }];
}

interface ListSource<T, F extends string, K extends string> {
  /** Name of the member of the response that contains the items. */
  readonly member: string;
  readonly form: ListForm<F, K>;
  /** Returns undefined if the marker is not in the list. */
  readonly fetch: (
    filters: Readonly<Partial<Record<F, string>>>,
    order: ListOrder<K>,
  ) => Promise<ListedPage<T> | undefined>;
  readonly render: (item: T) => unknown;
}

/** Returns the page of a list that the query requests. */
export async function listPageReply<
  T extends { readonly id: string },
  F extends string,
  K extends string,
>(
  request: ProjectRequest,
  { member, form, fetch, render }: ListSource<T, F, K>,
): Promise<StoredReply> {
  const { filters, ...order } = readListQuery(request.query, form);
  const page = await fetch(filters, order);
  if (page === undefined) throw unknownMarker(order.marker ?? '');
  return await listReply(request, member, page, render);
}

/** Describes the parameters of a list. */
export function describeList({
  filters,
  sortKeys,
}: ListForm<string, string>): Readonly<Record<string, Schema>> {
  return {
    limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
    marker: { type: 'string', format: 'uuid' },
    position: TEXT,
    sort_key: { enum: sortKeys },
    sort_dir: { enum: ['asc', 'desc'] },
    ...Object.fromEntries(filters.map((name) => [name, TEXT])),
  };
}

/** @throws ServiceError `invalid` for a filter that is not an id */
export function uuidFilterOf(path: string, text: string | undefined): string | undefined {
  if (text === undefined || isUuid(text)) return text?.toLowerCase();
  const message = `${path} is ${JSON.stringify(text)}; ids are UUIDs.`;
  throw wrongQuery([{ path, validator: 'format', message }]);
}
