import { createStore } from '../state/store.js';
import { undoStore } from '../ui/toasts.js';

export interface Project {
  readonly id: string;
  readonly name: string;
}

/** User of this browser, as reported by console-service. The token stays in console-service. */
export interface Session {
  readonly user: { readonly id: string; readonly name: string };
  readonly projects: readonly Project[];
  readonly expiresAt: number;
  readonly idleMinutes: number;
}

export type LogIn =
  | { readonly username: string; readonly password: string }
  | { readonly accessKeyId: string; readonly secretKey: string };

/** Error of console-service itself. */
export class SessionError extends Error {
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, retryAfterSeconds: number | undefined) {
    super(message);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** State of the session. With `ended`, the user must log in again before pending requests can continue. */
export const sessionStateStore = createStore<'open' | 'ended'>('open');
/**
 * Whether the password is being changed. The old session has then ended and the new one has not started, so no request
 * may be sent.
 */
export const passwordChangeStore = createStore(false);
let waiting: (() => void)[] = [];

/** Resolves when there is a session again. Shows the login dialog over the current screen. */
export async function waitForLogIn(): Promise<void> {
  sessionStateStore.set('ended');
  // The pending undo belongs to the session that ended.
  undoStore.set(undefined);
  await new Promise<void>((resolve) => waiting.push(resolve));
}

/** Returns the session. Null if nobody is logged in. @throws SessionError, TypeError if the service is unavailable */
export async function fetchSession(): Promise<Session | null> {
  return ((await ask('GET', '/session')) as Session | undefined) ?? null;
}

/** @throws SessionError, TypeError if the service is unavailable */
export async function logIn(credentials: LogIn): Promise<Session> {
  const session = (await ask('POST', '/session', credentials)) as Session;
  sessionStateStore.set('open');
  const resumed = waiting;
  waiting = [];
  for (const resume of resumed) resume();
  return session;
}

export async function logOut(): Promise<void> {
  await ask('DELETE', '/session');
}

export interface PasswordChange {
  readonly original: string;
  readonly password: string;
}

/**
 * Changes the user's own password. All sessions end with the old password, and this one is reopened at once.
 *
 * @throws SessionError (401: the current password is wrong), TypeError if the service is unavailable
 */
export async function changePassword(
  projectId: string,
  user: Session['user'],
  { original, password }: PasswordChange,
): Promise<void> {
  const path = `/api/${encodeURIComponent(projectId)}/identity/v3/users/${encodeURIComponent(user.id)}/password`;
  const body = { user: { original_password: original, password } };
  passwordChangeStore.set(true);
  try {
    await replacePassword(path, body);
    // The password has changed, so even after an error the next login needs the new one.
    await logIn({ username: user.name, password }).catch(waitForLogIn);
  } finally {
    passwordChangeStore.set(false);
  }
}

async function replacePassword(path: string, body: object): Promise<void> {
  // The client does not send this request, because it would take a wrong password for an expired session and send it
  // twice.
  await ask('POST', path, body).catch(async (error: unknown) => {
    const isRefused = error instanceof SessionError && error.status === 401;
    if (!isRefused || (await fetchSession()) !== null) throw error;
    await waitForLogIn();
    await ask('POST', path, body);
  });
}

export interface ProjectAccess extends Project {
  readonly roles: readonly string[];
  /** Base URLs of the services for programs. A catalog may lack one of them. */
  readonly urls: { readonly identity?: string; readonly dns?: string };
}

/** Returns the rights of the user in a project. */
export async function fetchProject(projectId: string): Promise<ProjectAccess> {
  return (await ask('GET', `/session/projects/${encodeURIComponent(projectId)}`)) as ProjectAccess;
}

interface Refused {
  readonly message?: string;
}

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(path, {
    method,
    redirect: 'error',
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  if (response.status === 204) return undefined;
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  // The identity service uses the second format.
  const { message, error } = (answer ?? {}) as Refused & { readonly error?: Refused };
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new SessionError(
    response.status,
    message ?? error?.message ?? `${response.status}`,
    Number.isNaN(seconds) ? undefined : seconds,
  );
}
