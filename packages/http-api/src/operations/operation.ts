import type { IncomingMessage, ServerResponse } from 'node:http';

/** JSON Schema (2020-12, as in OpenAPI 3.1). */
export type Schema = Readonly<Record<string, unknown>>;

/** Body in OpenAPI: a schema for each media type, with an optional example. */
export type Content = Readonly<
  Record<string, { readonly schema: Schema; readonly example?: unknown }>
>;

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Common description of an operation; each API adds access rules and a handler. */
export interface Operation {
  /** The operationId of OpenAPI, in camelCase. Clients are generated from it, so it never changes. */
  readonly id: string;
  /** Name of the operation in the API's document and in audit lines. */
  readonly name: string;
  readonly method: Method;
  /** Braces mark parameters. */
  readonly path: string;
  /** `public` if no token is needed. */
  readonly access: string;
  /** Schemas of path parameters that differ from the usual one. */
  readonly params?: Readonly<Record<string, Schema>>;
  /** Query parameters; all are optional. */
  readonly query?: Readonly<Record<string, Schema>>;
  /** Request headers besides the token's; all are required. */
  readonly headers?: readonly string[];
  /** Schema of the request body. */
  readonly reads?: string;
  /** Schema of the response; undefined for an empty body or one without a schema. */
  readonly answers?: string;
  /** Status of success; 200 by default. */
  readonly status?: number;
}

/** Additional members of a log line: names, ids and numbers, never a secret. */
type LogFacts = Record<string, string | number | undefined>;

/** Request with its response, and what is known about them. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Id of the request in the log and the response. A request that is passed on takes the id of the other service. */
  requestId: string;
  /** Normalized target, with the query. */
  readonly target: string;
  /** Normalized target without the query. */
  readonly path: string;
  params: Readonly<Record<string, string>>;
  /** Members of its log line. */
  readonly logged: LogFacts;
  /** Members of its audit line, if it has one. */
  readonly audited: Record<string, unknown>;
  /**
   * Time of the response by performance.now(), if its connection is used after it: for the rest of the request's body
   * (endAnswer), or for a live body.
   */
  answeredAt: number | undefined;
}
