import type { Exchange, Reply } from '@zonewright/http-api';
import type { Caller } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { chooseEncoding } from '../limits/compression.js';
import type { RenderedList } from '../limits/rendered-lists.js';
import type { Operation } from './operation.js';
import { type ApiReply, renderedJsonReply, type StoredReply } from './reply.js';

/** Form of ids in the database. The operation itself reports other texts. */
const ID = /^[0-9a-fA-F-]{36}$/;
/** Values of Accept that need no negotiation. */
const PLAIN_ACCEPTS: readonly (string | undefined)[] = [undefined, '*/*', 'application/json'];

/** Maximum time for a cached response. The normal path uses the rest of the time limit. */
const KEPT_WITHIN_MS = 100;

/**
 * Returns the cached response to a list if the caller's token is cached: clients poll lists for changes. Owner and
 * serial are read from the row of the zone as for every request. Returns undefined in all other cases; the normal path
 * then starts from the beginning.
 */
export async function findCachedResponse(
  context: Context,
  { findKept }: Operation,
  exchange: Exchange,
): Promise<Reply | undefined> {
  const { request, target, path, params } = exchange;
  const { domainId: zoneId = '' } = params;
  // A list with a query is never cached.
  if (request.method !== 'GET' || target !== path || findKept === undefined) return undefined;
  const caller = findCaller(context, exchange);
  // A restricted caller may see only a part of a cached list.
  if (caller === undefined || caller.key !== undefined || !ID.test(zoneId)) return undefined;
  const { headers } = request;
  const userAgent = headers['user-agent'];
  const { kept } = context.shares;
  try {
    const options = { answerWithinMs: KEPT_WITHIN_MS };
    const encoding = chooseEncoding(headers['accept-encoding']);
    const find = () => findKept(context, caller, { zoneId, userAgent, encoding });
    const list = await kept.run(caller.tenantId, () => context.gate.run(find, options));
    if (list === undefined) return undefined;
    exchange.logged['tenantId'] = caller.tenantId;
    return toReply(headers['if-none-match'], list);
  } catch {
    // The normal path meets the same error and reports it.
    return undefined;
  }
}

function toReply(ifNoneMatch: string | undefined, { body, headers }: RenderedList): Reply {
  const reply = renderedJsonReply(body, headers);
  const answer = unlessNotModified(ifNoneMatch, reply);
  return answer === reply ? reply : { status: answer.status, headers: answer.headers };
}

function findCaller({ tokens }: Context, { request: { headers } }: Exchange): Caller | undefined {
  const token = headers['x-auth-token'];
  return typeof token === 'string' && PLAIN_ACCEPTS.includes(headers.accept)
    ? tokens.findKnown?.(token)
    : undefined;
}

/** Whether the client already has the version with this tag (weak comparison, RFC 9110 s13.1.2). */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return (
    ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
  );
}

export function notModifiedReply(etag: string): StoredReply {
  return { status: 304, headers: { ETag: etag }, body: '' };
}

/** Returns the response to a GET, or 304 if the client already has this version. */
export function unlessNotModified(ifNoneMatch: string | undefined, reply: ApiReply): ApiReply {
  const { status, headers } = reply;
  const etag = headers['ETag'];
  if (status !== 200 || etag === undefined || !isNotModified(ifNoneMatch, etag)) return reply;
  return notModifiedReply(etag);
}
