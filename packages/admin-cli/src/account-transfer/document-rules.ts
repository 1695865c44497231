import {
  isImportable,
  isImportableAlgorithm,
  isKeyName,
  isRestriction,
  MAX_ALGORITHM_LENGTH,
  MAX_KEY_NAME_LENGTH,
} from '@zonewright/accounts';
import { MX_TARGET_CHECKS, type MxTargetCheck, RECORD_FLAGS } from '@zonewright/zones';
import { nullable, optional, type Rule, RULES } from './check-members.js';

/** The members of each part of a document. A test compares them with docs/account-export.schema.json. */
export const PART_RULES = {
  accountDomain: {
    id: RULES.id,
    name: RULES.name,
    status: RULES.status,
    statusCode: nullable(RULES.count),
  },
  users: {
    id: RULES.id,
    name: RULES.name,
    status: RULES.status,
    passwordHash: nullable(RULES.secret),
    password: optional(RULES.text),
    tokensValidAfter: nullable(RULES.time),
    createdAt: optional(RULES.time),
  },
  tenants: {
    id: RULES.id,
    name: RULES.name,
    displayName: nullable(RULES.text),
    description: nullable(RULES.text),
    enabled: RULES.flag,
    services: RULES.texts,
    quota: nullable({
      what: 'must be an object with maxDomains and maxDomainRecords, each a number or null, and optionally mxTargetCheck',
      test: (value) =>
        typeof value === 'object' &&
        Object.entries(value ?? {}).every(
          ([name, limit]) =>
            (['maxDomains', 'maxDomainRecords'].includes(name) &&
              (limit === null || RULES.count.test(limit))) ||
            (name === 'mxTargetCheck' && MX_TARGET_CHECKS.includes(limit as MxTargetCheck)),
        ),
    }),
    createdAt: optional(RULES.time),
  },
  roleAssignments: { user: RULES.id, role: RULES.name, tenant: nullable(RULES.id) },
  accessKeys: {
    id: {
      what: 'must be a string of 1 to 999 characters',
      test: (value) => RULES.text.test(value) && isImportable(value as string),
    },
    user: RULES.id,
    algorithm: {
      what: `must be a string of 1 to ${MAX_ALGORITHM_LENGTH} characters`,
      test: (value) => RULES.text.test(value) && isImportableAlgorithm(value as string),
    },
    keyLength: nullable(RULES.count),
    status: RULES.keyStatus,
    validFrom: RULES.time,
    validTo: RULES.time,
    secret: optional(RULES.secret),
    name: optional({
      what: `must be a string of 1 to ${MAX_KEY_NAME_LENGTH} characters`,
      test: (value) => RULES.text.test(value) && isKeyName(value as string),
    }),
    description: optional(RULES.text),
    restriction: optional({
      what: 'must be the restrictions of an access key, with its tenantId',
      test: (value) => isRestriction(value),
    }),
    createdAt: optional(RULES.time),
  },
  domains: {
    id: RULES.uuid,
    tenant: RULES.id,
    name: RULES.text,
    displayName: optional(RULES.text),
    email: RULES.text,
    ttl: RULES.count,
    description: nullable(RULES.text),
    serial: optional(RULES.serial),
    version: optional(RULES.count),
    createdAt: optional(RULES.time),
    updatedAt: nullable(RULES.time),
    records: RULES.list,
  },
  records: {
    id: RULES.uuid,
    name: RULES.text,
    type: RULES.text,
    data: RULES.text,
    ttl: nullable(RULES.count),
    priority: nullable(RULES.count),
    description: nullable(RULES.text),
    flags: optional({
      what: 'must be an object with disabled, expiresAt and tags, as in the DNS API',
      test: (value) => RECORD_FLAGS.isStored(value),
    }),
    version: optional(RULES.count),
    createdAt: optional(RULES.time),
    updatedAt: nullable(RULES.time),
  },
} satisfies Record<string, Readonly<Record<string, Rule>>>;
