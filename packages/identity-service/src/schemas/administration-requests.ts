import type { Schema } from '@zonewright/http-api';
import {
  jsonBody,
  notKept,
  octets,
  optionalOctets,
  listOf,
  optionalFlag,
  optionalText,
  optionalTexts,
  requiredText,
} from './json-body.js';

const NOT_KEPT_OF_PROJECT = {
  is_domain: notKept(false),
  options: notKept({}),
};

export const NEW_PROJECT = jsonBody('project', {
  name: requiredText,
  domain_id: optionalText,
  description: optionalText,
  tags: optionalTexts,
  enabled: optionalFlag,
  parent_id: optionalText,
  ...NOT_KEPT_OF_PROJECT,
});

/** Some clients say in the body, too, what the path is about. */
const REPEATED = { id: optionalText };

export const PROJECT_CHANGE = jsonBody('project', {
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
  options: notKept({}),
  federated: notKept([]),
};

export const NEW_USER = jsonBody('user', {
  name: requiredText,
  domain_id: optionalText,
  password: optionalText,
  description: optionalText,
  email: optionalText,
  default_project_id: optionalText,
  enabled: optionalFlag,
  ...NOT_KEPT_OF_USER,
});

export const USER_CHANGE = jsonBody('user', {
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

export const NAMED_ROLE = jsonBody('role', {
  ...REPEATED,
  name: requiredText,
  domain_id: notKept(),
  description: notKept(''),
  options: notKept({}),
});

export const TSIG_CHECK = jsonBody('tsig', {
  message: octets,
  source: requiredText,
  tenant_id: optionalText,
});

/** As many as one service has under way. */
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

export const SHOWN_KEY = jsonBody('access_key', {
  id: requiredText,
  secret: requiredText,
  source: requiredText,
});

/** What is read, by the name of its schema. */
export const JSON_REQUESTS = {
  V3NewProject: NEW_PROJECT.schema,
  V3ProjectChange: PROJECT_CHANGE.schema,
  V3NewUser: NEW_USER.schema,
  V3UserChange: USER_CHANGE.schema,
  V3OwnPassword: OWN_PASSWORD.schema,
  V3NamedRole: NAMED_ROLE.schema,
  TsigCheck: TSIG_CHECK.schema,
  TsigAnswer: TSIG_ANSWER.schema,
  TsigExchange: TSIG_EXCHANGE.schema,
  ShownKey: SHOWN_KEY.schema,
} as const satisfies Readonly<Record<string, Schema>>;

export type JsonRequestName = keyof typeof JSON_REQUESTS;
