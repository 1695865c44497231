import type { Schema } from '@zonewright/http-api';
import { TEXT } from '../../schemas/parameters.js';
import { type ListForm, MAX_LIMIT } from '../http/list-query.js';

/** The parameters of a list, for its description. */
export function describeList({
  filters,
  sortKeys,
}: ListForm<string, string>): Readonly<Record<string, Schema>> {
  return {
    limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT },
    marker: { type: 'string', format: 'uuid' },
    sort_key: { enum: sortKeys },
    sort_dir: { enum: ['asc', 'desc'] },
    ...Object.fromEntries(filters.map((name) => [name, TEXT])),
  };
}
