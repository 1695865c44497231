import { Members } from '../bodies/members.js';
import { element, represent, type Representation } from '../bodies/representation.js';
import { MEDIA_TYPES } from '../messages/media-types.js';
import type { Content, Schema } from './operation.js';

/** Member of a body: its schema and how to read it. */
interface Field<T extends string | number> {
  readonly schema: Schema;
  /** Reads the member and reports its problems to `members`. */
  readonly read: (members: Members, name: string) => T;
}

type Fields = Readonly<Record<string, Field<string | number>>>;
type ValuesOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** Body that is read and written by its description, in JSON and in XML. */
export interface Form<T> {
  /** Schema for the description of the API. */
  readonly content: Content;
  /** @throws ServiceError `invalid` with all problems. */
  readonly read: (body: unknown) => T;
  readonly represent: (value: T) => Representation;
}

export function text({ maxLength }: { readonly maxLength: number }): Field<string> {
  return {
    schema: { type: 'string', minLength: 1, maxLength },
    read: (members, name) => {
      const value = members.text(name);
      if (value.length > maxLength) {
        members.problem(name, `must have at most ${maxLength} characters`);
      }
      return value;
    },
  };
}

/** Body with required members in one root. In XML, the members are elements. */
export function form<F extends Fields>(
  root: string,
  { namespace, fields }: { readonly namespace: string; readonly fields: F },
): Form<ValuesOf<F>> {
  const names = Object.keys(fields);
  const properties = Object.fromEntries(names.map((name) => [name, fields[name]?.schema]));
  const schema = { type: 'object', properties, required: names };
  const shape = names.map((name) => element<ValuesOf<F>>(name, (value) => value[name]));
  const resource = { root, namespace, wrappedInJson: true, shape };
  return {
    content: {
      [MEDIA_TYPES.json]: {
        schema: { type: 'object', properties: { [root]: schema }, required: [root] },
      },
      [MEDIA_TYPES.xml]: { schema: { ...schema, xml: { name: root, namespace } } },
    },
    read: (body) =>
      Members.read(body, (members) => {
        const inner = members.object(root);
        const read = names.map((name) => [name, fields[name]?.read(inner, name)]);
        return Object.fromEntries(read) as ValuesOf<F>;
      }),
    represent: (value) => represent(resource, value),
  };
}
