import type { operations as DnsOperations } from '../generated/dns.js';
import type { operations as IdentityOperations } from '../generated/identity.js';
import type { OPERATIONS } from '../generated/operations.js';

type Described = DnsOperations & IdentityOperations;

/** The operationId of every operation that this client speaks. */
export type OperationId = keyof typeof OPERATIONS & keyof Described;

type Part<O, Place extends string> = O extends { parameters: infer P }
  ? Place extends keyof P
    ? Exclude<P[Place], undefined>
    : never
  : never;
type JsonOf<O> = O extends { content: { 'application/json': infer J } } ? J : undefined;
type BodyOf<O> = O extends { requestBody: infer B } ? JsonOf<B> : never;
type SuccessOf<O> = O extends { responses: infer R } ? R[keyof R] : never;

/** Needed where the operation has it, impossible where not. */
type Needed<Name extends string, T> = [T] extends [never]
  ? { readonly [N in Name]?: undefined }
  : { readonly [N in Name]: T };

/** Input of an operation. */
export type Input<Id extends OperationId> = Needed<'path', Part<Described[Id], 'path'>> &
  Needed<'body', BodyOf<Described[Id]>> & {
    readonly query?: Omit<Part<Described[Id], 'query'>, 'dry_run'> | undefined;
  };

/** Output of an operation: typed JSON, or text. */
export type Output<Id extends OperationId> =
  SuccessOf<Described[Id]> extends { content: { 'text/dns': string } }
    ? string
    : JsonOf<SuccessOf<Described[Id]>>;
