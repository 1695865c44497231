import {
  type Exchange,
  MEDIA_TYPES,
  parseJson,
  readBody,
  readContentType,
  type Reply,
  sourceAddress,
} from '@zonewright/http-api';
import { ServiceError } from '@zonewright/service-kit';
import type { Context, Operation } from '../context/context.js';
import { type RequestOrigin, requireSecureOrigin } from '../context/origin.js';
import { forgetCookie, type Session } from '../upstream/session-cookie.js';
import type { LogIn } from '../upstream/identity.js';

const NOBODY: Reply = { status: 204 };
/** Maximum size of a login: a name and a password with their quotes. */
const MAX_LOG_IN_BYTES = 4_096;

/** Operations that log in, log out, and read the session. */
export const SESSION_OPERATIONS: readonly Operation[] = [
  {
    id: 'logIn',
    name: 'Log In',
    method: 'POST',
    path: '/session',
    access: 'public',
    handle: logIn,
  },
  {
    id: 'getSession',
    name: 'Get Session',
    method: 'GET',
    path: '/session',
    access: 'session',
    handle: getSession,
  },
  {
    id: 'logOut',
    name: 'Log Out',
    method: 'DELETE',
    path: '/session',
    access: 'session',
    handle: logOut,
  },
  {
    id: 'getProjectOfSession',
    name: 'Get Project of Session',
    method: 'GET',
    path: '/session/projects/{projectId}',
    access: 'session',
    handle: getProject,
  },
];

/** @throws ServiceError unauthenticated if there is no session */
export function requireSession(
  { cookie }: Context,
  { request, audited }: Exchange,
  { isSecure }: RequestOrigin,
): Session {
  const session = cookie.read(request.headers.cookie, isSecure);
  if (session === undefined)
    throw new ServiceError('unauthenticated', 'There is no session, or it has expired; log in.');
  audited['userId'] = session.user.id;
  return session;
}

async function logIn(context: Context, exchange: Exchange, place: RequestOrigin): Promise<Reply> {
  const { request, response, audited } = exchange;
  requireSecureOrigin(place);
  readContentType(request.headers['content-type'] ?? '', [MEDIA_TYPES.json]);
  const bytes = await readBody(request, response, { maxBytes: MAX_LOG_IN_BYTES });
  const credentials = readLogIn(parseJson(bytes, { maxDepth: 2, maxValues: 8 }));
  const { cookie, identity, settings } = context;
  const username = 'username' in credentials ? credentials.username : undefined;
  const address = sourceAddress(request, settings.http);
  const before =
    username === undefined
      ? undefined
      : cookie.readReturning(request.headers.cookie, place.isSecure, username);
  const { mark, ...opened } = await identity.logIn(credentials, { address, mark: before });
  audited['userId'] = opened.user.id;
  const session = { ...opened, activeAt: context.now() };
  const cookies = [cookie.write(session, place.isSecure)];
  if (username !== undefined && mark !== undefined) {
    cookies.push(cookie.writeReturning({ username, mark }, place.isSecure));
  }
  return { ...(await describe(context, session)), cookies };
}

async function getSession(
  context: Context,
  exchange: Exchange,
  place: RequestOrigin,
): Promise<Reply> {
  const session = context.cookie.read(exchange.request.headers.cookie, place.isSecure);
  // A missing session is not an error: a 401 would appear in the developer console of every new browser.
  if (session === undefined) return NOBODY;
  try {
    return await describe(context, session);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unauthenticated') return NOBODY;
    throw error;
  }
}

async function logOut(
  context: Context,
  { request }: Exchange,
  { isSecure }: RequestOrigin,
): Promise<Reply> {
  const session = context.cookie.read(request.headers.cookie, isSecure);
  // The token is revoked first: a browser that has already deleted the cookie could not repeat the logout.
  if (session !== undefined) await context.identity.revoke(session.token);
  return { status: 204, cookies: [forgetCookie(isSecure)] };
}

async function getProject(
  context: Context,
  exchange: Exchange,
  place: RequestOrigin,
): Promise<Reply> {
  const session = requireSession(context, exchange, place);
  const { project, roles, urls } = await context.projectTokens.get(
    session,
    exchange.params['projectId'] ?? '',
  );
  return json({ ...project, roles, urls });
}

async function describe(
  { identity, settings }: Context,
  { user, expiresAt, token }: Session,
): Promise<Reply> {
  const projects = await identity.listProjects(token);
  return json({ user, projects, expiresAt, idleMinutes: settings.session.idleMinutes });
}

function json(value: unknown): Reply {
  return {
    status: 200,
    headers: { 'Content-Type': MEDIA_TYPES.json },
    body: JSON.stringify(value),
  };
}

function readLogIn(body: unknown): LogIn {
  const members = (typeof body === 'object' && body !== null ? body : {}) as Partial<
    Record<string, unknown>
  >;
  const { username, password, accessKeyId, secretKey } = members;
  if (typeof username === 'string' && typeof password === 'string') return { username, password };
  if (typeof accessKeyId === 'string' && typeof secretKey === 'string')
    return { accessKeyId, secretKey };
  throw new ServiceError(
    'invalid',
    'A login must have username and password, or accessKeyId and secretKey, as strings.',
  );
}
