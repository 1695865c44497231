import type { Schema } from '@zonewright/http-api';

export const PAGE = {
  limit: { type: 'integer', minimum: 1, maximum: 1_000 },
  marker: { type: 'string', format: 'uuid' },
};
export const TEXT = { type: 'string' };
export const FLAG = { type: 'boolean', default: false };

/** Sort keys of lists. */
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
};

export function describeParameters(
  names: readonly (keyof typeof OF_IMPORTS)[],
): Readonly<Record<string, Schema>> {
  return Object.fromEntries(names.map((name) => [name, OF_IMPORTS[name]]));
}
