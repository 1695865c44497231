import type { Reply } from '@zonewright/http-api';
import { type ErrorKind, ServiceError } from '@zonewright/service-kit';
import type { Caller } from '@zonewright/zones';
import type { Context } from '../context/context.js';
import { toErrorAnswer } from '../settings/errors.js';
import type { Operation, TenantRequest } from '../http/operation.js';
import { jsonReply, type StoredReply } from '../http/reply.js';
import { readWholeName } from './change-name.js';
import { isChallengeValue, presentChallenge, readApiKey } from './challenges.js';

/** The number of values that a name keeps, because a name and its wildcard are validated at the same time. */
const KEPT_VALUES = 2;

const COMMON = {
  method: 'POST',
  access: 'key',
  restricted: 'by-rules',
  readKey: readApiKey,
  body: 'json',
  source: 'acme',
  renderError,
} as const;

/**
 * The protocol of acme-dns. An account is a restricted access key, and its subdomain is the full name whose TXT it may write: a
 * separate zone for challenges is not needed.
 *
 * @see https://github.com/joohoi/acme-dns
 */
export const ACME_DNS_OPERATIONS: readonly Operation[] = [
  {
    ...COMMON,
    id: 'acmeDnsUpdate',
    name: 'Update TXT (acme-dns)',
    path: '/acme-dns/update',
    handle: updateText,
  },
  {
    ...COMMON,
    id: 'acmeDnsRegister',
    name: 'Show Account (acme-dns)',
    path: '/acme-dns/register',
    body: 'none',
    status: 201,
    handle: showAccount,
  },
];

/** An error that a handler detects itself, with its acme-dns error word. */
class AcmeDnsFault extends Error {
  readonly status: number;
  readonly word: string;

  constructor(status: number, word: string) {
    super(word);
    this.status = status;
    this.word = word;
  }
}

async function updateText(context: Context, request: TenantRequest): Promise<StoredReply> {
  const { subdomain, txt } = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  const name = typeof subdomain === 'string' ? readWholeName(subdomain) : undefined;
  if (name === undefined) throw new AcmeDnsFault(400, 'bad_subdomain');
  if (!isChallengeValue(txt)) throw new AcmeDnsFault(400, 'bad_txt');
  await presentChallenge(context, request, { name, value: txt }, KEPT_VALUES);
  return jsonReply({ txt });
}

/**
 * Returns the account of the key in the request. A new account would be a new access key, which only its owner creates.
 * The rules of the key must name a single name, since clients do not send one.
 */
function showAccount(_context: Context, request: TenantRequest): Promise<StoredReply> {
  const { caller, header } = request;
  const name = onlyNameOf(caller);
  if (name === undefined) throw new AcmeDnsFault(403, 'the_key_is_for_more_than_one_name');
  const shown = readApiKey({
    authorization: header('authorization'),
    'x-api-user': header('x-api-user'),
    'x-api-key': header('x-api-key'),
  });
  const fulldomain = name.slice(0, -1);
  const reply = jsonReply({
    username: shown?.id,
    password: shown?.secret,
    fulldomain,
    subdomain: fulldomain,
    allowfrom: caller.key?.networks ?? [],
  });
  return Promise.resolve({ ...reply, status: 201 });
}

/** Returns the only name whose TXT records a key may write, or undefined if there are several. */
function onlyNameOf({ key }: Caller): string | undefined {
  const [rule, ...others] = key?.rules ?? [];
  if (rule === undefined || others.length > 0 || `${rule.zone}.${rule.name}`.includes('*')) {
    return undefined;
  }
  return rule.name === '@' ? rule.zone : `${rule.name}.${rule.zone}`;
}

const WORDS: Readonly<Partial<Record<ErrorKind, string>>> = {
  unauthenticated: 'forbidden',
  forbidden: 'forbidden',
  'not-found': 'bad_subdomain',
  'rate-limited': 'too_many_requests',
};

/** Renders `{"error": "…"}`, with the error word of acme-dns if there is one. */
function renderError(error: unknown, requestId: string): Reply {
  if (error instanceof AcmeDnsFault) return errorReply(error.status, error.word);
  const { status, headers, body } = toErrorAnswer(error, requestId);
  const isJson = body.type === 'invalid_json';
  const word = error instanceof ServiceError ? WORDS[error.kind] : undefined;
  const fallback = status >= 500 ? 'db_error' : body.type;
  return errorReply(
    word === 'bad_subdomain' ? 400 : status,
    isJson ? 'malformed_json_payload' : (word ?? fallback),
    headers,
  );
}

function errorReply(status: number, word: string, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ error: word }),
  };
}
