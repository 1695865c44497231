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
  readBody,
  readContentType,
  Refusal,
  type Reply,
  type RequestGate,
  requireAcceptable,
  requireUtf8Charset,
  sourceAddress,
  type Turn,
} from '@zonewright/http-api';
import { isInNetworks, ServiceError } from '@zonewright/service-kit';
import type { Context } from '../context/context.js';
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

/** What requests are performed with. */
interface Performers {
  readonly context: Context;
  readonly gate: RequestGate;
  readonly readBody: BodyReader;
  /** For requests without a token, which are all log-ins. */
  readonly readLogin: BodyReader;
  /** For operations that know JSON alone. */
  readonly readJson: BodyReader;
  /** For operations whose bodies contain DNS messages. */
  readonly readMessages: BodyReader;
}

function readerOf(performers: Performers, { access, json }: Route): BodyReader {
  if (access === 'public') return performers.readLogin;
  if (json === undefined) return performers.readBody;
  return json.hasMessages === true ? performers.readMessages : performers.readJson;
}

/** A request whose body is read when its turn comes: nobody without a valid token makes us parse one. */
interface IncomingRequest {
  readonly head: RequestHead;
  readonly readBody: () => Promise<unknown>;
  readonly turn: Turn;
}

/** Performs an operation: who calls, how often, then the operation. */
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
 * What is looked at before anything else, and before there is a place for a request: a source that has failed to log in
 * too often gets no further. @throws ServiceError (rate-limited)
 */
function checkSource(context: Context, route: Route, { source }: RequestHead): void {
  // With a token it is the token that counts: whoever shares an address with the source must not suffer.
  if (route.access === 'public' && route.limit !== undefined) {
    context.limits.checkSource(route.limit, source);
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
  // Identity s5.6: 403 for a disabled or suspended user.
  if (caller.isBlocked) throw forbidden();
  checkRestriction(route, caller, head);
  return await route.handle(context, { ...head, turn, body: await readBody() }, caller);
}

/** @throws ServiceError unauthenticated from elsewhere than the token may be used, forbidden for what it is not for. */
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
  { source }: RequestHead,
): Promise<void> {
  if (name !== undefined) await limits.consumeForSource(name, source);
}

function toRequestHead(
  { settings }: Context,
  { request, path, target, params, requestId, audited }: Exchange,
): RequestHead {
  const query = parseQuery(target);
  // PostgreSQL's text cannot hold it.
  const texts = [...Object.values(params), ...query.values()];
  if (texts.some((text) => text.includes('\0'))) throw invalidRequest('the URI holds a NUL');
  return {
    params,
    query,
    headers: request.headers,
    path,
    source: sourceAddress(request, settings.http),
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

/** What a body may be. */
export interface BodyLimits {
  /** Also of what a compressed body unfolds to. */
  readonly maxBytes: number;
  /** Elements and attributes of an XML body, together. */
  readonly maxMarkup: number;
  /** The media types that it may have. */
  readonly types: readonly string[];
}

/** Far deeper than any body of this API. */
const MAX_DEPTH = 64;

export function createBodyReader(
  { maxBytes, maxMarkup, types }: BodyLimits,
  budget: BodyBudget,
): BodyReader {
  return async ({ request, response }) => {
    const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
    const type = readContentType(contentType, types) ?? MEDIA_TYPES.json;
    requireUtf8Charset(contentType);
    const unfold = findUnfolder(encoding, maxBytes);
    const bytes = await unfold(
      await budget.count((take) => readBody(request, response, { maxBytes, take })),
    );
    return formatOf(type) === 'xml'
      ? await parseXml(decodeUtf8(bytes), { maxDepth: MAX_DEPTH, maxMarkup })
      : parseJson(bytes, { maxDepth: MAX_DEPTH, maxValues: Infinity });
  };
}

/** Names of JSON. */
export const JSON_TYPES: readonly string[] = [
  MEDIA_TYPES.json,
  'application/vnd.openstack.identity-v3+json',
];

/** Names of the two formats: old clients label XML in either of two ways, and GET / tells of those with versions. */
export const FORMAT_TYPES: readonly string[] = [
  MEDIA_TYPES.json,
  MEDIA_TYPES.xml,
  'text/xml',
  'application/vnd.openstack.identity-v2.0+json',
  'application/vnd.openstack.identity-v2.0+xml',
  'application/vnd.openstack.identity-v3+json',
  'application/vnd.openstack.identity-v3+xml',
];
