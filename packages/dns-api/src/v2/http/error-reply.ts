import type { Reply } from '@zonewright/http-api';
import { type ErrorKind, ServiceError } from '@zonewright/service-kit';
import { type ErrorAnswer, type ErrorDetails, toErrorAnswer } from '../../settings/errors.js';

/** Error types of v1 and their names in v2. */
const TYPES: Readonly<Record<string, string>> = {
  invalid_method: 'method_not_allowed',
  domain_not_found: 'zone_not_found',
  record_not_found: 'recordset_not_found',
  duplicate_domain: 'duplicate_zone',
  duplicate_record: 'duplicate_recordset',
  invalid_domain_name: 'invalid_zone_name',
  invalid_record_location: 'invalid_recordset_location',
};

/** In version 1 these objects are called domains and records. */
const NOT_FOUND: Readonly<Record<string, string>> = {
  zone: 'There is no zone with this id.',
  record: 'There is no recordset with this id in this zone.',
};

const MAX_SAID = 3;

/** Error type of Designate, in addition to ErrorDetails. */
interface V2ErrorDetails {
  readonly type: string;
}

export function isOfV2(path: string): boolean {
  return path === '/v2' || path.startsWith('/v2/');
}

/**
 * Renders an error as Designate v2 does: with v1's members and Designate's types. `invalid_object` is for the members
 * of a body alone. A wrong parameter, or a request that does not fit the state of its object, is a `bad_request`.
 */
export function toV2ErrorReply(error: unknown, requestId: string): Reply {
  const { status, headers, body } = toErrorAnswer(error, requestId);
  const details = error instanceof ServiceError ? (error.details ?? {}) : {};
  const { subject } = details as ErrorDetails;
  const type =
    (details as Partial<V2ErrorDetails>).type ?? typeOfSubject(error, subject) ?? typeOf(body);
  const message = (status === 404 ? NOT_FOUND[subject ?? ''] : undefined) ?? messageOf(body);
  return { status, headers, body: JSON.stringify({ ...body, type, message }) };
}

function typeOf({ type, errors }: ErrorAnswer['body']): string {
  if (type === 'invalid_object' && errors.length === 0) return 'bad_request';
  return TYPES[type] ?? type;
}

/** Clients of Designate show only the message, so it contains the first problems. */
function messageOf({ message, errors }: ErrorAnswer['body']): string {
  if (errors.length < 2) return message;
  const said = errors.slice(0, MAX_SAID).map((problem) => problem.message);
  const left = errors.length > MAX_SAID ? [message] : [];
  return [...said, ...left].join('\n');
}

function typeOfSubject(error: unknown, subject: string | undefined): string | undefined {
  if (!(error instanceof ServiceError) || subject === undefined) return undefined;
  return TYPES_BY_SUBJECT[error.kind]?.[subject];
}

/** Error types of Designate, by the name that domain code uses for the object. */
export const TYPES_BY_SUBJECT: Readonly<
  Partial<Record<ErrorKind, Readonly<Record<string, string>>>>
> = {
  'not-found': {
    export: 'zone_export_not_found',
    import: 'zone_import_not_found',
    transfer: 'zone_transfer_request_not_found',
    accept: 'zone_transfer_accept_not_found',
    share: 'shared_zone_not_found',
    tld: 'tld_not_found',
    blacklist: 'blacklist_not_found',
    tsigkey: 'tsigkey_not_found',
  },
  conflict: {
    transfer: 'duplicate_zone_transfer_request',
    share: 'duplicate_shared_zone',
    tld: 'duplicate_tld',
    blacklist: 'duplicate_blacklist',
    tsigkey: 'duplicate_tsigkey',
  },
  invalid: {
    transfer: 'invalid_zone_transfer_request',
    'zone-with-children': 'zone_has_sub_zone',
    parameter: 'bad_request',
    share: 'bad_request',
  },
  forbidden: { 'transfer-key': 'invalid_key' },
};
