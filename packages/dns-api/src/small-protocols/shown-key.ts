import type { IncomingHttpHeaders } from 'node:http';
import type { PresentedAccessKey } from '../access/key-client.js';

/** Longer than any id and secret of the identity service, and short enough to be sent to it. */
const KEY_FORM = /^[\x21-\x7e]{1,1000}$/;

/** The user and password of `Authorization: Basic` (RFC 7617): the id of an access key and its secret. */
export function readBasicKey({
  authorization = '',
}: IncomingHttpHeaders): PresentedAccessKey | undefined {
  const [, base64 = ''] = /^Basic +([\w+/=-]{1,4096}) *$/i.exec(authorization) ?? [];
  const text = Buffer.from(base64, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return keyOf(text.slice(0, Math.max(colon, 0)), text.slice(colon + 1));
}

/** X-Api-User and X-Api-Key of acme-dns, or else Basic, which clients send if their URL contains a user. */
export function readApiKey(headers: IncomingHttpHeaders): PresentedAccessKey | undefined {
  const { 'x-api-user': id, 'x-api-key': secret } = headers;
  return typeof id === 'string' && typeof secret === 'string'
    ? keyOf(id, secret)
    : readBasicKey(headers);
}

function keyOf(id: string, secret: string): PresentedAccessKey | undefined {
  return KEY_FORM.test(id) && KEY_FORM.test(secret) ? { id, secret } : undefined;
}
