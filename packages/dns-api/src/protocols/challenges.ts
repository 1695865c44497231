import type { IncomingHttpHeaders } from 'node:http';
import type { ZoneRecord } from '@zonewright/zones';
import type { PresentedAccessKey } from '../access/key-client.js';
import type { Context } from '../context/context.js';
import type { TenantRequest } from '../http/operation.js';
import { addition, changeName, deletion, hasRdata, TTL_SECONDS } from './change-name.js';

/** The base64url of a SHA-256 digest (RFC 8555, section 8.4). */
const VALUE_FORM = /^[\w-]{43}$/;

/** An ACME challenge: a text at a name. */
export interface Challenge {
  /** The canonical name. */
  readonly name: string;
  readonly value: string;
}

export function isChallengeValue(value: unknown): value is string {
  return typeof value === 'string' && VALUE_FORM.test(value);
}

/**
 * The preference for a challenge: an authority queries as soon as it is notified, so the response waits until all
 * running nameservers have the challenge.
 */
const UNTIL_PUBLISHED = 'wait=5';

/**
 * Adds a challenge to existing ones, because a name and its wildcard have separate challenges at the same name.
 * @param most the limit above which the oldest are removed
 */
export async function presentChallenge(
  context: Context,
  request: TenantRequest,
  { name, value }: Challenge,
  most = Infinity,
): Promise<void> {
  const wanted = addition(name, 'TXT', `"${value}"`, TTL_SECONDS);
  await changeName(context, request, {
    name,
    prefer: UNTIL_PUBLISHED,
    plan: (there) => {
      const others = there.filter((each) => isChallenge(each) && !hasRdata(each, wanted));
      const gone = others.slice(0, Math.max(0, others.length + 1 - most));
      return [...gone.map((each) => deletion(each, 'TXT')), wanted];
    },
  });
}

/** Removes a challenge. A missing record is not an error. */
export async function removeChallenge(
  context: Context,
  request: TenantRequest,
  { name, value }: Challenge,
): Promise<void> {
  const unwanted = addition(name, 'TXT', `"${value}"`, TTL_SECONDS);
  await changeName(context, request, {
    name,
    plan: (there) =>
      there.filter((each) => hasRdata(each, unwanted)).map((each) => deletion(each, 'TXT')),
  });
}

/**
 * Returns whether a record is a challenge. No other TXT record may be removed, because the key's name may have some.
 */
function isChallenge({ type, data }: ZoneRecord): boolean {
  return type === 'TXT' && VALUE_FORM.test(data.replaceAll(/^"|"$/g, ''));
}

/** The limit exceeds every id and secret of the identity service, and is short enough to be sent to it. */
const KEY_FORM = /^[\x21-\x7e]{1,1000}$/;

/** Returns user and password of `Authorization: Basic` (RFC 7617): the id of an access key and its secret. */
export function readBasicKey({
  authorization = '',
}: IncomingHttpHeaders): PresentedAccessKey | undefined {
  const [, base64 = ''] = /^Basic +([\w+/=-]{1,4096}) *$/i.exec(authorization) ?? [];
  const text = Buffer.from(base64, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return keyOf(text.slice(0, Math.max(colon, 0)), text.slice(colon + 1));
}

/** Reads X-Api-User and X-Api-Key of acme-dns or, for clients whose URL contains a user, the Basic credentials. */
export function readApiKey(headers: IncomingHttpHeaders): PresentedAccessKey | undefined {
  const { 'x-api-user': id, 'x-api-key': secret } = headers;
  return typeof id === 'string' && typeof secret === 'string'
    ? keyOf(id, secret)
    : readBasicKey(headers);
}

function keyOf(id: string, secret: string): PresentedAccessKey | undefined {
  return KEY_FORM.test(id) && KEY_FORM.test(secret) ? { id, secret } : undefined;
}
