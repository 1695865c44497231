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
  /** The path as routes know it, with the query. */
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON, or the text of a zone file; undefined where the operation takes no body. */
  readonly body: unknown;
  readonly headers: {
    readonly ifMatch: string | undefined;
    readonly idempotencyKey: string | undefined;
    readonly prefer: string | undefined;
    readonly userAgent: string | undefined;
  };
  /** Any other header; undefined where there is none. */
  readonly header: (name: string) => string | undefined;
  /** The address that it comes from, as far as proxies in front are believed. */
  readonly sourceAddress: string;
  /** Adds to the audit line of the request. */
  readonly audit: (facts: Readonly<Record<string, unknown>>) => void;
  /** `http://host`, without a slash at the end: what Location and links begin with. */
  readonly baseUrl: string;
  /** Calls back when the client is gone; also once it has been answered. */
  readonly onAbandoned: (callback: () => void) => void;
}

/** A request whose token has been validated. */
export interface TenantRequest extends ApiRequest {
  readonly caller: Caller;
  /** Validates the token again, for a response that stays open. @throws ServiceError, Overload as for a request */
  readonly holdToken: () => Promise<HeldToken>;
  /** Source of the change, for the history. */
  readonly source: ChangeSource;
  /** Tenant whose budgets are used, if the caller acts for another tenant. Default: the caller's. */
  readonly payerTenantId?: string;
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
  /** The media types of its answer; JSON where nothing is said. */
  readonly types?: readonly string[];
  /** It creates what its Location leads to. */
  readonly creates?: true;
  /** It reads or writes a whole zone, which may take longer than the 2 s that all others have. */
  readonly isLong?: true;
  /** When its answer is due, in milliseconds, if that is neither 2 s nor the time of an operation that is long. */
  readonly answerWithinMs?: number;
  /** Statuses of errors that nothing else here tells. */
  readonly faults?: readonly (400 | 404 | 409 | 413 | 429)[];
  /** Also for restricted access keys, as far as their rules go; refused to them where nothing is said. */
  readonly restricted?: 'by-rules';
  /** Its answers are lists, which may be large and hold no secret: they are compressed for who takes them so. */
  readonly compresses?: true;
  /** A GET that changes something, as a protocol of others has it: it has an audit line as all that do. */
  readonly writes?: true;
  /** Its errors in the words of a protocol of others; in those of the API where nothing is said. */
  readonly renderError?: (error: unknown, requestId: string) => Reply;
  /** Source of its changes in the history. Default: `api`. */
  readonly source?: ChangeSource;
  /** Whether its object has an ETag. A change of another object is refused if it has If-Match. */
  readonly hasTag?: true;
  /** Finds the answer to a list that was rendered before. */
  readonly findKept?: (
    context: Context,
    caller: Caller,
    wanted: CacheKey,
  ) => Promise<RenderedList | undefined>;
}

/** For programs that know no tokens: each request shows a restricted access key (ADR 0031). */
export type KeyOperation = Described & {
  readonly access: 'key';
  /** Reads the presented access key. Undefined if there is none. */
  readonly readKey: (headers: IncomingHttpHeaders) => PresentedAccessKey | undefined;
  readonly handle: (context: Context, request: TenantRequest) => Promise<ApiReply>;
};

/**
 * One operation of the API. A write takes `dry_run` beside the parameters of its query, and refuses all others
 * (readQuery).
 */
export type Operation =
  | KeyOperation
  | (Described & {
      readonly access: 'public';
      readonly handle: (context: Context, request: ApiRequest) => Promise<ApiReply>;
    })
  | (Described & {
      /** `nameserver`: for nameservers, on behalf of whoever sent them something. `operator`: it shows nothing of a tenant, and needs one of DNS_API_OPERATOR_ROLES. */
      readonly access: 'tenant' | 'operator' | 'cloud-admin' | 'nameserver';
      readonly handle: (context: Context, request: TenantRequest) => Promise<ApiReply>;
    });
