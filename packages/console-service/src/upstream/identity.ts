import {
  HttpJsonClient,
  type JsonAnswer,
  ServiceError,
  type Tracing,
} from '@zonewright/service-kit';

/** Credentials of a login. */
export type LogIn =
  | { readonly username: string; readonly password: string }
  | { readonly accessKeyId: string; readonly secretKey: string };

/** Result of a login. */
export interface OpenedSession {
  /** Token without a project. Tokens of projects are derived from it, and are revoked with it. */
  readonly token: string;
  readonly user: { readonly id: string; readonly name: string };
  /** Time in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Browser that logs in. */
export interface LogInSource {
  readonly address: string;
  /** Mark of an earlier login. Undefined for a new browser. */
  readonly mark: string | undefined;
}

export interface Project {
  readonly id: string;
  readonly name: string;
}

/** Token for one project, and the roles of its user there. */
export interface ProjectAccess {
  readonly token: string;
  readonly project: Project;
  readonly roles: readonly string[];
  readonly urls: PublicUrls;
}

/** Public URLs of the services in the catalog: absolute, without a version. */
interface PublicUrls {
  readonly identity?: string;
  readonly dns?: string;
}

/** Time limit of a login. Checking a password is slow on purpose, and logins may queue for it. */
const LOG_IN_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 4_000;
/** Upper limit of TRUST_PROXY. identity-service finds the same address, however many proxies it counts. */
const MOST_PROXIES = 16;

interface AccessBody {
  readonly access: {
    readonly token: { readonly id: string; readonly expires: string };
    readonly user: { readonly id: string; readonly name: string };
  };
}

interface V3TokenBody {
  readonly token: {
    readonly project: Project;
    readonly roles: readonly { readonly name: string }[];
    readonly catalog?: readonly CatalogService[];
  };
}

interface CatalogService {
  readonly type: string;
  readonly endpoints: readonly { readonly interface: string; readonly url: string }[];
}

/** Client of the identity service, for the requests that this service makes itself. */
export class Identity {
  readonly #client: HttpJsonClient;

  constructor(baseUrl: string, tracing: Tracing | undefined) {
    this.#client = new HttpJsonClient({ baseUrl, serverName: 'identity service', tracing });
  }

  close(): void {
    this.#client.close();
  }

  /** @throws ServiceError if the service is not available */
  async check(): Promise<void> {
    await this.#client.call({ method: 'GET', path: 'v3', headers: {} });
  }

  /** Returns the session, and a mark for the next login by password. @throws ServiceError */
  async logIn(
    credentials: LogIn,
    { address, mark = 'new' }: LogInSource,
  ): Promise<OpenedSession & { readonly mark: string | undefined }> {
    const answer = await this.#client.call({
      method: 'POST',
      path: 'v2.0/tokens',
      headers: {
        'x-forwarded-for': Array.from({ length: MOST_PROXIES }, () => address).join(', '),
        'x-returning-client': mark,
      },
      body: {
        auth:
          'password' in credentials
            ? { passwordCredentials: credentials }
            : {
                apiAccessKeyCredentials: {
                  accessKey: credentials.accessKeyId,
                  secretKey: credentials.secretKey,
                },
              },
      },
      timeoutMs: LOG_IN_TIMEOUT_MS,
    });
    if (answer.status === 401 || answer.status === 400) {
      throw new ServiceError('unauthenticated', 'Wrong user name, password or access key.');
    }
    const { token, user } = (expectSuccess(answer) as AccessBody).access;
    const newMark = answer.headers['x-returning-client'];
    return {
      token: token.id,
      user: { id: user.id, name: user.name },
      expiresAt: Date.parse(token.expires),
      mark: typeof newMark === 'string' ? newMark : undefined,
    };
  }

  /** Lists the projects in which the user of a token has a role. @throws ServiceError */
  async listProjects(token: string): Promise<readonly Project[]> {
    const answer = await this.#client.call({
      method: 'GET',
      path: 'v3/auth/projects',
      headers: { 'x-auth-token': token },
      timeoutMs: TIMEOUT_MS,
    });
    const { projects } = expectSuccess(answer) as { readonly projects: readonly Project[] };
    return projects.map(({ id, name }) => ({ id, name }));
  }

  /** Derives a token for one project from a token without a project. @throws ServiceError */
  async enterProject(token: string, projectId: string): Promise<ProjectAccess> {
    const answer = await this.#client.call({
      method: 'POST',
      path: 'v3/auth/tokens',
      headers: {},
      body: {
        auth: {
          identity: { methods: ['token'], token: { id: token } },
          scope: { project: { id: projectId } },
        },
      },
      timeoutMs: TIMEOUT_MS,
    });
    const derived = answer.headers['x-subject-token'];
    if (answer.status === 401) {
      // The response is the same for a project that is not the user's and for an expired token. This call throws if the
      // token has expired.
      await this.listProjects(token);
      throw new ServiceError(
        'forbidden',
        'This project does not exist, or you have no role in it.',
      );
    }
    const body = expectSuccess(answer) as V3TokenBody;
    if (typeof derived !== 'string') throw unreadable();
    const { project, roles, catalog = [] } = body.token;
    return {
      token: derived,
      project: { id: project.id, name: project.name },
      roles: roles.map(({ name }) => name),
      urls: readUrls(catalog),
    };
  }

  /**
   * Revokes a token and all tokens derived from it. A token that has already expired is not an error. @throws
   * ServiceError
   */
  async revoke(token: string): Promise<void> {
    const answer = await this.#client.call({
      method: 'DELETE',
      path: 'v3/auth/tokens',
      headers: { 'x-auth-token': token, 'x-subject-token': token },
      timeoutMs: TIMEOUT_MS,
    });
    if (![204, 401, 404].includes(answer.status)) expectSuccess(answer);
  }
}

function readUrls(catalog: readonly CatalogService[]): PublicUrls {
  const find = (type: string) =>
    catalog
      .find((service) => service.type === type)
      // The interface of a public endpoint is not `public` but its release state (Identity s1).
      ?.endpoints.find(({ interface: face }) => face !== 'internal' && face !== 'admin')
      ?.url.replace(/\/v\d[^/]*\/?$/, '');
  const [identity, dns] = [find('identity'), find('ext:dns')];
  return {
    ...(identity === undefined ? {} : { identity }),
    ...(dns === undefined ? {} : { dns }),
  };
}

function expectSuccess({ status, headers, body }: JsonAnswer): unknown {
  if (status < 300 && body !== undefined) return body;
  if (status === 401)
    throw new ServiceError('unauthenticated', 'The session has expired; log in again.');
  if (status === 403) {
    throw new ServiceError(
      'forbidden',
      'This access key has restrictions: the console needs an access key without restrictions, or a password.',
    );
  }
  if (status === 429 || status === 413) {
    const seconds = Number(headers['retry-after'] ?? headers['retryafter'] ?? 1);
    throw new ServiceError('rate-limited', 'Too many attempts; try again later.', {
      details: { retryAfterSeconds: Number.isFinite(seconds) ? seconds : 1 },
    });
  }
  throw unreadable();
}

function unreadable(): ServiceError {
  return new ServiceError('unavailable', 'The identity service did not respond; try again.');
}
