import type { Extra } from '@zonewright/accounts';
import { Members, type Schema } from '@zonewright/http-api';

/** Member of a body: its schema and how to read it. */
interface Field<T> {
  readonly schema: Schema;
  readonly isRequired?: true;
  /** Reads the member and reports its problems to `members`. */
  readonly read: (members: Members, name: string) => T;
}

const NOT_KEPT = 'is not supported by this service; leave it out';

type Fields = Readonly<Record<string, Field<unknown>>>;
type ValuesOf<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** JSON body with one root. */
interface JsonBody<T> {
  readonly schema: Schema;
  /** @throws ServiceError `invalid` with all problems */
  readonly read: (body: unknown) => T;
}

/** Unknown members are rejected. */
function jsonBody<F extends Fields>(root: string, fields: F): JsonBody<ValuesOf<F>> {
  return {
    schema: { type: 'object', properties: { [root]: schemaOf(fields) }, required: [root] },
    read: (body) => Members.read(body, (members) => readFields(fields, members.object(root))),
  };
}

/** Members that a client stores with an object. */
interface WithExtra {
  /** Undefined if there are none. */
  readonly extra: Extra | undefined;
}

/** Names of members that would be stored and shown in plain text. */
const SECRET = /pass|secret/i;

/** Reads an object with which a client may store other members, as in Keystone. */
function openBody<F extends Fields>(root: string, fields: F): JsonBody<ValuesOf<F> & WithExtra> {
  return {
    schema: { type: 'object', properties: { [root]: schemaOf(fields) }, required: [root] },
    read: (body) =>
      Members.read(body, (members) => {
        const object = members.object(root);
        const others = object.others(Object.keys(fields));
        const names = Object.keys(others);
        for (const name of names) if (SECRET.test(name)) object.problem(name, NOT_KEPT);
        const extra = names.length === 0 ? undefined : others;
        return { ...valuesOf(fields, object), extra };
      }),
  };
}

/** Required list of objects with the given members. */
function listOf<F extends Fields>(fields: F, max: number): Field<readonly ValuesOf<F>[]> {
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
  return valuesOf(fields, members);
}

function valuesOf<F extends Fields>(fields: F, members: Members): ValuesOf<F> {
  const values = Object.entries(fields).map(([name, field]) => [name, field.read(members, name)]);
  return Object.fromEntries(values) as ValuesOf<F>;
}

const requiredText: Field<string> = {
  schema: { type: 'string' },
  isRequired: true,
  read: (members, name) => members.text(name),
};

const optionalText: Field<string | undefined> = {
  schema: { type: 'string' },
  read: (members, name) => members.optionalText(name),
};

const optionalTexts: Field<readonly string[] | undefined> = {
  schema: { type: 'array', items: { type: 'string' } },
  read: (members, name) => (members.has(name) ? members.texts(name, 'item') : undefined),
};

/** DNS message in base64. */
const octets: Field<Buffer> = {
  schema: { type: 'string', format: 'byte' },
  isRequired: true,
  read: (members, name) => Buffer.from(members.text(name), 'base64'),
};

const optionalOctets: Field<Buffer | undefined> = {
  schema: { type: 'string', format: 'byte' },
  read: (members, name) => (members.has(name) ? octets.read(members, name) : undefined),
};

const optionalFlag: Field<boolean | undefined> = {
  schema: { type: 'boolean' },
  read: (members, name) => {
    const value = members.raw(name);
    if (value === undefined || typeof value === 'boolean') return value;
    members.problem(name, 'must be true or false');
    return undefined;
  },
};

const ignored: Field<undefined> = { schema: {}, read: () => undefined };

/**
 * Member that Keystone stores and this service does not. Only empty values are accepted, so that nobody expects it to
 * be stored.
 */
function notKept(...empty: readonly unknown[]): Field<undefined> {
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

/** Members of the answers, which some clients send back. They have no effect. */
const REPEATED = { id: optionalText, links: ignored };

const NOT_KEPT_OF_PROJECT = {
  is_domain: notKept(false),
  options: notKept({}),
};

export const NEW_PROJECT = openBody('project', {
  name: requiredText,
  domain_id: optionalText,
  description: optionalText,
  tags: optionalTexts,
  enabled: optionalFlag,
  parent_id: optionalText,
  ...NOT_KEPT_OF_PROJECT,
});

export const PROJECT_CHANGE = openBody('project', {
  ...REPEATED,
  name: optionalText,
  description: optionalText,
  tags: optionalTexts,
  enabled: optionalFlag,
  parent_id: notKept(),
  domain_id: notKept(),
  ...NOT_KEPT_OF_PROJECT,
});

const NOT_KEPT_OF_USER = {
  password_expires_at: notKept(),
  options: notKept({}),
  federated: notKept([]),
};

export const NEW_USER = openBody('user', {
  name: requiredText,
  domain_id: optionalText,
  password: optionalText,
  description: optionalText,
  email: optionalText,
  default_project_id: optionalText,
  enabled: optionalFlag,
  ...NOT_KEPT_OF_USER,
});

export const USER_CHANGE = openBody('user', {
  ...REPEATED,
  name: optionalText,
  password: optionalText,
  description: optionalText,
  email: optionalText,
  default_project_id: optionalText,
  enabled: optionalFlag,
  domain_id: notKept(),
  ...NOT_KEPT_OF_USER,
});

export const OWN_PASSWORD = jsonBody('user', {
  original_password: requiredText,
  password: requiredText,
});

const OF_ROLE = {
  ...REPEATED,
  description: optionalText,
  domain_id: notKept(),
  options: notKept({}),
};

export const NEW_ROLE = openBody('role', { ...OF_ROLE, name: requiredText });

export const ROLE_CHANGE = openBody('role', { ...OF_ROLE, name: optionalText });

export const TSIG_CHECK = jsonBody('tsig', {
  message: octets,
  source: requiredText,
  tenant_id: optionalText,
});

/** Maximum number of messages in one exchange. */
const MAX_EXCHANGES = 256;

export const TSIG_EXCHANGE = jsonBody('tsig', {
  requests: listOf(
    {
      message: octets,
      source: requiredText,
      tenant_id: optionalText,
      answer: optionalOctets,
    },
    MAX_EXCHANGES,
  ),
});

export const TSIG_ANSWER = jsonBody('tsig', {
  request: octets,
  answer: octets,
  is_late: optionalFlag,
});

/** Maximum number of messages in one transfer: that of 3,000,000 bytes is 47 or 48. */
const MAX_TRANSFER_MESSAGES = 256;

export const TSIG_TRANSFER = jsonBody('tsig', {
  request: octets,
  answers: listOf({ message: octets }, MAX_TRANSFER_MESSAGES),
});

export const PRESENTED_KEY = jsonBody('access_key', {
  id: requiredText,
  secret: requiredText,
  source: requiredText,
});

/** Request bodies by the name of their schema. */
export const JSON_REQUESTS = {
  V3NewProject: NEW_PROJECT.schema,
  V3ProjectChange: PROJECT_CHANGE.schema,
  V3NewUser: NEW_USER.schema,
  V3UserChange: USER_CHANGE.schema,
  V3OwnPassword: OWN_PASSWORD.schema,
  V3NewRole: NEW_ROLE.schema,
  V3RoleChange: ROLE_CHANGE.schema,
  TsigCheck: TSIG_CHECK.schema,
  TsigAnswer: TSIG_ANSWER.schema,
  TsigExchange: TSIG_EXCHANGE.schema,
  TsigTransfer: TSIG_TRANSFER.schema,
  ShownKey: PRESENTED_KEY.schema,
} as const satisfies Readonly<Record<string, Schema>>;

export type JsonRequestName = keyof typeof JSON_REQUESTS;
