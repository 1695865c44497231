import { DnsSyntaxError, toAsciiDomainName } from '@zonewright/dns-records';
import type { Schema } from '@zonewright/http-api';
import { invalidRequest } from '@zonewright/service-kit';
import type { SortOrder } from '@zonewright/zones';

/**
 * Returns a parameter of the query. Undefined if it is not given.
 *
 * @throws ServiceError `invalid` for an empty value: a script with an unset variable must get neither everything nor
 * nothing (D-REQ-8)
 */
export function readParameter(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name);
  if (value !== '') return value ?? undefined;
  const message = `${name} is empty; give it a value or leave it out.`;
  throw invalidRequest([{ path: name, validator: 'required', message }], 'parameter');
}

/** Maximum length of a search text: the length of a name. */
const MAX_SEARCH_CHARACTERS = 255;

/**
 * Returns the text to search for in names, data and descriptions. Undefined if there is none. @throws ServiceError
 * `invalid`
 */
export function readSearchText(query: URLSearchParams): string | undefined {
  const text = readParameter(query, 'q');
  if (text === undefined || text.length <= MAX_SEARCH_CHARACTERS) return text;
  const message = `q has more than ${MAX_SEARCH_CHARACTERS} characters.`;
  throw invalidRequest([{ path: 'q', validator: 'maxLength', message }]);
}

/**
 * Returns the parameters of a query. Rejects text that PostgreSQL cannot store, for all parameters at once.
 * Percent-encoding cannot produce half a surrogate pair.
 *
 * @throws ServiceError `invalid` for a NUL
 */
export function readQueryText(text: string): URLSearchParams {
  const query = new URLSearchParams(text);
  const path = [...query].find((parameter) => parameter.join().includes('\0'))?.[0];
  if (path === undefined) return query;
  const message = 'The query contains a NUL character; remove it.';
  throw invalidRequest([{ path, validator: 'format', message }], 'parameter');
}

export const PAGE = {
  limit: { type: 'integer', minimum: 1, maximum: 1_000 },
  marker: { type: 'string', format: 'uuid' },
};
export const TEXT = { type: 'string' };
export const FLAG = { type: 'boolean', default: false };

export const RECORD_SORT_KEYS = ['created_at', 'updated_at', 'name', 'type', 'ttl'] as const;
export const DOMAIN_SORT_KEYS = [
  'created_at',
  'updated_at',
  'name',
  'ttl',
  'serial',
  'record_count',
] as const;

/** Query parameters of imports. */
const OF_IMPORTS = {
  mode: { enum: ['merge', 'replace'], default: 'merge' },
  on_error: { enum: ['refuse', 'skip'] },
  confirm: FLAG,
  name: TEXT,
  email: TEXT,
  columns: TEXT,
};

export function describeParameters(
  names: readonly (keyof typeof OF_IMPORTS)[],
): Readonly<Record<string, Schema>> {
  return Object.fromEntries(names.map((name) => [name, OF_IMPORTS[name]]));
}

/**
 * Reads `sort=name`, or `sort=-name` for descending order. Undefined means the default order. @throws ServiceError
 * `invalid`
 */
export function readSort<K extends string>(
  query: URLSearchParams,
  keys: readonly K[],
): SortOrder<K> | undefined {
  const text = readParameter(query, 'sort');
  if (text === undefined) return undefined;
  const isDescending = text.startsWith('-');
  const key = keys.find((each) => each === (isDescending ? text.slice(1) : text));
  if (key !== undefined) return { key, isDescending };
  const message = `sort must be one of ${keys.join(', ')}, with a leading minus for descending order.`;
  throw invalidRequest([{ path: 'sort', validator: 'enum', message }]);
}

/** Returns the schema of the `sort` parameter. */
export function describeSort(keys: readonly string[]) {
  return { enum: keys.flatMap((key) => [key, `-${key}`]) };
}

/** Returns the stored form of a name filter. A text that is not a name is returned unchanged and matches nothing. */
export function canonicalFilterName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  try {
    return toAsciiDomainName(name);
  } catch (error) {
    if (!(error instanceof DnsSyntaxError)) throw error;
    return name;
  }
}
