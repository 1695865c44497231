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
