import { ServiceError } from '@zonewright/service-kit';
import type { Context } from '../context.js';
import { resolveToken } from '../tokens/resolve-token.js';
import { forbidden, unauthenticated } from './problems.js';
import type { RateLimitName } from './rate-limits.js';
import type { ApiResponse, Caller, PublicRoute, RequestHead, Route, TokenRoute } from './route.js';

/** A request whose body is read when its turn comes: nobody without a valid token makes us parse one. */
export interface IncomingRequest {
  readonly head: RequestHead;
  readonly readBody: () => Promise<unknown>;
}

/** Runs a request through its route: who calls, how often, then the operation. */
export async function handleRequest(
  context: Context,
  route: Route,
  request: IncomingRequest,
): Promise<ApiResponse> {
  return route.access === 'token'
    ? await handleTokenRoute(context, route, request)
    : await handlePublicRoute(context, route, request);
}

async function handleTokenRoute(
  context: Context,
  route: TokenRoute,
  { head, readBody }: IncomingRequest,
): Promise<ApiResponse> {
  const caller = await findCaller(context, head);
  if (caller === undefined) {
    await countForSource(context, route.limit, head);
    throw unauthenticated();
  }
  if (route.limit !== undefined) await context.limits.consume(route.limit, caller.claims.jti);
  head.audit.note({ userId: caller.account.id });
  // Identity s5.6: 403 for a disabled or suspended user.
  if (caller.isBlocked) throw forbidden();
  return await route.handle(context, { ...head, body: await readBody() }, caller);
}

async function findCaller(context: Context, { headers }: RequestHead): Promise<Caller | undefined> {
  const tokenId = headers['x-auth-token'];
  return typeof tokenId === 'string' ? await resolveToken(context, tokenId) : undefined;
}

async function handlePublicRoute(
  context: Context,
  { limit, handle }: PublicRoute,
  { head, readBody }: IncomingRequest,
): Promise<ApiResponse> {
  if (limit === undefined) return await handle(context, { ...head, body: await readBody() });
  let name = limit.name;
  let isCounted = false;
  try {
    const request = { ...head, body: await readBody() };
    const claim = await limit.claim(context, request);
    name = claim.name;
    if (claim.key !== undefined) await context.limits.consume(name, claim.key);
    else await countForSource(context, name, head);
    isCounted = claim.key === undefined;
    return await handle(context, request);
  } catch (error) {
    // Identity s8: without valid headers or credentials a request counts for its source address.
    if (!isCounted && isRefusal(error)) await countForSource(context, name, head);
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  return (
    error instanceof ServiceError && (error.kind === 'invalid' || error.kind === 'unauthenticated')
  );
}

async function countForSource(
  { limits }: Context,
  name: RateLimitName | undefined,
  { source }: RequestHead,
): Promise<void> {
  if (name !== undefined) await limits.consumeForSource(name, source);
}
