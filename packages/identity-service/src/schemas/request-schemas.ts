import {
  ACCESS_KEY_ALGORITHMS,
  ACCESS_KEY_LENGTH,
  DEFAULT_ACCESS_KEY_ALGORITHM,
} from '@zonewright/database';
import type { Schema } from '@zonewright/http-api';
import { EXTENSION_NAMESPACE, V2_NAMESPACE, V3_NAMESPACE } from '../representation/namespaces.js';

const element = { type: 'string' };
const attribute = { ...element, xml: { attribute: true } };
const id = { type: ['string', 'integer'], xml: { attribute: true } };
const moment = {
  type: ['string', 'integer'],
  description: 'YYYY-MM-DDThh:mm:ss, with or without an offset, or milliseconds since 1970',
  xml: { attribute: true },
};
const status = { enum: ['active', 'inactive'], default: 'active', xml: { attribute: true } };

function object(properties: Readonly<Record<string, Schema>>, required: readonly string[]) {
  return { type: 'object', properties, required };
}

const reference = object({ id, name: attribute }, []);
const named = { id, name: attribute, domain: reference };

const texts = { type: 'array', items: { type: 'string' } };
const accessRule = object(
  { zone: element, name: { ...element, default: '**' }, types: texts, actions: texts },
  ['zone', 'actions'],
);
const accessRules = { type: 'array', minItems: 1, maxItems: 100, items: accessRule };
const otherAttributes = object(
  {
    name: { ...element, maxLength: 255 },
    description: { ...element, maxLength: 1024 },
    restrictions: object(
      {
        tenantId: element,
        rules: accessRules,
        networks: { ...texts, maxItems: 32 },
        massDelete: { type: 'boolean', default: false },
      },
      [],
    ),
    preset: {
      enum: ['acme'],
      description: 'Alternative to restrictions, with the next four members',
    },
    zone: element,
    tenantId: element,
    networks: { ...texts, maxItems: 32 },
    massDelete: { type: 'boolean', default: false },
  },
  [],
);
const keyMembers = {
  userId: id,
  status,
  validFrom: moment,
  validTo: moment,
  otherAttributes,
  restrictions: {
    ...element,
    description: 'XML only: otherAttributes.restrictions as JSON',
  },
};
const importedKey = {
  ...keyMembers,
  accessKeyId: { ...attribute, minLength: 1, maxLength: 999 },
  secretKey: { ...element, minLength: 1, maxLength: 999 },
  algorithm: { ...element, minLength: 1, maxLength: 255 },
  keyLength: { type: 'integer' },
};

/** Request bodies without their root, which is a member in JSON and the element itself in XML. */
export const REQUESTS = {
  Auth: {
    root: 'auth',
    namespace: V2_NAMESPACE,
    schema: {
      ...object(
        {
          passwordCredentials: object({ username: attribute, password: attribute }, [
            'username',
            'password',
          ]),
          apiAccessKeyCredentials: object({ accessKey: attribute, secretKey: attribute }, [
            'accessKey',
            'secretKey',
          ]),
          token: object({ id: attribute }, ['id']),
          tenantId: id,
          tenantName: attribute,
        },
        [],
      ),
      oneOf: ['passwordCredentials', 'apiAccessKeyCredentials', 'token'].map((name) => ({
        required: [name],
      })),
    },
  },
  V3Auth: {
    root: 'auth',
    namespace: V3_NAMESPACE,
    schema: object(
      {
        identity: object(
          {
            methods: {
              type: 'array',
              minItems: 1,
              maxItems: 1,
              items: {
                enum: ['password', 'token', 'accessKey', 'application_credential'],
                xml: { name: 'method' },
              },
              xml: { wrapped: true },
            },
            password: object({ user: object({ ...named, password: attribute }, ['password']) }, [
              'user',
            ]),
            token: object({ id: attribute }, ['id']),
            accessKey: object({ accessKey: attribute, secretKey: attribute }, [
              'accessKey',
              'secretKey',
            ]),
            application_credential: object(
              { id: attribute, name: attribute, user: object(named, []), secret: attribute },
              ['secret'],
            ),
          },
          ['methods'],
        ),
        scope: { anyOf: [{ const: 'unscoped' }, object({ project: object(named, []) }, [])] },
      },
      ['identity'],
    ),
  },
  NewAccessKey: {
    root: 'accessKey',
    namespace: EXTENSION_NAMESPACE,
    schema: object(
      {
        ...keyMembers,
        algorithm: { enum: ACCESS_KEY_ALGORITHMS, default: DEFAULT_ACCESS_KEY_ALGORITHM },
        keyLength: { type: 'integer', multipleOf: 8, ...ACCESS_KEY_LENGTH },
      },
      [],
    ),
  },
  ImportedAccessKeys: {
    root: 'accessKeys',
    namespace: EXTENSION_NAMESPACE,
    schema: object(
      {
        accessKey: {
          type: 'array',
          minItems: 1,
          items: object(importedKey, ['secretKey', 'algorithm']),
        },
      },
      ['accessKey'],
    ),
  },
  NewApplicationCredential: {
    root: 'application_credential',
    namespace: V3_NAMESPACE,
    schema: object(
      {
        name: { ...attribute, minLength: 1, maxLength: 255 },
        description: { ...element, maxLength: 1024 },
        secret: { ...element, minLength: 1, maxLength: 999 },
        expires_at: moment,
        unrestricted: { const: false },
        roles: { type: 'array', items: reference, description: 'All roles of the user, or none' },
        access_rules: accessRules,
      },
      ['name'],
    ),
  },
  AccessKeyUpdate: {
    root: 'accessKey',
    namespace: EXTENSION_NAMESPACE,
    schema: object({ status: { enum: status.enum, xml: { attribute: true } } }, ['status']),
  },
} as const;

export type RequestName = keyof typeof REQUESTS;
