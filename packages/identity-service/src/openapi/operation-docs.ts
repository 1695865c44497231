import { ACCESS_KEY_STATES } from '@zonewright/accounts';
import type { AnswerName } from './answers.js';
import type { FaultStatus } from './faults.js';
import type { JsonSchema } from './infer-schema.js';
import type { RequestName } from './request-schemas.js';

/** What the description says of an operation beyond its row of the route table. */
export interface OperationDoc {
  readonly status: number;
  readonly reads?: RequestName;
  /** Undefined: no body. */
  readonly answers?: AnswerName;
  /** An answer without an XML form. */
  readonly answersJson?: JsonSchema;
  /** Query parameters; all are optional. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  /** Request headers beside X-Auth-Token; all are required. */
  readonly headers?: readonly string[];
  /** Headers of the answer. */
  readonly answersHeaders?: readonly string[];
  /** Errors that the row of the table does not tell. */
  readonly faults?: readonly FaultStatus[];
}

const TEXT = { type: 'string' };
const USER_ID = { userId: TEXT };
const EXPORT = { export: { type: 'boolean', default: false } };
const SUBJECT = 'X-Subject-Token';
const NO_STORE = ['Cache-Control', 'Pragma', 'Expires'];

/** By the operation's name in the route table. */
export const OPERATION_DOCS: Readonly<Record<string, OperationDoc>> = {
  'List Versions': { status: 300, answers: 'Versions' },
  'Get Version 2.0': { status: 200, answers: 'Version2' },
  'Get Version 3': { status: 200, answers: 'Version3' },
  'List Extensions': { status: 200, answers: 'Extensions' },
  'Get Extension': { status: 200, answers: 'Extension' },
  'List Tenants': {
    status: 200,
    answers: 'Tenants',
    query: {
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
      marker: TEXT,
      name: TEXT,
    },
    faults: [404],
  },
  'Authenticate, Rescope Token': {
    status: 200,
    reads: 'Auth',
    answers: 'Access',
    answersHeaders: NO_STORE,
  },
  'Revoke Token': { status: 200 },
  'Revoke Token (core path)': { status: 204 },
  'Validate Token': {
    status: 200,
    answers: 'AccessWithoutCatalog',
    answersHeaders: NO_STORE,
    query: { belongsTo: TEXT },
  },
  'Check Token': { status: 204, answersHeaders: NO_STORE, query: { belongsTo: TEXT } },
  'List Token Endpoints': { status: 200, answers: 'Endpoints' },
  'Legacy Authentication': {
    status: 200,
    answers: 'AccessWithoutCatalog',
    headers: ['X-Auth-User', 'X-Auth-Key'],
    answersHeaders: [...NO_STORE, 'X-Auth-Token', 'X-Storage-Token', 'X-Storage-Url'],
  },
  'Create User Access Key': { status: 201, reads: 'NewAccessKey', answers: 'AccessKey' },
  'Delete User Access Key': { status: 204, query: USER_ID },
  'Get Access Keys': {
    status: 200,
    answers: 'AccessKeys',
    query: {
      ...USER_ID,
      ...EXPORT,
      domainId: TEXT,
      status: { enum: ACCESS_KEY_STATES },
      limit: { type: 'integer', minimum: 1, maximum: 250, default: 250 },
      marker: TEXT,
    },
    faults: [404],
  },
  'Get An Access Key': { status: 200, answers: 'AccessKey', query: { ...USER_ID, ...EXPORT } },
  'Import User Access Key': {
    status: 200,
    reads: 'ImportedAccessKeys',
    answers: 'AccessKeys',
    faults: [404, 409],
  },
  'Update User Access Key': {
    status: 200,
    reads: 'AccessKeyUpdate',
    answers: 'AccessKey',
    query: USER_ID,
  },
  'v3 Authenticate, v3 Rescope Token': {
    status: 201,
    reads: 'V3Auth',
    answers: 'V3Token',
    answersHeaders: [...NO_STORE, SUBJECT],
  },
  'v3 Validate Token': {
    status: 200,
    answers: 'V3Token',
    headers: [SUBJECT],
    answersHeaders: [...NO_STORE, SUBJECT],
    faults: [404],
  },
  'v3 Check Token': {
    status: 200,
    headers: [SUBJECT],
    answersHeaders: [...NO_STORE, SUBJECT],
    faults: [404],
  },
  'v3 Revoke Token': { status: 204, headers: [SUBJECT], faults: [404] },
  'v3 List Projects': { status: 200, answers: 'V3Projects' },
  "v3 List a User's Projects": { status: 200, answers: 'V3Projects' },
  'v3 Get Catalog': { status: 200, answers: 'V3Catalog' },
  'Describe the API': { status: 200, answersJson: { type: 'object' } },
};
