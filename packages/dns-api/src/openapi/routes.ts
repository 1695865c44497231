import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { buildOpenApiDocument } from './build-document.js';

/** The operation that describes all others. */
export function describeOperations(operations: readonly Operation[]): Operation {
  return {
    name: 'Describe the API',
    method: 'get',
    path: '/openapi.json',
    access: 'public',
    body: 'none',
    handle: (_context, { baseUrl }) =>
      Promise.resolve(jsonReply(buildOpenApiDocument(operations, baseUrl))),
  };
}
