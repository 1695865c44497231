import { forbidden, invalidRequest, unauthenticated } from '@zonewright/accounts';
import {
  baseUrlOf,
  type BodyBudget,
  decodeUtf8,
  type Exchange,
  findUnfolder,
  formatOf,
  MEDIA_TYPES,
  parseJson,
  parseXml,
  type ProxyTrust,
  readBody,
  readContentType,
  Refusal,
  type Reply,
  type RequestGate,
  requireAcceptable,
  requireUtf8Charset,
  sourceAddress,
  type RequestSlot,
} from '@zonewright/http-api';
import { isInNetworks, ServiceError, sourceNetwork } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';
import { partyOf } from '../context/returning-clients.js';
import type { RateLimitDetails, RateLimitName } from '../context/rate-limits.js';
import { readsBody } from '../schemas/faults.js';
import {
  AuditTrail,
  type Caller,
  type PublicRoute,
  type RequestHead,
  type Route,
  type TokenRoute,
} from './route.js';

/** Context and body readers for performing requests. */
interface Performers {
  readonly context: Context;
  readonly gate: RequestGate;
  readonly readBody: BodyReader;
  /** Reader for requests without a token, which are all logins. */
  readonly readLogin: BodyReader;
  /** Reader for operations that support only JSON. */
  readonly readJson: BodyReader;
  /** Readers for operations whose bodies contain DNS messages. */
  readonly readMessages: Readonly<Record<'few' | 'transfer', BodyReader>>;
}

function readerOf(performers: Performers, { access, json }: Route): BodyReader {
  if (access === 'public') return performers.readLogin;
  if (json === undefined) return performers.readBody;
  const { hasMessages } = json;
  return hasMessages === undefined ? performers.readJson : performers.readMessages[hasMessages];
}

/** Request whose body is read later, since only requests with a valid token are parsed. */
interface IncomingRequest {
  readonly head: RequestHead;
  readonly readBody: () => Promise<unknown>;
  readonly turn: RequestSlot;
}

/** Performs an operation: identifies the caller, applies limits, and calls the handler. */
export async function perform(
  performers: Performers,
  route: Route,
  exchange: Exchange,
): Promise<Reply> {
  const { context, gate } = performers;
  const types = route.json === undefined ? FORMAT_TYPES : JSON_TYPES;
  requireAcceptable(exchange.request.headers.accept, types);
  const head = toRequestHead(context, exchange);
  checkSource(context, route, head);
  const hasBody = readsBody(route);
  const read = readerOf(performers, route);
  return await gate.run((turn) => {
    const request = {
      head,
      turn,
      readBody: () => (hasBody ? turn.aside(() => read(exchange)) : Promise.resolve({})),
    };
    return route.access === 'token'
      ? performForToken(context, route, request)
      : performForAnybody(context, route, request);
  });
}

/**
 * Rejects a source that has failed to log in too often. This is the first check, before a request takes a slot. @throws
 * ServiceError (rate-limited)
 */
function checkSource(context: Context, route: Route, { party }: RequestHead): void {
  // Requests with a token count against the limit of the token, so that callers with the same address are not affected.
  if (route.access === 'public' && route.limit !== undefined) {
    context.limits.checkSource(route.limit, party);
  }
}

async function performForToken(
  context: Context,
  route: TokenRoute,
  { head, readBody, turn }: IncomingRequest,
): Promise<Reply> {
  const caller = await findCaller(context, head);
  if (caller === undefined) {
    await countForSource(context, route.limit, head);
    throw unauthenticated();
  }
  if (route.limit !== undefined) await context.limits.consume(route.limit, caller.claims.jti);
  head.audit.note({ userId: caller.account.id });
  // A disabled or suspended user gets 403 (Identity s5.6).
  if (caller.isBlocked) throw forbidden();
  checkRestriction(route, caller, head);
  return await route.handle(context, { ...head, turn, body: await readBody() }, caller);
}

/**
 * @throws ServiceError unauthenticated for a source that the restriction does not allow, forbidden for an operation
 * that it does not allow
 */
function checkRestriction(
  { restricted }: TokenRoute,
  { restriction }: Caller,
  { source, audit }: RequestHead,
): void {
  if (restriction === undefined) return;
  audit.note({ accessKeyId: restriction.accessKeyId });
  if (!isInNetworks(source, restriction.networks)) throw unauthenticated();
  if (restricted !== 'allowed') throw forbidden();
}

async function findCaller(context: Context, { headers }: RequestHead): Promise<Caller | undefined> {
  const tokenId = headers['x-auth-token'];
  return typeof tokenId === 'string' ? await context.validator.find(tokenId) : undefined;
}

async function performForAnybody(
  context: Context,
  { limit, handle }: PublicRoute,
  { head, readBody, turn }: IncomingRequest,
): Promise<Reply> {
  if (limit === undefined) return await handle(context, { ...head, turn, body: await readBody() });
  try {
    const body = await readBody();
    const work = () => handle(context, { ...head, turn, body });
    return await context.loginOrder.run({ source: head.party, turn }, work, isFailure);
  } catch (error) {
    // A request without valid headers or credentials counts against the limit of its source (Identity s8).
    if (isFailure(error)) await countForSource(context, limit, head);
    throw error;
  }
}

/**
 * Whether the request is malformed or has wrong credentials. Reaching the limit of wrong passwords is also a failure.
 */
function isFailure(error: unknown): boolean {
  if (error instanceof Refusal) return true;
  if (!(error instanceof ServiceError)) return false;
  if (error.kind !== 'rate-limited') {
    return error.kind === 'invalid' || error.kind === 'unauthenticated';
  }
  return (error.details as RateLimitDetails).window === 'HOUR';
}

async function countForSource(
  { limits }: Context,
  name: RateLimitName | undefined,
  { party }: RequestHead,
): Promise<void> {
  if (name !== undefined) await limits.consumeForSource(name, party);
}

function toRequestHead(
  { settings, returningClients }: Context,
  { request, path, target, params, requestId, audited }: Exchange,
): RequestHead {
  const query = parseQuery(target);
  // Text in PostgreSQL cannot contain NUL.
  const texts = [...Object.values(params), ...query.values()];
  if (texts.some((text) => text.includes('\0'))) throw invalidRequest('the URI contains a NUL');
  const source = sourceAddress(request, settings.http);
  const client = returningClients.find(request.headers);
  return {
    params,
    query,
    headers: request.headers,
    path,
    source,
    client,
    party: partyOf(source, client),
    baseUrl: baseUrlOf(request, settings.http),
    requestId,
    audit: new AuditTrail(audited),
  };
}

function parseQuery(target: string): URLSearchParams {
  return target.includes('?')
    ? new URL(target, 'http://localhost').searchParams
    : new URLSearchParams();
}

/** Reads and parses the body of a request. */
type BodyReader = (exchange: Exchange) => Promise<unknown>;

export interface BodyLimits {
  /** Maximum size of the body, also after decompression. */
  readonly maxBytes: number;
  /** Maximum number of elements and attributes of an XML body. */
  readonly maxMarkup: number;
  /** Supported media types. */
  readonly types: readonly string[];
}

/** Maximum depth, far deeper than any body of this API. */
const MAX_DEPTH = 64;

export function createBodyReader(
  { maxBytes, maxMarkup, types }: BodyLimits,
  { budget, trust }: { readonly budget: BodyBudget; readonly trust: ProxyTrust },
): BodyReader {
  return async ({ request, response }) => {
    const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
    const type = readContentType(contentType, types) ?? MEDIA_TYPES.json;
    requireUtf8Charset(contentType);
    const unfold = findUnfolder(encoding, maxBytes);
    const bytes = await unfold(
      await budget.count(sourceNetwork(sourceAddress(request, trust)), (take) =>
        readBody(request, response, { maxBytes, take }),
      ),
    );
    return formatOf(type) === 'xml'
      ? await parseXml(decodeUtf8(bytes), { maxDepth: MAX_DEPTH, maxMarkup })
      : parseJson(bytes, { maxDepth: MAX_DEPTH, maxValues: Infinity });
  };
}

export const JSON_TYPES: readonly string[] = [
  MEDIA_TYPES.json,
  'application/vnd.openstack.identity-v3+json',
];

/** Media types of both formats. Old clients use two names for XML, and GET / lists names with versions. */
export const FORMAT_TYPES: readonly string[] = [
  MEDIA_TYPES.json,
  MEDIA_TYPES.xml,
  'text/xml',
  'application/vnd.openstack.identity-v2.0+json',
  'application/vnd.openstack.identity-v2.0+xml',
  'application/vnd.openstack.identity-v3+json',
  'application/vnd.openstack.identity-v3+xml',
];
