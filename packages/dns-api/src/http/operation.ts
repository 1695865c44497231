import type { Operation as OperationOfAnyApi, Reply, RequestSlot } from '@zonewright/http-api';
import type { IncomingHttpHeaders } from 'node:http';
import type { PresentedAccessKey } from '../access/key-client.js';
import type { HeldToken } from '../access/token-validator.js';
import type { Caller, ChangeSource } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import type { RenderedList } from '../limits/rendered-lists.js';
import type { Encoding } from '../limits/compression.js';
import type { ApiReply } from './reply.js';

/** Request as a handler sees it. Only the caller and the request id are trusted. */
export interface ApiRequest {
  readonly requestId: string;
  readonly method: string;
  readonly turn: RequestSlot;
  /** Path without the base path of the service, with the query. */
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON, or the text of a zone file. Undefined if the operation takes no body. */
  readonly body: unknown;
  readonly headers: {
    readonly ifMatch: string | undefined;
    readonly idempotencyKey: string | undefined;
    readonly prefer: string | undefined;
    readonly userAgent: string | undefined;
  };
  /** Returns a header. Undefined if the request does not have it. */
  readonly header: (name: string) => string | undefined;
  /** Source address of the request. Only trusted proxies can set it in a header. */
  readonly sourceAddress: string;
  /** Adds facts to the audit line of the request. */
  readonly audit: (facts: Readonly<Record<string, unknown>>) => void;
  /** `http://host` without a slash at the end: prefix of Location headers and links. */
  readonly baseUrl: string;
  /** Calls back when the client disconnects, or after the response. */
  readonly onAbandoned: (callback: () => void) => void;
}

/** A request whose token has been validated. */
export interface TenantRequest extends ApiRequest {
  readonly caller: Caller;
  /** Validates the token again, for a response that stays open. @throws ServiceError, Overload as for a request */
  readonly holdToken: () => Promise<HeldToken>;
  /** Source of the change, for the history. */
  readonly source: ChangeSource;
  /** Tenant whose budgets are used, if the caller acts for another tenant. The default is the caller's. */
  readonly payerTenantId?: string;
  /** Whether the slot includes a connection to the database. Default: false. */
  readonly mayConnect?: boolean;
}

export function payerOf({ payerTenantId, caller }: TenantRequest): string {
  return payerTenantId ?? caller.tenantId;
}

/** Kind of body. It sets the accepted Content-Type and the maximum size. */
export type BodyKind = 'none' | 'json' | 'json-batch' | 'zone-file';

/** Key of a cached list, beside the row of its zone. */
export interface CacheKey {
  readonly zoneId: string;
  readonly userAgent: string | undefined;
  readonly encoding: Encoding | undefined;
}

interface Described extends OperationOfAnyApi {
  readonly body: BodyKind;
  /** Media types of the response. The default is JSON. */
  readonly types?: readonly string[];
  /** Whether the operation creates the object in its Location header. */
  readonly creates?: true;
  /** Whether the operation reads or writes a whole zone. It may then take longer than the usual 2 s. */
  readonly isLong?: true;
  /** Whether it only reads, although it is a POST: its input is too long for a query. It has no dry run. */
  readonly onlyReads?: true;
  /** Whether the change waits in a queue and needs no separate connection (ADR 0068). */
  readonly isQueued?: true;
  /** Time limit of the response in milliseconds, if it is neither 2 s nor that of a long operation. */
  readonly answerWithinMs?: number;
  /** Error statuses that do not follow from the other members. */
  readonly faults?: readonly (400 | 404 | 409 | 413 | 429)[];
  /** Whether restricted access keys may use the operation, within their rules. By default they may not. */
  readonly restricted?: 'by-rules';
  /**
   * Whether the response is compressed on request. Only lists are compressed: they may be large, and contain no
   * secrets.
   */
  readonly compresses?: true;
  /**
   * Whether a GET changes something, as an external protocol requires. It then has an audit line as all writes have.
   */
  readonly writes?: true;
  /** Renders errors in the format of an external protocol. The default is the format of this API. */
  readonly renderError?: (error: unknown, requestId: string) => Reply;
  /** Source of the changes in the history. The default is `api`. */
  readonly source?: ChangeSource;
  /** Whether the object has an ETag. Without one, a change with If-Match is rejected. */
  readonly hasTag?: true;
  /** Finds the cached response to a list. */
  readonly findKept?: (
    context: Context,
    caller: Caller,
    wanted: CacheKey,
  ) => Promise<RenderedList | undefined>;
}

/** An operation for programs without tokens: each request presents a restricted access key (ADR 0031). */
export type KeyOperation = Described & {
  readonly access: 'key';
  /** Reads the presented access key. Undefined if there is none. */
  readonly readKey: (headers: IncomingHttpHeaders) => PresentedAccessKey | undefined;
  readonly handle: (context: Context, request: TenantRequest) => Promise<ApiReply>;
};

/**
 * An operation of the API. A write accepts `dry_run` and the parameters of its query, and rejects all others
 * (readQuery).
 */
export type Operation =
  | KeyOperation
  | (Described & {
      readonly access: 'public';
      readonly handle: (context: Context, request: ApiRequest) => Promise<ApiReply>;
    })
  | (Described & {
      /**
       * `nameserver`: a nameserver calls the operation for the sender of a DNS message. `operator`: the operation shows
       * no data of tenants and needs one of DNS_API_OPERATOR_ROLES.
       */
      readonly access: 'tenant' | 'operator' | 'cloud-admin' | 'nameserver';
      readonly handle: (context: Context, request: TenantRequest) => Promise<ApiReply>;
    });
