import { BASIC_TYPE_NAMES, type SupportedTypes } from '@zonewright/dns-records';
import type { Context } from '../context/context.js';
import { readFlag } from '../http/flags.js';

/** The parameter of the query by which a client says that it knows all types. */
const ALL_TYPES = 'all_types';

/**
 * Returns the record types that the client supports. Clients of the original service support seven (DNS API s2), and some refuse
 * any other. Clients that send `all_types` get all types and may write them.
 */
export function supportedTypes({ settings }: Context, query: URLSearchParams): SupportedTypes {
  if (!query.has(ALL_TYPES)) return settings.http.v1Types;
  return readFlag(query, ALL_TYPES) ? 'all' : 'basic';
}

/** The types that a list is narrowed to; undefined: to none. */
export function listedTypes(known: SupportedTypes): readonly string[] | undefined {
  return known === 'basic' ? BASIC_TYPE_NAMES : undefined;
}
