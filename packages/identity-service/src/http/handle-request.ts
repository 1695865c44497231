import { ServiceError, type Turn } from '@zonewright/service-kit';
import type { Context } from '../context.js';
import { forbidden, resolveToken, unauthenticated } from '@zonewright/accounts';
import type { RateLimitDetails, RateLimitName } from './rate-limits.js';
import type { ApiResponse, Caller, PublicRoute, RequestHead, Route, TokenRoute } from './route.js';

/** A request whose body is read when its turn comes: nobody without a valid token makes us parse one. */
export interface IncomingRequest {
  readonly head: RequestHead;
  readonly readBody: () => Promise<unknown>;
  readonly turn: Turn;
}

/**
 * What is looked at before anything else, and before there is a place for a request: a source that has failed to log in
 * too often gets no further. @throws ServiceError (rate-limited)
 */
export function checkSource(context: Context, route: Route, { source }: RequestHead): void {
  // With a token it is the token that counts: whoever shares an address with the source must not suffer.
  if (route.access === 'public' && route.limit !== undefined) {
    context.limits.checkSource(route.limit, source);
  }
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
  { head, readBody, turn }: IncomingRequest,
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
  return await route.handle(context, { ...head, turn, body: await readBody() }, caller);
}

async function findCaller(context: Context, { headers }: RequestHead): Promise<Caller | undefined> {
  const tokenId = headers['x-auth-token'];
  return typeof tokenId === 'string' ? await resolveToken(context, tokenId) : undefined;
}

async function handlePublicRoute(
  context: Context,
  { limit, handle }: PublicRoute,
  { head, readBody, turn }: IncomingRequest,
): Promise<ApiResponse> {
  if (limit === undefined) return await handle(context, { ...head, turn, body: await readBody() });
  try {
    const body = await readBody();
    const { source } = head;
    const work = () => handle(context, { ...head, turn, body });
    return await context.loginOrder.run({ source, turn }, work, isFailure);
  } catch (error) {
    // Identity s8: without valid headers or credentials a request counts for its source.
    if (isFailure(error)) await countForSource(context, limit, head);
    throw error;
  }
}

/** Malformed, or with credentials that do not do; a budget of wrong passwords that is used up is no success either. */
function isFailure(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return hasClientStatus(error);
  if (error.kind !== 'rate-limited') {
    return error.kind === 'invalid' || error.kind === 'unauthenticated';
  }
  return (error.details as RateLimitDetails).window === 'HOUR';
}

/** A body that is too large, of another type, compressed badly, or broken off. */
function hasClientStatus(error: unknown): boolean {
  const status = (error as { status?: unknown } | undefined)?.status;
  return typeof status === 'number' && status < 500;
}

async function countForSource(
  { limits }: Context,
  name: RateLimitName | undefined,
  { source }: RequestHead,
): Promise<void> {
  if (name !== undefined) await limits.consumeForSource(name, source);
}
