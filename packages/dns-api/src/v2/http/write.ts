import type { Context } from '../../context/context.js';
import type { StoredReply } from '../../http/reply.js';
import { write, type Written } from '../../http/write.js';
import type { UnitOfWork } from '@zonewright/zones';
import type { ProjectRequest } from './project-request.js';

/**
 * Answers a request that changes something, as v1 does (dry_run, Idempotency-Key, Prefer). If the client waited for the
 * publication, it gets the published object and need not poll.
 */
export async function writeV2(
  context: Context,
  request: ProjectRequest,
  perform: (work: UnitOfWork) => Promise<Written>,
): Promise<StoredReply> {
  const reply = await write(context, request, perform);
  const isPublished = reply.headers['X-Zonewright-Publication']?.startsWith('published') === true;
  return isPublished && reply.body !== '' ? asPublished(reply) : reply;
}

function asPublished(reply: StoredReply): StoredReply {
  const body = JSON.parse(reply.body) as { status?: string; action?: string };
  // A deleted object keeps its status and action.
  if (body.status !== 'PENDING' || body.action === 'DELETE') return reply;
  return { ...reply, body: JSON.stringify({ ...body, status: 'ACTIVE', action: 'NONE' }) };
}
