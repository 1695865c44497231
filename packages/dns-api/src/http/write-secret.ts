import { invalidRequest } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';
import type { StoredReply } from './reply.js';
import { write } from './write.js';
import type { TenantRequest } from './operation.js';

/**
 * A write whose answer holds a secret. Answers with an Idempotency-Key are kept, and secrets are not: whoever repeats such a
 * request gets 409, since what it made has a name, or a zone, of its own.
 *
 * @throws ServiceError `invalid`
 */
export async function writeSecret(
  context: Context,
  request: TenantRequest,
  perform: Parameters<typeof write>[2],
): Promise<StoredReply> {
  if (request.headers.idempotencyKey === undefined) return await write(context, request, perform);
  const message = 'The answer holds a secret, which is not kept: leave Idempotency-Key out.';
  throw invalidRequest([{ path: 'Idempotency-Key', validator: 'disallowed', message }]);
}
