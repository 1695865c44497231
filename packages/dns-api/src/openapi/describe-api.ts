import {
  type ApiDescription,
  buildOpenApiDocument,
  type Content,
  type HeaderParameter,
  MEDIA_TYPES,
  ref,
} from '@zonewright/http-api';
import type { Operation } from '../http/operation.js';
import { NOTE_HEADER } from '../http/reply.js';
import { DRY_RUN } from '../http/read-query.js';
import { EXAMPLES } from './examples.js';
import { FLAG } from '../http/parameters.js';
import { SCHEMAS } from './schemas.js';

/** The statuses of DNS API, section 7, and of D-ZONE. */
const ERRORS: Readonly<Record<number, string>> = {
  400: 'Malformed request; errors lists all problems',
  401: 'No valid token, or one without the required privilege',
  403: 'Disabled or suspended user, or not allowed',
  404: 'No such domain or record',
  406: 'The response has no acceptable type',
  409: 'Duplicate domain or record, or a conflict with existing ones',
  412: 'Changed in the meantime (If-Match), or without an ETag',
  413: 'Over quota, or a body that is too large',
  415: 'The type of the body is not supported',
  429: 'Write or request limit of the project exceeded; Retry-After says when to try again',
  500: 'Server problem',
  503: 'Server unavailable; Retry-After says when to try again',
};

const API: ApiDescription<Operation> = {
  title: 'DNS API',
  version: '1',
  description:
    'Domains and records, authoritative nameservers and limits. With `Prefer: wait=5` the response to a change waits until all live nameservers have published it, for at most 5 s. X-Zonewright-Published has the numbers.',
  token: { description: 'A token of the identity service, scoped to a project.' },
  parameter: { type: 'string', format: 'uuid' },
  schemas: SCHEMAS,
  responses: {},
  headersOf,
  requestOf,
  successOf,
  faultsOf,
};

/** Returns the OpenAPI description of the operations. */
export function describeApi(operations: readonly Operation[], baseUrl: string) {
  const described = operations.map((operation) =>
    isRead(operation) || operation.access === 'nameserver'
      ? operation
      : { ...operation, query: { [DRY_RUN]: FLAG, ...operation.query } },
  );
  return buildOpenApiDocument(API, described, baseUrl);
}

function isRead({ method, onlyReads }: Operation): boolean {
  return method === 'GET' || onlyReads === true;
}

function headersOf({ method, onlyReads, path, answers = '' }: Operation): HeaderParameter[] {
  if (onlyReads === true) return [];
  if (method === 'GET') {
    return TAGGED.has(answers) ? [{ name: 'If-None-Match', required: false }] : [];
  }
  // Only operations on a domain or record have an ETag.
  const isConditional = path.includes('{');
  const names = [
    ...(method === 'POST' ? ['Idempotency-Key'] : []),
    ...(isConditional ? ['If-Match'] : []),
    'Prefer',
    NOTE_HEADER,
  ];
  return names.map((name) => ({ name, required: false }));
}

function requestOf({ body, reads }: Operation): Content | undefined {
  if (reads === undefined) return undefined;
  const text = { 'text/dns': { schema: { type: 'string' } } };
  return { ...json(reads), ...(body === 'zone-file' ? text : {}) };
}

const text = { type: 'string' };

const WRITE_HEADERS = {
  'X-Zonewright-Serial': {
    description:
      'Serial of the domain after the change, to query its publication. Not present on a dry run.',
    schema: { type: 'integer' },
  },
  'X-Zonewright-Dry-Run': {
    description: 'Present on a dry run only: nothing was changed.',
    schema: { const: 'true' },
  },
  'X-Zonewright-Warning': {
    description:
      'mixed-ttl: records of one name and type now have different TTLs; all are published with the lowest.',
    schema: { const: 'mixed-ttl' },
  },
  // These headers are sent only if the request preferred to wait (RFC 7240, section 3).
  'Preference-Applied': { schema: { const: 'wait' } },
  'X-Zonewright-Publication': {
    description:
      'Publication of the change: published or pending, and the number of nameservers that have published it, of live ones, and of all. For example: published; applied=1; live=1; total=6.',
    schema: text,
  },
  'X-Zonewright-Published': {
    description: 'Short form, applied / total: 6/6.',
    schema: text,
  },
};
const ETAG = {
  ETag: {
    description:
      'ETag: the serial of a domain, the version of a record, or for a list of records a value that changes with the domain. Not present on a dry run.',
    schema: text,
  },
};
const LOCATION = {
  Location: {
    description: 'URL of the object. Absent on a dry run.',
    schema: { ...text, format: 'uri' },
  },
};

const LINK = {
  Link: {
    description: 'URL of the next page with rel="next", if there may be one (RFC 8288).',
    schema: text,
  },
};
const TOTAL = {
  'X-Total-Count': {
    description: 'Total number of items, if the request has total=true.',
    schema: { type: 'integer' },
  },
};

/** The schemas with an ETag: responses with one object, and some lists. */
const TAGGED: ReadonlySet<string> = new Set(['Domain', 'RestoredDomain', 'Record', 'Records']);

function successOf(operation: Operation) {
  const headers = {
    ...(TAGGED.has(operation.answers ?? '') ? ETAG : {}),
    ...(operation.creates === true ? LOCATION : {}),
    ...(isRead(operation) ? headersOfList(operation) : WRITE_HEADERS),
  };
  const answer = describeAnswer(operation);
  return Object.keys(headers).length === 0 ? answer : { ...answer, headers };
}

function headersOfList({ path, query = {} }: Operation) {
  return {
    // Version 2 has links in the body.
    ...('limit' in query && path.startsWith('/v1') ? LINK : {}),
    ...('total' in query ? TOTAL : {}),
  };
}

function describeAnswer({ types, answers }: Operation) {
  const type = types?.[0];
  if (answers !== undefined) return { description: 'Success', content: json(answers, type) };
  return type === undefined
    ? { description: 'Success, without a body' }
    : { description: 'Success', content: { [type]: { schema: { type: 'string' } } } };
}

/** Returns the error responses of an operation. Tests cause each of them (scripts/check-answers.mjs). */
function faultsOf(operation: Operation) {
  const { access, method, path, query = {}, faults = [] } = operation;
  const statuses = [
    406,
    ...(access === 'public' ? [] : [401, 403, 500, 503]),
    ...(Object.keys(query).length > 0 ? [400] : []),
    // A project id is never unknown, so there is no 404.
    ...(/\{(?!project_id)/.test(path) ? [404] : []),
    ...(method === 'GET' ? [] : faultsOfWrite(operation)),
    ...faults,
  ];
  const described: Record<number, object> = {};
  for (const status of statuses) {
    const description = ERRORS[status];
    described[status] = { description, ...errorHeaders(status), content: json('Error') };
  }
  return { ...notModifiedOf(operation), ...described };
}

function faultsOfWrite({ path, body, onlyReads }: Operation): number[] {
  return [
    ...[400, ...(body === 'none' ? [] : [413, 415])],
    ...(onlyReads === true ? [] : [429, ...(path.includes('{') ? [412] : [])]),
  ];
}

function notModifiedOf({ method, answers = '' }: Operation) {
  if (method !== 'GET' || !TAGGED.has(answers)) return {};
  return { 304: { description: 'Not modified: the ETag matches If-None-Match', headers: ETAG } };
}

function errorHeaders(status: number) {
  if (status !== 503 && status !== 429) return {};
  const description = 'Seconds to wait before the next attempt.';
  return { headers: { 'Retry-After': { description, schema: { type: 'integer' } } } };
}

function json(schema: string, type: string = MEDIA_TYPES.json): Content {
  const example = EXAMPLES[schema];
  return {
    [type]: {
      schema: ref('schemas', schema),
      ...(example === undefined ? {} : { example }),
    },
  };
}
