import {
  completeValidity,
  isAccessKeyAlgorithm,
  isImportable,
  isImportableAlgorithm,
  isKeyName,
  isSoundValidity,
  MAX_ALGORITHM_LENGTH,
  MAX_IMPORTED_LENGTH,
  MAX_KEY_DESCRIPTION_LENGTH,
  MAX_KEY_NAME_LENGTH,
  parseDate,
  readRestriction,
  type RequestedRestriction,
} from '@zonewright/accounts';
import {
  ACCESS_KEY_ALGORITHMS,
  ACCESS_KEY_LENGTH,
  DEFAULT_ACCESS_KEY_ALGORITHM,
  isAccessKeyLength,
} from '@zonewright/database';
import type { Members } from '@zonewright/http-api';

/** Members of a new key that a caller chooses. The server ignores other members. */
interface NewAccessKey extends KeyAttributes {
  readonly algorithm: string;
  readonly keyLength: number | undefined;
  readonly status: 'active' | 'inactive';
  readonly userId: string | undefined;
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** Key of another system, with its secret and usually its id. */
export interface ImportedAccessKey extends NewAccessKey {
  readonly id: string | undefined;
  readonly secretKey: string;
}

export function readNewAccessKey(members: Members, now: Date): NewAccessKey {
  const algorithm = members.optionalText('algorithm') ?? DEFAULT_ACCESS_KEY_ALGORITHM;
  if (!isAccessKeyAlgorithm(algorithm)) {
    members.problem('algorithm', `must be one of ${ACCESS_KEY_ALGORITHMS.join(', ')}`);
  }
  const keyLength = readKeyLength(members) ?? ACCESS_KEY_LENGTH.default;
  if (!isAccessKeyLength(keyLength)) {
    const { minimum, maximum } = ACCESS_KEY_LENGTH;
    members.problem('keyLength', `must be a multiple of 8 from ${minimum} to ${maximum}`);
  }
  return { ...readCommon(members, now), algorithm, keyLength };
}

export function readImportedAccessKey(members: Members, now: Date): ImportedAccessKey {
  const id = members.optionalText('accessKeyId');
  if (id !== undefined && !isImportable(id)) {
    members.problem('accessKeyId', `must have 1 to ${MAX_IMPORTED_LENGTH} characters`);
  }
  const secretKey = members.text('secretKey');
  if (!isImportable(secretKey)) {
    members.problem('secretKey', `must have 1 to ${MAX_IMPORTED_LENGTH} characters`);
  }
  const algorithm = members.text('algorithm');
  if (!isImportableAlgorithm(algorithm)) {
    members.problem('algorithm', `must have 1 to ${MAX_ALGORITHM_LENGTH} characters`);
  }
  const keyLength = readKeyLength(members);
  return { ...readCommon(members, now), id, secretKey, algorithm, keyLength };
}

/** Reads a status that callers may set. */
export function readStatus(members: Members): 'active' | 'inactive' | undefined {
  const status = members.optionalText('status');
  if (status === undefined || status === 'active' || status === 'inactive') return status;
  members.problem('status', 'must be active or inactive');
  return undefined;
}

function readCommon(members: Members, now: Date) {
  const given = {
    validFrom: readDate(members, 'validFrom'),
    validTo: readDate(members, 'validTo'),
  };
  const validity = completeValidity(given, now);
  if (!isSoundValidity(validity)) members.problem('validTo', 'must be after validFrom');
  return {
    status: readStatus(members) ?? 'active',
    userId: members.optionalIdText('userId'),
    ...readKeyAttributes(members),
    ...validity,
  } as const;
}

function readKeyLength(members: Members): number | undefined {
  // Values in XML are text.
  const value = members.raw('keyLength');
  if (value === undefined) return undefined;
  const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (/^\d{1,5}$/.test(digits)) return Number(digits);
  members.problem('keyLength', 'must be an integer');
  return undefined;
}

function readDate(members: Members, name: string): Date | undefined {
  const value = members.raw(name);
  if (value === undefined) return undefined;
  const date = parseDate(value);
  if (date === undefined) {
    members.problem(
      name,
      'must be YYYY-MM-DDThh:mm:ss, with or without an offset, or milliseconds since 1970',
    );
  }
  return date;
}

/** Attributes of a key that the original service did not have. */
export interface KeyAttributes {
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** Undefined if the key is unrestricted. */
  readonly restriction: RequestedRestriction | undefined;
}

const ATTRIBUTES = 'otherAttributes';
/** Element used in XML instead, with the value as JSON text. */
const XML_ELEMENT = 'restrictions';
const KNOWN: readonly string[] = [
  'name',
  'description',
  'restrictions',
  'preset',
  'zone',
  'tenantId',
  'networks',
  'massDelete',
];

/**
 * Reads `otherAttributes`. Unlike for the key itself, unknown members are rejected: with a misspelled name, the key
 * would have no restrictions.
 */
function readKeyAttributes(members: Members): KeyAttributes {
  const attributes = readAttributes(members);
  const at = (path: string) => `${ATTRIBUTES}.${path}`;
  for (const member of attributes.keys()) {
    if (KNOWN.includes(member)) continue;
    members.problem(
      at(member.slice(0, 64)),
      `is not a member; the members are ${KNOWN.join(', ')}`,
    );
  }
  const { wish, faults } = readRestriction(attributes);
  for (const { path, what } of faults) members.problem(at(path), what);
  return {
    name: readName(members, attributes.get('name')),
    description: readDescription(members, attributes.get('description')),
    restriction: wish,
  };
}

function readAttributes(members: Members): ReadonlyMap<string, unknown> {
  const text = members.optionalText(XML_ELEMENT);
  if (text !== undefined) return new Map([['restrictions', parseJson(members, text)]]);
  const value = members.raw(ATTRIBUTES);
  if (value === undefined || value === '') return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) {
    members.problem(ATTRIBUTES, 'must be an object');
    return new Map();
  }
  return new Map(Object.entries(value ?? {}));
}

function parseJson(members: Members, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    members.problem(XML_ELEMENT, 'must contain JSON: an object with the members of restrictions');
    return {};
  }
}

function readName(members: Members, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && isKeyName(value)) return value;
  members.problem(`${ATTRIBUTES}.name`, `must have 1 to ${MAX_KEY_NAME_LENGTH} characters`);
  return undefined;
}

function readDescription(members: Members, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const isText = typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value);
  if (isText && value.length <= MAX_KEY_DESCRIPTION_LENGTH) return value;
  const what = `must be a string of at most ${MAX_KEY_DESCRIPTION_LENGTH} characters`;
  members.problem(`${ATTRIBUTES}.description`, what);
  return undefined;
}
