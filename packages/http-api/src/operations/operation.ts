import type { IncomingMessage, ServerResponse } from 'node:http';

/** JSON Schema (2020-12, as in OpenAPI 3.1). */
export type Schema = Readonly<Record<string, unknown>>;

/** Body in OpenAPI: a schema and an optional example for each media type. */
export type Content = Readonly<
  Record<string, { readonly schema: Schema; readonly example?: unknown }>
>;

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Common description of an operation; each API adds access rules and a handler. */
export interface Operation {
  /** The operationId of OpenAPI, in camelCase. It never changes, since clients are generated from it. */
  readonly id: string;
  /** Name of the operation in the API's document and in audit lines. */
  readonly name: string;
  readonly method: Method;
  /** Path with parameters in braces. */
  readonly path: string;
  /** `public` if no token is needed. */
  readonly access: string;
  /** Schemas of path parameters, if they differ from the default. */
  readonly params?: Readonly<Record<string, Schema>>;
  /** Query parameters; all are optional. */
  readonly query?: Readonly<Record<string, Schema>>;
  /** Request headers in addition to the token. All are required. */
  readonly headers?: readonly string[];
  /** Schema of the request body. */
  readonly reads?: string;
  /** Schema of the response. Undefined for an empty body or one without a schema. */
  readonly answers?: string;
  /** Status of a successful response. The default is 200. */
  readonly status?: number;
}

/** Additional members of a log line: names, ids and numbers, never a secret. */
type LogFacts = Record<string, string | number | undefined>;

/** Request with its response and facts for log and audit. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Id of the request in the log and the response. A forwarded request takes the id of the other service. */
  requestId: string;
  /** Normalized target, with the query. */
  readonly target: string;
  /** Normalized target without the query. */
  readonly path: string;
  params: Readonly<Record<string, string>>;
  /** Members of the log line. */
  readonly logged: LogFacts;
  /** Members of the audit line, if the request has one. */
  readonly audited: Record<string, unknown>;
  /**
   * Time of the response by performance.now(), if the connection is used after it to read the rest of the body
   * (endAnswer) or to send a live body.
   */
  answeredAt: number | undefined;
}
