import type { Operation } from '../http/operation.js';
import { jsonReply } from '../http/reply.js';
import { describeApi } from './describe-api.js';

/** The operation that describes all others. */
export function describeOperations(operations: readonly Operation[]): Operation {
  return {
    id: 'describeApi',
    name: 'Describe the API',
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    body: 'none',
    handle: (_context, { baseUrl }) => Promise.resolve(jsonReply(describeApi(operations, baseUrl))),
  };
}
