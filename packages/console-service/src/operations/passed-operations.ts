import { OPERATIONS } from '@zonewright/client';
import { type Exchange, readBody, Refusal, type Reply, sourceAddress } from '@zonewright/http-api';
import type { IncomingMessage } from 'node:http';
import type { Context, Operation } from '../context/context.js';
import type { RequestOrigin } from '../context/origin.js';
import type { Session } from '../upstream/session-cookie.js';
import { requireSession } from './session-operations.js';

type ServiceName = 'dns' | 'identity';

interface Described {
  readonly service: ServiceName;
  readonly method: string;
  readonly path: string;
}

/**
 * Paths of the identity service that pages need: the user's own keys, and the administration of accounts. Only this
 * service creates and revokes tokens.
 */
const OF_IDENTITY = /^\/(v2\.0\/EXT-IDM\/v1\.0\/accesskeys(\/|$)|v3\/)/;
/**
 * Operations that are never forwarded. This one imports keys with given secrets, for moving accounts between
 * installations, not for browsers.
 */
const NEVER: ReadonlySet<string> = new Set(['importAccessKeys']);

/** Operations that pages may call, from the API documents. */
export const PASSED_OPERATIONS: readonly Operation[] = Object.entries<Described>(OPERATIONS)
  .filter(
    ([id, { service, path }]) => !NEVER.has(id) && (service === 'dns' || OF_IDENTITY.test(path)),
  )
  .map(([id, described]) => toPassed(id, described))
  // If two paths match, the literal path comes before the one with a parameter: `domains/import` is not a domain.
  .toSorted((a, b) => countParameters(a) - countParameters(b));

function countParameters({ path }: Operation): number {
  return path.split('{').length;
}

function toPassed(id: string, { service, method, path }: Described): Operation {
  return {
    id,
    name: id,
    method: method as Operation['method'],
    // Paths of the services may have a {projectId} of their own.
    path: `/api/{ownProjectId}/${service}${path}`,
    access: 'session',
    handle: (context, exchange, place) => passOn(context, { service, path }, exchange, place),
  };
}

const REQUEST_HEADERS = [
  'accept',
  'accept-encoding',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'prefer',
  'x-zonewright-note',
];
const ANSWER_HEADERS = [
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-type',
  'etag',
  'link',
  'preference-applied',
  'retry-after',
  'x-total-count',
  'x-zonewright-dry-run',
  'x-zonewright-publication',
  'x-zonewright-serial',
  'x-zonewright-warning',
];

async function passOn(
  context: Context,
  { service, path }: Pick<Described, 'service' | 'path'>,
  exchange: Exchange,
  place: RequestOrigin,
): Promise<Reply> {
  const { request } = exchange;
  const session = requireSession(context, exchange, place);
  const { ownProjectId: projectId = '' } = exchange.params;
  const { token } = await context.projectTokens.get(session, projectId);
  const answer = await context.upstreams[service].send({
    method: request.method ?? 'GET',
    target: fillIn(path, exchange.params) + queryOf(exchange.target),
    headers: {
      ...pick(request.headers, REQUEST_HEADERS),
      'x-auth-token': token,
      'x-forwarded-for': sourceAddress(request, context.settings.http),
    },
    body: await readWhole(context, exchange, session),
    signal: untilGone(exchange),
  });
  if (answer.statusCode === 401) context.projectTokens.drop(session, projectId);
  return toReply(context, { exchange, answer, session, place });
}

/**
 * Builds the path from the parsed parameters, so that dots or slashes in them cannot change the path at the other
 * service.
 */
function fillIn(template: string, params: Exchange['params']): string {
  return template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name] ?? '';
    // Clients normalize such path segments (RFC 3986 s6.2.2.3).
    if (value === '' || /^\.{1,2}$/.test(value)) throw new Refusal('no-such-resource');
    return encodeURIComponent(value);
  });
}

function queryOf(target: string): string {
  const at = target.indexOf('?');
  if (at === -1) return '';
  const query = new URLSearchParams(target.slice(at + 1));
  // With this parameter, the response would contain the secrets of all keys.
  query.delete('export');
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function pick(
  headers: IncomingMessage['headers'],
  names: readonly string[],
): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  return picked;
}

/** Reads the whole body before anything is sent, so that a slow browser does not occupy a slot of the other service. */
async function readWhole(
  context: Context,
  { request, response }: Exchange,
  { user }: Session,
): Promise<Buffer | undefined> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  const { maxBodyBytes: maxBytes } = context.settings.http;
  const body = await context.bodies.count(user.id, (take) =>
    readBody(request, response, { maxBytes, take }),
  );
  return body.length === 0 ? undefined : body;
}

function untilGone({ response }: Exchange): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
  });
  return gone.signal;
}

interface Answered {
  readonly exchange: Exchange;
  readonly answer: IncomingMessage;
  readonly session: Session;
  readonly place: RequestOrigin;
}

function toReply(context: Context, { exchange, answer, session, place }: Answered): Reply {
  const status = answer.statusCode ?? 502;
  const requestId = answer.headers['x-openstack-request-id'];
  if (typeof requestId === 'string') exchange.requestId = requestId;
  const headers = pick(answer.headers, ANSWER_HEADERS);
  const renewed = context.cookie.renew(session, place.isSecure);
  if (renewed !== undefined) headers['Set-Cookie'] = renewed;
  if (exchange.request.method === 'HEAD' || status === 204 || status === 304) {
    answer.resume();
    return { status, headers };
  }
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  if (!isStream) return { status, headers, body: answer };
  const { ownProjectId: projectId = '' } = exchange.params;
  const owner = { userId: session.user.id, projectId };
  return { status, headers, body: openStream(context, exchange, { answer, owner }) };
}

/** Forwards a stream. The browser treats it as open as soon as something is written. */
function openStream(
  { streams }: Context,
  { response }: Exchange,
  {
    answer,
    owner,
  }: {
    readonly answer: IncomingMessage;
    readonly owner: Parameters<Context['streams']['take']>[1];
  },
) {
  try {
    streams.take(response, owner);
  } catch (error) {
    answer.destroy();
    throw error;
  }
  return beginWith(':\n\n', answer);
}

async function* beginWith(
  first: string,
  rest: AsyncIterable<Buffer>,
): AsyncIterable<string | Buffer> {
  yield first;
  yield* rest;
}
