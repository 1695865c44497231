import { invalidRequest, isUuid, type Problem } from '@zonewright/service-kit';
import type { InputMembers } from '../request/rules.js';
import type { Timestamp } from '../rows/statements.js';

/** Supported algorithms. HMAC-MD5 is never accepted (RFC 8945 s6). */
export const TSIG_ALGORITHMS = [
  'hmac-sha1',
  'hmac-sha224',
  'hmac-sha256',
  'hmac-sha384',
  'hmac-sha512',
] as const;

/** Key that signs zone transfers (RFC 8945), except for its secret. */
export interface TsigKey {
  readonly id: string;
  readonly name: string;
  readonly algorithm: (typeof TSIG_ALGORITHMS)[number];
  /** Whether the key is for all zones or for one. */
  readonly scope: 'POOL' | 'ZONE';
  /** Id of the pool or of the zone. */
  readonly resourceId: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp | null;
}

/** Key in a request. */
export interface TsigKeyInput extends Pick<TsigKey, 'name' | 'algorithm' | 'scope' | 'resourceId'> {
  /** Secret. Undefined if it does not change. */
  readonly secret: Buffer | undefined;
}

/** Format of a name: a domain name, since DNS messages contain it as one. */
const NAME = /^(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}\.?$/;
const MAX_NAME_CHARACTERS = 253;
const LEAST_SECRET_OCTETS = 8;
const MOST_SECRET_OCTETS = 512;

/** Reads a key. Missing members are not changed. @throws ServiceError `invalid` with all problems */
export function readTsigKey(
  { values, problems }: InputMembers,
  stored: TsigKey | undefined,
): TsigKeyInput {
  const { secret, ...said } = values;
  const given: Record<string, unknown> = {
    ...(stored && { ...stored, resource_id: stored.resourceId }),
    ...said,
  };
  const octets = readTsigSecret(secret);
  const isKept = secret === undefined && stored !== undefined;
  const all = [
    ...problems,
    ...(octets !== undefined || isKept ? [] : [describeSecret(secret)]),
    ...check(given),
  ];
  if (all.length > 0) throw invalidRequest(all);
  const { name, algorithm, scope, resource_id: resourceId } = given;
  return { ...({ name, algorithm, scope, resourceId } as TsigKey), secret: octets };
}

/** Returns the problem of a secret that readTsigSecret does not accept. The message never contains the secret. */
function describeSecret(secret: unknown): Problem {
  const right = `${LEAST_SECRET_OCTETS} to ${MOST_SECRET_OCTETS} octets in base64, such as the output of "openssl rand -base64 32"`;
  if (typeof secret !== 'string') return problem('secret', 'format', right);
  const { length } = Buffer.from(secret, 'base64');
  const what = isBase64(secret) ? `has ${length} octets` : 'is not base64';
  return { path: 'secret', validator: 'format', message: `secret ${what}; write ${right}.` };
}

/** Whether a text is base64. Its padding may be missing, but its last group may not be a single character. */
function isBase64(text: string): boolean {
  const digits = text.replace(/={0,2}$/, '');
  return /^[A-Za-z0-9+/]*$/.test(digits) && digits.length % 4 !== 1;
}

function check({
  name,
  algorithm,
  scope,
  resource_id: resourceId,
}: Readonly<Record<string, unknown>>): Problem[] {
  const problems: Problem[] = [];
  if (!isName(name)) {
    const what =
      'a name such as "transfer-key" or "key.example.com.", of letters, digits, "-", "_"';
    problems.push(problem('name', 'format', what));
  }
  if (!TSIG_ALGORITHMS.some((known) => known === algorithm)) {
    problems.push(problem('algorithm', 'enum', `one of ${TSIG_ALGORITHMS.join(', ')}`));
  }
  if (scope !== 'POOL' && scope !== 'ZONE') {
    problems.push(problem('scope', 'enum', 'POOL or ZONE'));
  }
  if (typeof resourceId !== 'string' || !isUuid(resourceId)) {
    problems.push(problem('resource_id', 'format', 'the id of the pool, or of a zone'));
  }
  return problems;
}

/** Returns the name of a key, absolute and in lower case. Undefined if it is not valid. */
export function readTsigName(name: unknown): string | undefined {
  if (typeof name !== 'string' || !isName(name)) return undefined;
  return `${name.replace(/\.$/, '').toLowerCase()}.`;
}

function isName(name: unknown): boolean {
  return typeof name === 'string' && name.length <= MAX_NAME_CHARACTERS && NAME.test(name);
}

function problem(path: string, validator: string, what: string): Problem {
  return { path, validator, message: `${path} must be ${what}.` };
}

/** Returns the bytes of a secret. Undefined if it is not valid. */
export function readTsigSecret(secret: unknown): Buffer | undefined {
  if (typeof secret !== 'string' || !isBase64(secret)) return undefined;
  const octets = Buffer.from(secret, 'base64');
  const isRight = octets.length >= LEAST_SECRET_OCTETS && octets.length <= MOST_SECRET_OCTETS;
  return isRight ? octets : undefined;
}
