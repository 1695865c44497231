import type { Operation } from '@zonewright/http-api';

/** Whether a request of an operation has a body, which is read. */
export function readsBody({
  method,
  json,
}: Operation & { readonly json?: { readonly reads?: string } }): boolean {
  if (json !== undefined) return json.reads !== undefined;
  return method === 'POST' || method === 'PUT';
}
