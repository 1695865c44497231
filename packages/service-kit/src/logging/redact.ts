import { stdSerializers } from 'pino';

/**
 * Suffixes of member names whose values are never logged, in any spelling: "auth token" matches X-Auth-Token, authToken
 * and SERVICE_AUTH_TOKEN.
 */
const SECRET_NAMES = [
  'password',
  'password hash',
  'passwd',
  'secret',
  'secret key',
  'secret sealed',
  'token',
  'token id',
  'auth key',
  'authorization',
  'cookie',
  'connection string',
  'database url',
  'redis url',
  'encryption keys',
];
const ANY_SECRET_NAME = SECRET_NAMES.join('|').replaceAll(' ', '[-_]?');
const SECRET_MEMBER = new RegExp(`(?:${ANY_SECRET_NAME})$`, 'i');
/** Secret members in a line of JSON, where the value is a text. */
const SECRET_JSON_MEMBER = new RegExp(
  `"([\\w-]*(?:${ANY_SECRET_NAME}))":"(?:[^"\\\\]|\\\\.)*"`,
  'gi',
);
/** Matches user:password@ of a URL, in plain text or in a JSON string. */
const URL_CREDENTIALS = /:\/\/(?:[^\s"/?#\\]|\\.)*@/g;
const REDACTED = '[redacted]';
/** Maximum depth. It is sufficient for any error or request in the log; deeper values are dropped, not searched. */
const MAX_DEPTH = 6;

/** Returns a copy for the log, in which the value of every secret member is replaced. */
export function redactSecrets(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} octets]`;
  if (depth >= MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redactSecrets(item, depth + 1));
  if (value instanceof Error) return redactMembers(stdSerializers.err(value), depth);
  return redactMembers(value, depth);
}

function redactMembers(value: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      SECRET_MEMBER.test(name) ? REDACTED : redactSecrets(member, depth + 1),
    ]),
  );
}

/** Removes credentials from the URLs in a text: drivers repeat a connection URL in their messages. */
export function redactUrlCredentials(text: string): string {
  return text.replaceAll(URL_CREDENTIALS, `://${REDACTED}@`);
}

/**
 * Redacts a finished line of JSON, for data that was not a member of an object: messages, bindings of a child logger.
 */
export function redactLine(line: string): string {
  return redactUrlCredentials(line).replaceAll(SECRET_JSON_MEMBER, `"$1":"${REDACTED}"`);
}
