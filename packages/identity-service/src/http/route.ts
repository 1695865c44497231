import type { IncomingHttpHeaders } from 'node:http';
import type { ResolvedToken } from '@zonewright/accounts';
import type { Operation, Reply, RequestSlot } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import type { ReturningClient } from '../context/returning-clients.js';
import type { RateLimitName } from '../context/rate-limits.js';
import type { JsonAnswerName } from '../schemas/administration-answers.js';
import type { JsonRequestName } from '../schemas/administration-requests.js';
import type { AnswerName } from '../schemas/answers.js';
import type { FaultStatus } from '../schemas/faults.js';
import type { RequestName } from '../schemas/request-schemas.js';

/** Valid token in X-Auth-Token. */
export type Caller = ResolvedToken;

/** Request for handlers, independent of node:http and of the format. */
export interface ApiRequest extends RequestHead {
  /** Body in the form that JSON and XML share. An empty object if there is none. */
  readonly body: unknown;
  readonly turn: RequestSlot;
}

/** A request before its body is read. */
export interface RequestHead {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Requested path, without the query. */
  readonly path: string;
  readonly source: string;
  readonly client: ReturningClient | undefined;
  /** Party whose slot and failures count: the source, or a returning client. */
  readonly party: string;
  /** Base of absolute links. */
  readonly baseUrl: string;
  /** Id of the request in the log. */
  readonly requestId: string;
  /** Collects facts for the audit line. Used only by audited routes. */
  readonly audit: AuditTrail;
}

export type ApiResponse = Reply;

interface RouteBasics extends Operation {
  readonly reads?: RequestName;
  readonly answers?: AnswerName;
  /** Replaces `reads` and `answers` for an operation that supports only JSON. */
  readonly json?: {
    readonly reads?: JsonRequestName;
    readonly answers?: JsonAnswerName;
    /** Whether the body contains DNS messages, which may be long, or those of a zone transfer. */
    readonly hasMessages?: 'few' | 'transfer';
  };
  /** Headers of the response. */
  readonly answersHeaders?: readonly string[];
  /** Additional errors. */
  readonly faults?: readonly FaultStatus[];
  /** Whether a GET issues a token. */
  readonly isLogin?: true;
}

/** Operation for every caller. */
export interface PublicRoute extends RouteBasics {
  readonly access: 'public';
  /**
   * Limit for which a failed request counts by its source. `handle` counts a successful one for the identified user, so
   * that nobody can use up another user's limit.
   */
  readonly limit?: RateLimitName;
  readonly handle: (context: Context, request: ApiRequest) => ApiResponse | Promise<ApiResponse>;
}

/** Operation that needs a valid token of an active user in X-Auth-Token. */
export interface TokenRoute extends RouteBasics {
  readonly access: 'token';
  /** Whether restricted tokens are allowed. By default they are rejected. */
  readonly restricted?: 'allowed';
  readonly limit?: RateLimitName;
  /**
   * Returns the response of `handle` for an active user if no waiting is needed, and otherwise undefined. Used for
   * frequent operations without a limit.
   */
  readonly answerAtOnce?: (
    context: Context,
    request: Pick<RequestHead, 'headers' | 'params'>,
  ) => ApiResponse | undefined;
  readonly handle: (
    context: Context,
    request: ApiRequest,
    caller: Caller,
  ) => ApiResponse | Promise<ApiResponse>;
}

/** Row of the route table, from which routing, 405, limits and the isolation tests are derived. */
export type Route = PublicRoute | TokenRoute;

/** Path segment of the vendor extension (Identity s4). */
export const EXTENSION_SEGMENT = 'EXT-IDM';

/** Returns the path of a route. A path of the extension is returned once for each alias (D-ID). */
export function pathsOf({ path }: Pick<Route, 'path'>, aliases: readonly string[]): string[] {
  if (!path.includes(EXTENSION_SEGMENT)) return [path];
  return [EXTENSION_SEGMENT, ...aliases].map((alias) => path.replace(EXTENSION_SEGMENT, alias));
}

/** Facts about a change or a login: names and ids, never secrets. */
interface AuditFacts {
  /** Method of authentication: password, accessKey, token. */
  readonly method?: string;
  /** Account as named by the caller: `name ada`, `id 1f2e`, `key ABCD`. It need not exist. */
  readonly account?: string;
  /** User who performed the operation. */
  readonly userId?: string;
  readonly tenantId?: string | undefined;
  /** Access key that was changed or used. */
  readonly accessKeyId?: string | undefined;
  readonly ownerId?: string;
  /** Object that an administrator created or changed. */
  readonly id?: string;
  /** Names of the given members. */
  readonly changed?: readonly string[];
  readonly grantedTo?: string | undefined;
  readonly roleId?: string | undefined;
  /** Endpoint whose service was activated or deactivated for the tenant. */
  readonly endpointId?: string;
  /** Tenant or account domain on which a role is held. */
  readonly grantedOn?: string | undefined;
  /** Name of the token (jti). It does not reveal the token. */
  readonly jti?: string;
}

/** Collects the facts about one request. */
export class AuditTrail {
  readonly #facts: Record<string, unknown>;

  constructor(facts: Record<string, unknown>) {
    this.#facts = facts;
  }

  note(facts: AuditFacts): void {
    Object.assign(this.#facts, facts);
  }
}

/** Whether an operation is audited: changes, logins, and Legacy Authentication, which is a login by GET. */
export function isAudited(route: Operation & { readonly isLogin?: true }): boolean {
  return (route.method !== 'GET' && route.method !== 'HEAD') || route.isLogin === true;
}
