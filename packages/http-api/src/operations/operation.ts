import type { IncomingMessage, ServerResponse } from 'node:http';

/** JSON Schema (2020-12, as OpenAPI 3.1 has it). */
export type Schema = Readonly<Record<string, unknown>>;

/** A body in OpenAPI: a schema for each media type, maybe with an example. */
export type Content = Readonly<
  Record<string, { readonly schema: Schema; readonly example?: unknown }>
>;

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What every API says of an operation of its own; each adds who may call it and what handles it. */
export interface Operation {
  /** The operationId of OpenAPI, in camelCase: clients are generated from it, so it never changes. */
  readonly id: string;
  /** The operation's name in the API's document; audit lines have it. */
  readonly name: string;
  readonly method: Method;
  /** Parameters stand in braces. */
  readonly path: string;
  /** `public`: it needs no token. */
  readonly access: string;
  /** Schemas of path parameters that are not what parameters of the API usually are. */
  readonly params?: Readonly<Record<string, Schema>>;
  /** Query parameters; all are optional. */
  readonly query?: Readonly<Record<string, Schema>>;
  /** Request headers beside the token's; all are required. */
  readonly headers?: readonly string[];
  /** The schema of its body. */
  readonly reads?: string;
  /** The schema of its answer; undefined: an empty body, or one without a schema. */
  readonly answers?: string;
  /** The status of success; 200 where nothing is said. */
  readonly status?: number;
}

/** What the log says of a request beyond what it says of all; names, ids and numbers, never a secret. */
type LogFacts = Record<string, string | number | undefined>;

/** A request and its answer to be, with what was found out on the way. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Under which the request stands in the log, and which the answer carries; one that is passed on takes up the other service's. */
  requestId: string;
  /** The target as routes know it, with the query. */
  readonly target: string;
  /** The same without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  /** For its log line. */
  readonly logged: LogFacts;
  /** For its audit line, if it has one. */
  readonly audited: Record<string, unknown>;
  /**
   * When it was answered, by performance.now(), if its connection is needed after that: what is left of its body is read away
   * (endAnswer), or a live body goes on.
   */
  answeredAt: number | undefined;
}
