/** A JSON Schema 2020-12, as in OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>;

export const string = { type: 'string' } as const;
export const integer = { type: 'integer' } as const;
export const boolean = { type: 'boolean' } as const;
export const uuid = { type: 'string', format: 'uuid' } as const;
export const timestamp = {
  type: 'string',
  description: 'UTC, without a zone, with six fractional digits: 2026-11-21T01:02:03.123456',
} as const;

export const orNull = (schema: { readonly type: string }): Schema => ({
  ...schema,
  type: [schema.type, 'null'],
});
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const refOrNull = (name: string): Schema => ({ anyOf: [ref(name), { type: 'null' }] });
export const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** An object whose members are required unless `optional` names them. */
export function object(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
) {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}
