import { Members, type Schema } from '@zonewright/http-api';

/** A member of a body: how it is described, and how it is read. */
interface Field<T> {
  readonly schema: Schema;
  readonly isRequired?: true;
  /** Reads the member, and tells the members what is wrong with it. */
  readonly read: (members: Members, name: string) => T;
}

const NOT_KEPT = 'is not kept by this service; leave it out';

type Fields = Readonly<Record<string, Field<unknown>>>;
type ValuesOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** A JSON body with one root. Members that are not described are refused: Keystone keeps them, and here they would be lost. */
export interface JsonBody<T> {
  readonly schema: Schema;
  /** @throws ServiceError `invalid` with all that is wrong */
  readonly read: (body: unknown) => T;
}

export function jsonBody<F extends Fields>(root: string, fields: F): JsonBody<ValuesOf<F>> {
  return {
    schema: { type: 'object', properties: { [root]: schemaOf(fields) }, required: [root] },
    read: (body) => Members.read(body, (members) => readFields(fields, members.object(root))),
  };
}

/** A list of objects, each with these members; required. */
export function listOf<F extends Fields>(fields: F, max: number): Field<readonly ValuesOf<F>[]> {
  return {
    schema: { type: 'array', items: schemaOf(fields), maxItems: max },
    isRequired: true,
    read: (members, name) => {
      if (!members.has(name)) members.problem(name, 'is required');
      return members.objects(name, { max }).map((item) => readFields(fields, item));
    },
  };
}

function schemaOf(fields: Fields): Schema {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
    required: entries.flatMap(([name, { isRequired }]) => (isRequired === true ? [name] : [])),
  };
}

function readFields<F extends Fields>(fields: F, members: Members): ValuesOf<F> {
  const unknown = members.names.filter((name) => !Object.hasOwn(fields, name));
  for (const name of unknown) members.problem(name, NOT_KEPT);
  const values = Object.entries(fields).map(([name, field]) => [name, field.read(members, name)]);
  return Object.fromEntries(values) as ValuesOf<F>;
}

export const requiredText: Field<string> = {
  schema: { type: 'string' },
  isRequired: true,
  read: (members, name) => members.text(name),
};

export const optionalText: Field<string | undefined> = {
  schema: { type: 'string' },
  read: (members, name) => members.optionalText(name),
};

export const optionalTexts: Field<readonly string[] | undefined> = {
  schema: { type: 'array', items: { type: 'string' } },
  read: (members, name) => (members.has(name) ? members.texts(name, 'item') : undefined),
};

/** A message of DNS, in base64. */
export const octets: Field<Buffer> = {
  schema: { type: 'string', format: 'byte' },
  isRequired: true,
  read: (members, name) => Buffer.from(members.text(name), 'base64'),
};

export const optionalOctets: Field<Buffer | undefined> = {
  schema: { type: 'string', format: 'byte' },
  read: (members, name) => (members.has(name) ? octets.read(members, name) : undefined),
};

export const optionalFlag: Field<boolean | undefined> = {
  schema: { type: 'boolean' },
  read: (members, name) => {
    const value = members.raw(name);
    if (value === undefined || typeof value === 'boolean') return value;
    members.problem(name, 'must be true or false');
    return undefined;
  },
};

/** What Keystone keeps and this service does not: refused, so that nobody believes that it was kept, unless it says nothing. */
export function notKept(...empty: readonly unknown[]): Field<undefined> {
  const known = ['null', ...empty.map((value) => JSON.stringify(value))];
  return {
    schema: { enum: known.map((text) => JSON.parse(text) as unknown) },
    read: (members, name) => {
      const value = members.raw(name);
      if (value !== undefined && !known.includes(JSON.stringify(value))) {
        members.problem(name, NOT_KEPT);
      }
      return undefined;
    },
  };
}
