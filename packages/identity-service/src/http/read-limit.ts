import { readParameter } from './parameter.js';
import { invalidRequest } from '@zonewright/accounts';

interface LimitBounds {
  readonly default: number;
  readonly maximum: number;
}

/** How many items a page of a list may hold. @throws ServiceError (invalid) */
export function readLimit(query: URLSearchParams, bounds: LimitBounds): number {
  const text = readParameter(query, 'limit');
  if (text === undefined) return bounds.default;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > bounds.maximum) {
    throw invalidRequest(`limit must be an integer from 1 to ${bounds.maximum}`);
  }
  return limit;
}
