import { invalidRequest } from '@zonewright/accounts';

/**
 * Reads a parameter of the query. Undefined if it is absent.
 *
 * @throws ServiceError (invalid) for an empty value: a script with an unset variable must get neither everything nor
 * nothing (D-REQ-8)
 */
export function readParameter(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name);
  if (value === '') throw invalidRequest(`${name} is empty: give it a value or leave it out`);
  return value ?? undefined;
}

interface LimitBounds {
  readonly default: number;
  readonly maximum: number;
}

/** Reads the maximum number of items on a page. @throws ServiceError (invalid) */
export function readLimit(query: URLSearchParams, bounds: LimitBounds): number {
  const text = readParameter(query, 'limit');
  if (text === undefined) return bounds.default;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > bounds.maximum) {
    throw invalidRequest(`limit must be an integer from 1 to ${bounds.maximum}`);
  }
  return limit;
}
