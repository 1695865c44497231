import type { IncomingHttpHeaders } from 'node:http';
import type { ResolvedToken } from '@zonewright/accounts';
import type { Operation, Reply, Turn } from '@zonewright/http-api';
import type { Context } from '../context/context.js';
import type { RateLimitName } from '../context/rate-limits.js';
import type { JsonAnswerName } from '../schemas/administration-answers.js';
import type { JsonRequestName } from '../schemas/administration-requests.js';
import type { AnswerName } from '../schemas/answers.js';
import type { FaultStatus } from '../schemas/faults.js';
import type { RequestName } from '../schemas/request-schemas.js';

/** The token of X-Auth-Token, found valid. */
export type Caller = ResolvedToken;

/** A request as handlers see it: no node:http, no format. */
export interface ApiRequest extends RequestHead {
  /** The body in the form that JSON and XML share; an empty object where there is none. */
  readonly body: unknown;
  readonly turn: Turn;
}

/** A request before its body is read. */
export interface RequestHead {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The source address. */
  readonly source: string;
  /** What absolute links begin with. */
  readonly baseUrl: string;
  /** Under which the request stands in the log. */
  readonly requestId: string;
  /** Takes what the audit line says; written to for routes that are audited. */
  readonly audit: AuditTrail;
}

export type ApiResponse = Reply;

interface RouteBasics extends Operation {
  readonly reads?: RequestName;
  readonly answers?: AnswerName;
  /** There, instead of the two: the operation knows JSON alone, and a body where it reads one. */
  readonly json?: {
    readonly reads?: JsonRequestName;
    readonly answers?: JsonAnswerName;
    /** Whether the body contains DNS messages, which may be long. */
    readonly hasMessages?: true;
  };
  /** Headers of the answer. */
  readonly answersHeaders?: readonly string[];
  /** Errors that nothing else here tells. */
  readonly faults?: readonly FaultStatus[];
  /** Gives a token although it is a GET. */
  readonly isLogin?: true;
}

/** Can be called by anybody. */
export interface PublicRoute extends RouteBasics {
  readonly access: 'public';
  /**
   * Under which a request that fails counts for its source. One that succeeds is counted by `handle`, for whom it turned
   * out to come from: nobody can use up what is somebody else's.
   */
  readonly limit?: RateLimitName;
  readonly handle: (context: Context, request: ApiRequest) => ApiResponse | Promise<ApiResponse>;
}

/** Needs a valid token of a user in good standing in X-Auth-Token. */
export interface TokenRoute extends RouteBasics {
  readonly access: 'token';
  /** Also with a restricted token; refused to it where nothing is said. */
  readonly restricted?: 'allowed';
  readonly limit?: RateLimitName;
  /**
   * The answer of `handle`, for a caller in good standing, when it can be given without waiting for anything; undefined
   * in every other case. For routes without a limit that are asked all the time.
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

/** One row of the route table, from which routing, 405, limits and the isolation tests are made. */
export type Route = PublicRoute | TokenRoute;

/** Identity s4: the path segment of the vendor extension. */
export const EXTENSION_SEGMENT = 'EXT-IDM';

/** The path of a route, and where it leads into the extension, the same under each alias (decisions 2, Paths). */
export function pathsOf({ path }: Pick<Route, 'path'>, aliases: readonly string[]): string[] {
  if (!path.includes(EXTENSION_SEGMENT)) return [path];
  return [EXTENSION_SEGMENT, ...aliases].map((alias) => path.replace(EXTENSION_SEGMENT, alias));
}

/** What is known of a change or a log-in: names and ids, never a secret. */
interface AuditFacts {
  /** How somebody authenticated: password, accessKey, token. */
  readonly method?: string;
  /** The account as it was named: `name ada`, `id 1f2e`, `key ABCD`. Known before it is known whether it exists. */
  readonly account?: string;
  /** Who did it. */
  readonly userId?: string;
  readonly tenantId?: string | undefined;
  /** What it was done to. */
  readonly accessKeyId?: string | undefined;
  readonly ownerId?: string;
  /** What was made or changed by an administrator. */
  readonly id?: string;
  /** Names of the members that were given. */
  readonly changed?: readonly string[];
  readonly grantedTo?: string | undefined;
  readonly roleId?: string | undefined;
  /** The tenant or account domain on which a role is held. */
  readonly grantedOn?: string | undefined;
  /** The name of the token (jti), from which it cannot be made. */
  readonly jti?: string;
}

/** Gathers the facts about one request while it is worked on. */
export class AuditTrail {
  readonly #facts: Record<string, unknown>;

  constructor(facts: Record<string, unknown>) {
    this.#facts = facts;
  }

  note(facts: AuditFacts): void {
    Object.assign(this.#facts, facts);
  }
}

/** Changes and log-ins are audited; so is Legacy Authentication, a log-in by GET. */
export function isAudited(route: Operation & { readonly isLogin?: true }): boolean {
  return (route.method !== 'GET' && route.method !== 'HEAD') || route.isLogin === true;
}
